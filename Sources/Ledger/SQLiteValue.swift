/// A value to bind to a parameter. Text, integers and bytes are all that the schema knows.
enum SQLiteValue: Sendable {
    case text(String?)
    case integer(Int64?)
    case bytes([UInt8])
}
