import Transport

/// A request as one line: type, request, value, index, then the data or "<" and how many bytes are asked for.
func text(_ request: ControlRequest) -> String {
    func hex(_ value: some BinaryInteger, _ digits: Int) -> String {
        let text = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
    var line =
        "\(hex(request.requestType, 2)) \(hex(request.request, 2)) \(hex(request.value, 4)) \(hex(request.index, 4))"
    if request.isDeviceToHost { line += " <\(request.expectedLength)" }
    if !request.data.isEmpty { line += " " + request.data.map { hex($0, 2) }.joined() }
    return line
}

func text(_ requests: [ControlRequest]) -> [String] { requests.map { text($0) } }

/// 8N1 at a usual speed unless said otherwise.
func settings(
    _ speed: UInt32, _ bits: SerialSettings.DataBits = .eight, _ parity: SerialSettings.Parity = .none,
    _ stop: SerialSettings.StopBits = .one, flow: SerialSettings.FlowControl = .none
) -> SerialSettings {
    SerialSettings(baud: BaudRate(speed) ?? .b9600, dataBits: bits, parity: parity, stopBits: stop, flow: flow)
}
