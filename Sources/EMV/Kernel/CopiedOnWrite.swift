/// A large value that copies share until one of them is changed, so that a copy costs one reference.
@propertyWrapper
struct CopiedOnWrite<Value> {
    /// Always one element: an array shares and copies just so.
    private var storage: [Value]

    init(wrappedValue: Value) {
        storage = [wrappedValue]
    }

    var wrappedValue: Value {
        _read { yield storage[0] }
        _modify { yield &storage[0] }
    }
}

extension CopiedOnWrite: Sendable where Value: Sendable {}
