/// What changes between the client's side of a relay and the line's: Telnet, for example. Called by one thread at a time,
/// under the relay's lock, so it must be quick and must not call the relay.
package protocol RelayTranslator: Sendable {
    /// Reads bytes of the client, cut anywhere. What is for the line is appended to `line`, what answers the client at
    /// once to `client`.
    ///
    /// - Returns: how many bytes were read. Fewer than there are means: behind them stood something that has to be carried
    ///   out before the rest is read. The relay says so (`RelayEvent.halted`) and comes again after `goOn()`.
    func fromClient(
        _ bytes: UnsafeRawBufferPointer, line: inout [UInt8], client: inout [UInt8]
    ) -> (read: Int, halts: Bool)

    /// True when the bytes are the same on both sides, so that they need no copy.
    func passesUnchanged(_ bytes: UnsafeRawBufferPointer) -> Bool

    /// Appends what the client gets for these bytes of the line.
    func fromLine(_ bytes: UnsafeRawBufferPointer, client: inout [UInt8])
}

/// What a relay tells, on the thread of its loop.
package enum RelayEvent: Sendable, Hashable {
    /// Nothing comes from the line any more.
    case lineLost
    /// The client has left; of a pseudo terminal: no program has it open any more.
    case clientLeft
    /// A program has opened the pseudo terminal.
    case clientCame
    /// The translator has read something that has to be carried out.
    case halted
}
