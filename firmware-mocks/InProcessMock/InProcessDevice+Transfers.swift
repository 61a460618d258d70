import FirmwareCores
import Transport

extension InProcessDevice {
    /// Whether the device is still, or again, on the bus in the same stay.
    func isPresent(_ stay: Int) -> Bool {
        let now = coreTime()
        return withState { state in
            state.device.advance(to: now)
            return state.device.isPlugged && state.stay == stay
        }
    }

    /// Counts a transfer and asks the observer about it. Answers its number and the bytes that will travel.
    func announce(_ kind: TransferNote.Kind, _ bytes: [UInt8]) -> (number: Int, bytes: [UInt8]) {
        let (number, observer) = withState { state in
            state.counts[kind, default: 0] += 1
            return (state.counts[kind, default: 0], state.observer)
        }
        let note = TransferNote(kind: kind, moment: .submitted, number: number, bytes: bytes)
        return (number, judge(note, by: observer))
    }

    /// Tells the observer what a transfer brought. Answers the bytes that the host gets to see.
    func report(_ kind: TransferNote.Kind, _ number: Int, _ bytes: [UInt8]) -> [UInt8] {
        let observer = withState { $0.observer }
        return judge(TransferNote(kind: kind, moment: .done, number: number, bytes: bytes), by: observer)
    }

    private func judge(_ note: TransferNote, by observer: Observer?) -> [UInt8] {
        switch observer?(note) {
        case nil, .pass: return note.bytes
        case .replace(let other): return other
        case .steer(let command):
            _ = steer(command)
            return note.bytes
        }
    }

    /// Numbers a transfer and hands it to the device. Nil when `begin` refuses it.
    func submit(
        begin: (UInt64) -> Bool, _ body: (PluggedDevice, UInt64, Duration) -> Void
    ) -> UInt64? {
        let now = coreTime()
        return withState { state in
            let id = state.nextID
            state.nextID &+= 1
            guard begin(id) else { return nil }
            body(state.device, id, now)
            return id
        }
    }

    func takeResult(_ id: UInt64) -> Ending? {
        withState { $0.results.removeValue(forKey: id) }
    }

    /// Takes the transfers of a closing transport out of the device. Those that have completed stay as they are.
    func withdraw(_ transfers: () -> Set<UInt64>) {
        wakeAll { state in
            for id in transfers() {
                guard let partial = state.device.takeBack(id) else { continue }
                state.results[id] = .closed(partial)
            }
        }
    }

    /// The bytes that had arrived for a transfer that is now withdrawn; nil when it has completed.
    func takeBack(_ id: UInt64) -> [UInt8]? {
        withState { $0.device.takeBack(id) }
    }
}
