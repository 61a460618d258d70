import Glibc
import Synchronization
internal import Transport

/// The loop's side.
extension ByteChannel {
    struct Interest {
        var descriptor: Int32
        var events: Int16
        var watch: Int32
        var deadline: MonotonicInstant?
    }

    /// Ends what is out of time or over. Nil when the loop must not touch the descriptor again.
    func serve(at now: MonotonicInstant) -> Interest? {
        let (ended, interest, isReady, relay): ([ChannelState.Ended], Interest?, Bool, ByteRelay?) = state.withLock {
            state in
            if state.isClosing, state.channel.ending == nil {
                let ended = state.channel.end(.closed)
                state.phase = .detached
                return (ended, nil, state.operations == 0, state.relay?.0)
            }
            if state.channel.ending != nil {
                state.phase = .detached
                return ([], nil, state.operations == 0, state.relay?.0)
            }
            let (ended, deadline) = state.channel.expire(at: now)
            var events: Int16 = 0
            if state.channel.wantsInput { events |= Int16(POLLIN) }
            if state.channel.hasOutput { events |= Int16(POLLOUT) }
            if let (relay, side) = state.relay {
                events = events & ~Int16(POLLIN) | relay.events(side)
            }
            // A pseudo terminal without a program on its other side would be "hung up" in every poll.
            let isPeerThere = state.channel.isPeerThere
            let interest = Interest(
                descriptor: isPeerThere ? descriptor : -1, events: events,
                watch: isPeerThere ? -1 : watch?.descriptor ?? -1, deadline: deadline)
            return (ended, interest, false, nil)
        }
        for wait in ended { wait.resume() }
        relay?.left(self)
        if isReady { letGo() }
        return interest
    }

    func handle(_ events: Int16, watch watchEvents: Int16, _ buffer: UnsafeMutableRawBufferPointer) {
        if watchEvents != 0 { lookForPeer(buffer) }
        guard events != 0 else { return }
        let isHungUp = Int32(events) & (POLLHUP | POLLERR | POLLNVAL) != 0
        if isHungUp || Int32(events) & POLLIN != 0 { read(isHungUp: isHungUp, buffer) }
        if !isHungUp, Int32(events) & POLLOUT != 0 { write() }
    }

    /// One read a readiness, since with VMIN 0 a second one answers 0 when there is simply nothing; after a hang-up,
    /// everything that is left.
    private func read(isHungUp: Bool, _ buffer: UnsafeMutableRawBufferPointer) {
        var zeros = 0
        while true {
            let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            if count > 0 {
                deliver(count, of: buffer)
                if isHungUp { continue }
                return
            }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN {
                if isHungUp { otherSideLeft(.gone, buffer) }
                return
            }
            if count < 0 { return otherSideLeft(SystemError.last.code, buffer) }
            if isHungUp { return otherSideLeft(.gone, buffer) }
            // Ready, and yet nothing: somebody else may have read or purged it. A device that has left stays "ready".
            zeros += 1
            let present = eventsNow()
            if present & (POLLHUP | POLLERR | POLLNVAL) != 0 || zeros > 1 { return otherSideLeft(.gone, buffer) }
            if present & POLLIN == 0 { return }
        }
    }

    private func deliver(_ count: Int, of buffer: UnsafeMutableRawBufferPointer) {
        // They may be card data, and the buffer is every port's.
        defer { if let start = buffer.baseAddress { explicit_bzero(start, count) } }
        let came = UnsafeRawBufferPointer(rebasing: buffer[..<count])
        // In one step with the look at the relay: what is kept for `receive` after one has joined would be lost.
        let (ended, relay): ([ChannelState.Ended], (ByteRelay, ByteRelay.Side)?) = state.withLock { state in
            if let relay = state.relay { return ([], relay) }
            return (state.channel.deliver(came), nil)
        }
        for wait in ended { wait.resume() }
        if let (relay, side) = relay { relay.came(came, from: side) }
    }

    /// Gives bytes to the kernel. Answers how many it has taken: all, when it takes none any more, since the read that
    /// follows finds out why.
    func put(_ bytes: UnsafeRawBufferPointer) -> Int {
        while !bytes.isEmpty {
            let count =
                isSocket
                ? Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
                : Glibc.write(descriptor, bytes.baseAddress, bytes.count)
            if count >= 0 { return count }
            if errno == EAGAIN { return 0 }
            if errno != EINTR { break }
        }
        return bytes.count
    }

    private func write() {
        if let (relay, side) = state.withLock({ $0.relay }) { relay.write(side) }
        for _ in 0..<16 {
            guard let bytes = state.withLock({ $0.channel.takeOutput() }) else { return }
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            let error = errno
            state.withLock { $0.channel.wrote(max(count, 0)) }?.resume()
            if count < 0, error == EINTR { continue }
            if count < 0, error != EAGAIN {
                // A pseudo terminal's other side is looked at by the read that follows.
                if watch == nil { end(SystemError(error).code) }
                return
            }
            if count < bytes.count { return }
        }
    }

    private func otherSideLeft(_ code: TransportError.Code, _ buffer: UnsafeMutableRawBufferPointer) {
        guard let watch else { return end(code == .failed ? .failed : .gone) }
        peerIsThere(false)
        // What the program has left unread is not for the next one.
        watch.discardUnread()
        lookForPeer(buffer)
    }

    private func peerIsThere(_ isThere: Bool) {
        let (ended, relay) = state.withLock { ($0.channel.peerIsThere(isThere), $0.relay?.0) }
        for wait in ended { wait.resume() }
        relay?.clientIsThere(isThere)
    }

    private func end(_ code: TransportError.Code) {
        for wait in state.withLock({ $0.channel.end(code) }) { wait.resume() }
    }

    /// A program that comes after the watch was emptied makes it readable again; one that came before shows in the poll.
    private func lookForPeer(_ buffer: UnsafeMutableRawBufferPointer) {
        watch?.drain()
        let events = eventsNow()
        if events & POLLHUP == 0 {
            peerIsThere(true)
        } else if events & POLLIN != 0 {
            readLeftovers(buffer)
        }
    }

    /// A program has come, written and left between two looks.
    private func readLeftovers(_ buffer: UnsafeMutableRawBufferPointer) {
        while true {
            let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            guard count > 0 else {
                if count < 0, errno == EINTR { continue }
                return
            }
            deliver(count, of: buffer)
        }
    }

    private func eventsNow() -> Int32 {
        var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&polled, 1, 0) > 0 ? Int32(polled.revents) : 0
    }
}
