import BERTLV
import Decoder
import Glibc
import ReaderWire

/// Measures the decoder for docs/performance.md: `decodebench FILE` prints megabytes a second of CPU time, for reading
/// TLV alone, for decoding to text and JSON in memory, and for cutting streams of reader frames.
@main
enum DecodeBench {
    static func main() {
        guard CommandLine.arguments.count == 2, let file = fopen(CommandLine.arguments[1], "rb") else {
            print("usage: decodebench FILE")
            exit(2)
        }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&piece, 1, piece.count, file), count > 0 { bytes += piece[..<count] }
        fclose(file)
        report("read TLV", bytes.count) {
            var total = 0
            for _ in 0..<10 { total &+= walk(bytes.span) }
            return (10, total)
        }
        reportFrames()
        for (name, asJSON) in [("decode to text", false), ("decode to JSON", true)] {
            report(name, bytes.count) {
                var total = 0
                let page = OutputPage { total += $0.count }
                var position = 0
                _ = Decoder(format: .tlv, options: DecodeOptions(asJSON: asJSON)).run(
                    read: { (memory, _) throws(InputFailure) in
                        let count = min(memory.count, bytes.count - position)
                        memory.copyBytes(from: bytes[position..<position + count])
                        position += count
                        return count
                    }, page: page)
                return (1, total)
            }
        }
    }

    /// 16 MB of frames one after another, fed in pieces of 4,096 bytes as a driver reads them.
    private static func reportFrames() {
        let payload = (0..<2048).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let neo2 = [0, 33, 377].map { NEO2Frame(answering: 0x02, .ok, data: Array(payload.prefix($0))).bytes }
        let qpos = [0, 39, 1024].map { count in
            QPOSFrame(id: 0x24, command: 0x16, subCommand: 0x30, data: Array(payload.prefix(count))).bytes
        }
        let mpi = [2, 35, 254].map { MPIPacket.packets(Array(payload.prefix($0))).flatMap(\.bytes) }
        let families: [(String, FrameFormat, [[UInt8]])] = [
            ("NEO2", .neo2(NEO2FrameFormat()), neo2), ("QPOS", .qpos, qpos), ("MPI", .mpi, mpi),
        ]
        for (name, format, frames) in families {
            let kinds = [("mixed", frames.flatMap { $0 })] + [("longest", frames.last ?? [])]
            for (kind, one) in kinds {
                var stream: [UInt8] = []
                while stream.count < 16 << 20 { stream += one }
                report("cut \(name) frames, \(kind)", stream.count) {
                    var total = 0
                    var deframer = Deframer(format)
                    var place = 0
                    let bytes = stream.span
                    while place < bytes.count {
                        let end = min(place + 4096, bytes.count)
                        deframer.feed(bytes.extracting(place..<end)) { event, frame in
                            if case .frame(_, true) = event { total &+= frame.count }
                        }
                        place = end
                    }
                    guard total == stream.count else {
                        print("frames were lost: \(stream.count - total) bytes")
                        exit(1)
                    }
                    return (1, total)
                }
            }
        }
    }

    /// All objects of all levels, by `TLVReader` alone.
    private static func walk(_ bytes: Span<UInt8>) -> Int {
        var reader = TLVReader(range: 0..<bytes.count)
        var total = 0
        while let step = reader.next(in: bytes) {
            guard case .object(let item) = step else { break }
            total &+= item.valueRange.count &+ Int(truncatingIfNeeded: item.tag.number)
        }
        return total
    }

    private static func report(_ name: String, _ count: Int, _ body: () -> (rounds: Int, total: Int)) {
        var best = Double.infinity
        var total = 0
        for _ in 0..<7 {
            let start = cpuTime()
            let result = body()
            best = min(best, (cpuTime() - start) / Double(result.rounds))
            total = result.total
        }
        let rate = Int(Double(count) / best / 1e5)
        print("\(name): \(rate / 10).\(rate % 10) MB/s (\(total))")
    }

    private static func cpuTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
