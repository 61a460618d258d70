import Glibc
internal import Transport

/// The kernel's codes for the usual speeds (asm-generic/termbits.h, the same on x86-64 and ARM). A usual speed is set by
/// its code, so that programs with the older interface read it back; any other with BOTHER and the number itself.
enum BaudCode {
    /// "The speed is in c_ospeed."
    static let other: UInt32 = 0o010000
    /// The bits of c_cflag that hold the code of the speed; those of the input speed are 16 higher.
    static let mask: UInt32 = 0o010017

    static func code(of rate: BaudRate) -> UInt32 {
        table[rate.bitsPerSecond] ?? other
    }

    private static let table: [UInt32: UInt32] = {
        let low: [UInt32] = [
            50, 75, 110, 134, 150, 200, 300, 600, 1200, 1800, 2400, 4800, 9600, 19_200, 38_400,
        ]
        let high: [UInt32] = [
            57_600, 115_200, 230_400, 460_800, 500_000, 576_000, 921_600, 1_000_000, 1_152_000, 1_500_000, 2_000_000,
            2_500_000, 3_000_000, 3_500_000, 4_000_000,
        ]
        var table: [UInt32: UInt32] = [:]
        for (index, rate) in low.enumerated() { table[rate] = UInt32(index) + 1 }
        for (index, rate) in high.enumerated() { table[rate] = other | (UInt32(index) + 1) }
        return table
    }()
}
