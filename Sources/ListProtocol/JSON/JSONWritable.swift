/// What can be written as one JSON value.
protocol JSONWritable {
    func write(to writer: inout JSONWriter)
}

extension JSONWriter {
    mutating func member(_ name: StaticString, _ value: some JSONWritable) {
        key(name)
        value.write(to: &self)
    }

    /// Left out where it is nil.
    mutating func member(_ name: StaticString, ifPresent value: (some JSONWritable)?) {
        if let value { member(name, value) }
    }

    /// Left out where it is empty.
    mutating func member(_ name: StaticString, unlessEmpty values: [some JSONWritable]) {
        if !values.isEmpty { member(name, values) }
    }

    /// Left out where it is false.
    mutating func flag(_ name: StaticString, _ flag: Bool) {
        if flag { member(name, flag) }
    }
}

extension Array: JSONWritable where Element: JSONWritable {
    func write(to writer: inout JSONWriter) {
        writer.array { for value in self { value.write(to: &$0) } }
    }
}

extension String: JSONWritable {
    func write(to writer: inout JSONWriter) { writer.text(self) }
}

extension Bool: JSONWritable {
    func write(to writer: inout JSONWriter) { writer.bool(self) }
}

extension Int64: JSONWritable {
    func write(to writer: inout JSONWriter) { writer.int(self) }
}

extension Int: JSONWritable {
    func write(to writer: inout JSONWriter) { writer.int(Int64(self)) }
}

extension UInt64: JSONWritable {
    func write(to writer: inout JSONWriter) { writer.int(self) }
}
