import Foundation
import Testing

/// `attach`: the signature that was given for a sale.
@Suite(.blackBox) struct AttachTests {
    /// One pixel.
    private static let png =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    private static let otherPNG =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg=="

    private func write(_ content: Data, _ name: String = "signature.png") throws -> String {
        let path = try Workbench.mine().path(name)
        try content.write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test("the image is kept, its digest is in the journal; the same again changes nothing, another is refused")
    func attach() async throws {
        let id = try await run(simulatedSale("20.00")).text("transactionid")
        let image = try #require(Data(base64Encoded: Self.png))
        let path = try write(image)
        let ended = try await run("attach", id, "--signature", path, "--json")
        #expect(ended.status == 0, "\(ended.errors)")
        // sha256sum of the file.
        let digest = "6b7fa434f92a8b80aab02d9bf1a12e49ffcae424e4013a1c4f68b67e3d2bbcd0"
        #expect(ended.output == "{\"transactionid\":\"\(id)\",\"signature\":\"\(digest)\"}\n")
        let stored = try Workbench.mine().data + "/signatures/" + id
        #expect(FileManager.default.contents(atPath: stored) == image)
        let mode = try FileManager.default.attributesOfItem(atPath: stored)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let journal = try await run("transaction", id, "--json").list("journal")
        #expect(journal.last?["detail"] as? String == "signature sha256 \(digest)")
        #expect(try await run("attach", id, "--signature", path).output == "\(id)  signature sha256 \(digest)\n")
        #expect(try await run("transaction", id, "--json").list("journal").count == journal.count)
        let longer = try write(image + Data([0]), "longer.png")
        #expect(try await run("attach", id, "--signature", longer).status == 8)
        let other = try write(#require(Data(base64Encoded: Self.otherPNG)), "other.png")
        let refused = try await run("attach", id, "--signature", other)
        #expect(refused.status == 9 && refused.errors.contains("another signature"))
        #expect(FileManager.default.contents(atPath: stored) == image)
        #expect(try await run("receipt", id).status == 0)
    }

    @Test(
        "what is no image is refused, whatever its name says",
        arguments: [
            "#!/bin/sh\n", "<svg xmlns=\"http://www.w3.org/2000/svg\"><script>1</script></svg>", "<?php ?>", "",
            "\u{89}PNG\r\n\u{1A}\n#!/bin/sh\n",
        ])
    func disguised(content: String) async throws {
        let id = try await run(simulatedSale("20.00")).text("transactionid")
        let ended = try await run("attach", id, "--signature", write(Data(content.utf8)))
        #expect(ended.status == 8 && ended.output == "")
        #expect(ended.errors.contains("not an image"))
        let stored = try Workbench.mine().data + "/signatures"
        #expect((try? FileManager.default.contentsOfDirectory(atPath: stored)) ?? [] == [])
    }

    @Test("only an approved sale has a signature, and the command wants its file")
    func refused() async throws {
        let declined = try await run(simulatedSale("10.00")).text("transactionid")
        let image = try write(#require(Data(base64Encoded: Self.png)))
        #expect(try await run("attach", declined, "--signature", image).status == 9)
        expectUsageError(try await run("attach", declined))
        expectWrongName(try await run("attach", "01ABC", "--signature", image))
        let approved = try await run(simulatedSale("20.00")).text("transactionid")
        expectWrongName(try await run("attach", approved, "--signature", "/nowhere"))
    }
}
