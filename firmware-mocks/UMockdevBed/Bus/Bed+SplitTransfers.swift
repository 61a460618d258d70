import FirmwareCores

/// Without the capability of scatter-gather libusb cuts a bulk transfer into blocks of 16 KiB. The device's core is told of
/// whole transfers, so the pieces of one that goes out are put together again.
extension Bed {
    private static let pieceSize = 16 * 1024
    /// Whether a full piece is the last one shows only by nothing following it.
    private static let patience = Duration.milliseconds(20)
    private static let scatterGather: UInt32 = 0x08

    /// Passes a block on to the device, at once unless more of the same transfer may follow.
    func hold(_ id: PluggedDevice.TransferID, _ block: RequestBlock, _ bytes: [UInt8], on node: OpenNode) {
        if !block.isContinuation { passOnHeld(of: node) }
        node.held.append((id, block.endpoint, bytes))
        if node.device.faults.capabilities & Self.scatterGather == 0, bytes.count == Self.pieceSize {
            node.heldDue = now() + Self.patience
        } else {
            passOnHeld(of: node)
        }
    }

    /// Hands what is held to the device as one transfer. The caller settles the device afterwards.
    func passOnHeld(of node: OpenNode) {
        let held = node.held
        node.held = []
        node.heldDue = nil
        guard let last = held.last, let index = node.pending.firstIndex(where: { $0.id == last.id }) else { return }
        node.pending[index].earlierParts = held.dropLast().map(\.id)
        node.device.plugged.submitOut(last.id, endpoint: last.endpoint, bytes: held.flatMap(\.bytes), at: now())
    }
}
