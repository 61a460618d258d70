/// The mock device left its bus or came back.
public enum PlugEvent: Sendable, Hashable {
    case unplugged, plugged
}
