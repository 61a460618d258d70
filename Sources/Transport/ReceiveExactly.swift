extension Transport {
    /// Receives until `count` bytes are there, whatever parts they come in, under one deadline for all of them.
    ///
    /// - Throws: what `receive` throws, with everything that had arrived in `partial`.
    public func receive(exactly count: Int, until deadline: Deadline) async throws(TransportError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            do throws(TransportError) {
                bytes += try await receive(atMost: count - bytes.count, until: deadline)
            } catch {
                throw TransportError(
                    error.code, during: error.operation, underlying: error.underlying, partial: bytes + error.partial)
            }
        }
        return bytes
    }
}
