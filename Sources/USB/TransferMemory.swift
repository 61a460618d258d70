internal import CLibUSB
internal import Glibc

/// A libusb transfer and its buffer.
///
/// Unchecked: at any moment exactly one party touches the memory, and the hand-overs are ordered by `TransferSlot`'s
/// lock. The operation that took the slot fills it; from submit on it is libusb's; the callback hands it back to the
/// operation by resuming it. `TransferSlot` frees it, once, when neither libusb nor an operation refers to it.
struct TransferMemory: @unchecked Sendable {
    let transfer: UnsafeMutablePointer<libusb_transfer>
    let buffer: UnsafeMutablePointer<UInt8>
    let capacity: Int

    init(capacity: Int) throws(LibUSBError) {
        guard let transfer = libusb_alloc_transfer(0) else { throw .noMemory }
        self.transfer = transfer
        // Most requests and replies fit into every slot, so that slots can stand in for each other.
        self.capacity = max(capacity, 1024)
        buffer = .allocate(capacity: self.capacity)
        buffer.initialize(repeating: 0, count: self.capacity)
    }

    func free() {
        wipe(capacity)
        buffer.deallocate()
        libusb_free_transfer(transfer)
    }

    /// Zeroes the first `count` bytes: requests and replies may be card data, and the buffer is used again.
    func wipe(_ count: Int) {
        explicit_bzero(buffer, min(max(count, 0), capacity))
    }

    /// Copies `bytes` to `offset`. The caller took a slot with room for them.
    func store(_ bytes: [UInt8], at offset: Int) {
        precondition(offset + bytes.count <= capacity, "transfer slot too small")
        bytes.withUnsafeBufferPointer { source in
            guard let base = source.baseAddress else { return }
            buffer.advanced(by: offset).update(from: base, count: source.count)
        }
    }

    /// `count` bytes from `offset`, at most to the end of the buffer.
    func load(_ count: Int, from offset: Int) -> [UInt8] {
        Array(UnsafeBufferPointer(start: buffer + offset, count: max(0, min(count, capacity - offset))))
    }
}
