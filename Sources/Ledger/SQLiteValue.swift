/// A value to bind to a parameter. Text and integers are all that the schema knows.
enum SQLiteValue: Sendable {
    case text(String?)
    case integer(Int64?)
}
