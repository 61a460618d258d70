internal import NetworkTransport
internal import Serial
import Synchronization
public import Transport

/// Offers the byte stream of a reader to other programs, by a pseudo terminal or a TCP port, and keeps offering it when the
/// reader is unplugged and comes back. Runs once.
///
/// Bytes are moved by `ByteRelay`, on one thread, without a task in between. What needs waiting (opening, settings, modem
/// lines) is done by tasks here.
public final class SerialBridge: Sendable {
    private let options: BridgeOptions
    private let source: any LineSource
    private let clock: any MonotonicClock
    private let report: @Sendable (BridgeEvent) -> Void

    private let context = SerialContext()
    private let control: LineControl
    private let door: ClientDoor
    private let translator: ComPortTranslator?
    private let server: ComPortServer?
    private let relay: ByteRelay
    private let relayEvents: AsyncStream<RelayEvent>
    private let relayFeed: AsyncStream<RelayEvent>.Continuation
    private let lineLost: AsyncStream<Void>
    private let lineLostFeed: AsyncStream<Void>.Continuation

    /// - Parameters:
    ///   - clock: that of the system outside of tests, since ttys count their deadlines on it.
    ///   - report: called from several threads, which must not be kept waiting.
    public init(
        _ options: BridgeOptions, source: any LineSource, clock: any MonotonicClock,
        report: @escaping @Sendable (BridgeEvent) -> Void
    ) {
        self.options = options
        self.source = source
        self.clock = clock
        self.report = report
        control = LineControl(options.settings, clock: clock)
        let door = ClientDoor(clock: clock)
        self.door = door
        let (events, feed) = AsyncStream.makeStream(of: RelayEvent.self)
        (relayEvents, relayFeed) = (events, feed)
        (lineLost, lineLostFeed) = AsyncStream.makeStream(of: Void.self)
        if case .rfc2217 = options.offer { translator = ComPortTranslator() } else { translator = nil }
        relay = ByteRelay(translator: translator) { event in
            if event == .clientLeft { door.leave() }
            feed.yield(event)
        }
        server = translator.map { [control, relay] translator in
            ComPortServer(control, relay, translator, options.signature, clock: clock, report: report)
        }
    }

    /// Opens the line and the offer, says `.ready`, and works until the task is cancelled; then closes everything and
    /// removes the link.
    /// - Throws: when it cannot begin.
    public func run() async throws(BridgeError) {
        let result: Result<Void, BridgeError>
        do throws(BridgeError) {
            try await begin()
            result = .success(())
        } catch {
            result = .failure(error)
        }
        // In a task of its own, since the caller's is cancelled by now.
        await Task { await context.shutdown() }.value
        try result.get()
    }

    private func begin() async throws(BridgeError) {
        let line: any SerialLine
        do throws(TransportError) {
            line = try await openLine()
        } catch {
            if error.code == .cancelled { return }
            throw .line(error)
        }
        let offered: Offered
        do throws(BridgeError) {
            offered = try offer()
        } catch {
            await line.close()
            throw error
        }
        report(.ready(node: offered.node, endpoint: offered.listener?.endpoint))
        await work(line)
        offered.withdraw()
    }

    private func work(_ line: any SerialLine) async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.keepLine(line) }
            group.addTask { await self.watchRelay() }
            if let server = self.server { group.addTask { await self.watchModemLines(server) } }
        }
    }
}

/// The client's side.
extension SerialBridge {
    private struct Offered {
        var node: String?
        var link: TerminalLink?
        var loop: NetworkLoop?
        var listener: NetworkListener?

        func withdraw() {
            link?.remove()
            listener?.stop()
            loop?.stop()
        }
    }

