import Testing

@testable import AppToApp

@Suite struct PhotoTests {
    @Test("the check sum of PNG: that of IEND, and the standard check value")
    func checksum() {
        #expect(CRC32.checksum(Array("IEND".utf8)) == 0xAE42_6082)
        #expect(CRC32.checksum(Array("123456789".utf8)) == 0xCBF4_3926)
    }

    @Test("whole photos are known by their bytes")
    func whole() {
        #expect(PhotoFormat(of: Photos.jpeg) == .jpeg)
        #expect(PhotoFormat(of: Photos.png) == .png)
    }

    private static let script = Array("#!/bin/sh\nrm -rf /\n".utf8)

    static let disguises: [(String, [UInt8])] = [
        ("nothing", []), ("script", script), ("script behind the first bytes of JPEG", [0xFF, 0xD8, 0xFF] + script),
        ("the same, with an end", [0xFF, 0xD8, 0xFF, 0xE0] + script + [0xFF, 0xD9]),
        ("script behind JPEG", Photos.jpeg + script),
        ("JPEG without a frame", [0xFF, 0xD8] + Photos.segment(0xDA, [1, 1, 0, 0, 63, 0]) + [0xFF, 0xD9]),
        (
            "JPEG of no size",
            [0xFF, 0xD8] + Photos.segment(0xC0, [8, 0, 1, 0, 0, 1, 1, 0x11, 0]) + Photos.segment(0xDA, [1]) + [
                0xFF, 0xD9,
            ]
        ),
        ("segment beyond the end", [0xFF, 0xD8, 0xFF, 0xE0, 0xFF, 0xFF, 0xFF, 0xD9]),
        ("script behind the signature of PNG", Photos.pngStart + script), ("script behind PNG", Photos.png + script),
        ("PNG without data", Photos.pngStart + Photos.chunk("IHDR", Photos.header) + Photos.chunk("IEND", [])),
        ("PNG without end", Photos.pngStart + Photos.chunk("IHDR", Photos.header) + Photos.chunk("IDAT", [1])),
        (
            "PNG of no size",
            Photos.pngStart + Photos.chunk("IHDR", [0, 0, 0, 0] + Photos.header.dropFirst(4))
                + Photos.chunk("IDAT", [1]) + Photos.chunk("IEND", [])
        ),
        ("chunk beyond the end", Photos.pngStart + [0xFF, 0xFF, 0xFF, 0xFF] + Array("IHDR".utf8) + [0, 0, 0, 0]),
        ("GIF", Array("GIF89a\u{1}\0\u{1}\0".utf8)), ("HTML", Array("<html><script>".utf8)),
    ]

    @Test("everything else is none, whatever it begins with", arguments: disguises)
    func disguised(name: String, bytes: [UInt8]) {
        #expect(PhotoFormat(of: bytes) == nil, "\(name)")
    }

    @Test("a changed bit in a PNG's frame, and every shorter photo, is none")
    func damaged() {
        for index in Photos.png.indices {
            var bytes = Photos.png
            bytes[index] ^= 0x10
            #expect(PhotoFormat(of: bytes) == nil, "\(index)")
        }
        for photo in [Photos.png, Photos.jpeg] {
            for length in 0..<photo.count { #expect(PhotoFormat(of: Array(photo[..<length])) == nil) }
        }
    }

    @Test("a photo is stored under the sale's id, for its owner only")
    func storing() throws {
        let place = try TemporaryPlace()
        let store = PhotoStore(directory: place.path + "/data/photos")
        let file = try place.write(Photos.png, "x.jpg")
        let received = try store.receive(fileAt: file)
        try received.attach(to: "01M8N3RZ22PMK8CYZ1BD9NJRBF")
        #expect(place.names(in: "data/photos") == ["01M8N3RZ22PMK8CYZ1BD9NJRBF"])
        #expect(place.read("data/photos/01M8N3RZ22PMK8CYZ1BD9NJRBF") == Photos.png)
        #expect(place.permissions("data/photos/01M8N3RZ22PMK8CYZ1BD9NJRBF") == 0o600)
        #expect(place.permissions("data/photos") == 0o700)
        try store.receive(fileAt: file).discard()
        #expect(place.names(in: "data/photos").count == 1)
    }

    @Test("an id that is none names no file", arguments: ["", "../x", "a/b", ".", "ñ"])
    func badID(id: String) throws {
        let place = try TemporaryPlace()
        let received = try PhotoStore(directory: place.path + "/p").receive(fileAt: place.write(Photos.jpeg, "j"))
        #expect(throws: StorageFailure.self) { try received.attach(to: id) }
    }

    @Test("10 MiB are taken, one byte more is not; neither is what is no file")
    func size() throws {
        let place = try TemporaryPlace()
        let store = PhotoStore(directory: place.path + "/p")
        let rest = PhotoFormat.largestFile - Photos.png.count
        let fitting =
            Photos.pngStart + Photos.chunk("IHDR", Photos.header)
            + Photos.chunk("IDAT", [UInt8](repeating: 0, count: 3 + rest)) + Photos.chunk("IEND", [])
        #expect(fitting.count == PhotoFormat.largestFile)
        _ = try store.receive(fileAt: place.write(fitting, "fitting"))
        #expect(throws: PhotoProblem.notAPhoto) { try store.receive(fileAt: place.write(fitting + [0], "large")) }
        #expect(throws: PhotoProblem.notAPhoto) { try store.receive(fileAt: place.path) }
        #expect(throws: PhotoProblem.notAPhoto) { try store.receive(fileAt: "/dev/zero") }
        #expect(throws: PhotoProblem.self) { try store.receive(fileAt: place.path + "/none") }
    }
}