    private func offer() throws(BridgeError) -> Offered {
        switch options.offer {
        case .terminal(let path):
            do throws(TransportError) {
                let terminal = try context.makeTerminal()
                relay.attach(client: terminal.relayEnd)
                return Offered(node: terminal.node, link: try TerminalLink(at: path, to: terminal.node))
            } catch {
                throw .terminal(error)
            }
        case .tcp(let endpoint), .rfc2217(let endpoint):
            do throws(NetworkError) {
                let loop = try NetworkLoop(named: "bridge", clock: clock)
                do throws(NetworkError) {
                    let listener = try loop.listen(on: endpoint) { self.welcome($0) }
                    return Offered(loop: loop, listener: listener)
                } catch {
                    loop.stop()
                    throw error
                }
            } catch {
                throw .network(error)
            }
        }
    }

    /// On the network's thread: a client has connected.
    private func welcome(_ socket: Int32) {
        guard door.enter() else {
            report(.clientRefused)
            return door.refuse(socket)
        }
        do throws(TransportError) {
            let pipe = try context.adopt(socket: socket)
            relay.attach(client: pipe.relayEnd, greeting: translator?.begin() ?? [])
        } catch {
            // The bridge is ending.
            door.leave()
        }
    }

    private func watchRelay() async {
        for await event in relayEvents {
            switch event {
            case .lineLost: lineLostFeed.yield()
            case .clientCame: report(.clientCame)
            case .clientLeft: report(.clientLeft)
            case .halted: await server?.carryOutRequest()
            }
        }
    }

    private func watchModemLines(_ server: ComPortServer) async {
        while !Task.isCancelled {
            await clock.sleep(until: clock.now().advanced(by: options.modemPollTime))
            if relay.hasClient { await server.tellModemState() }
        }
    }
}

/// The line's side.
extension SerialBridge {
    /// How long one try of opening may take.
    private static let openTime = Duration.seconds(10)

    private func openLine() async throws(TransportError) -> any SerialLine {
        let line = try await source.open(
            await control.settings, on: context, until: .after(Self.openTime, on: clock))
        let (asked, kept) = await control.begin(line)
        if kept != asked { report(.settingsDiffer(asked: asked, kept: kept)) }
        return line
    }

    /// Joins the line, and the next one when it has left, until the task is cancelled.
    private func keepLine(_ first: any SerialLine) async {
        var line = first
        var losses = lineLost.makeAsyncIterator()
        while true {
            let present = line
            await withTaskGroup { group in
                if !(present is SerialPort) { group.addTask { await self.feed(present) } }
                if let port = present as? SerialPort { relay.attach(line: port.relayEnd) }
                _ = await losses.next(isolation: nil)
                group.cancelAll()
            }
            await control.end()
            await line.close()
            guard !Task.isCancelled else { return }
            report(.readerLeft)
            guard let next = await nextLine() else { return }
            line = next
        }
    }

    private func feed(_ line: any SerialLine) async {
        do throws(TransportError) {
            let (near, far) = try context.makePipe()
            relay.attach(line: near.relayEnd, isAcknowledged: true)
            await LineFeed.run(line, far, clock: clock) { self.relay.acknowledge($0) }
        } catch {
            lineLostFeed.yield()
        }
    }

    /// Nil when the task is cancelled.
    private func nextLine() async -> (any SerialLine)? {
        await withTaskGroup { group in
            group.addTask {
                await self.clock.sleep(until: self.clock.now().advanced(by: self.options.holdTime))
                if !Task.isCancelled { self.relay.discardHeld() }
            }
            let line = await reopenedLine()
            group.cancelAll()
            return line
        }
    }

    private func reopenedLine() async -> (any SerialLine)? {
        var told: TransportError?
        while !Task.isCancelled {
            do throws(TransportError) {
                let line = try await openLine()
                report(.readerBack)
                let discarded = relay.takeDiscarded()
                if discarded > 0 { report(.discarded(discarded)) }
                return line
            } catch {
                if error.code != .gone, error.code != .cancelled, error != told {
                    told = error
                    report(.readerUnusable(error))
                }
            }
            await clock.sleep(until: clock.now().advanced(by: options.reopenTime))
        }
        return nil
    }
}
