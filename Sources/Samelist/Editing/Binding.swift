/// A value that stands elsewhere, to be read and written in place: what a row or a field of a form
/// is given.
///
/// ```swift
/// let todo = try todos.binding(for: id)
/// TextField(text: todo.title)
/// ```
///
/// One from a list looks its element up by ID at every read and write, so that it never means
/// another row. Once the element is gone it reads as it was last, and a write is refused: the
/// list's `lastError` says so, and whoever asked `onRefusal` is told.
@MainActor
@propertyWrapper
@dynamicMemberLookup
public struct Binding<Value> {
    private let read: () -> Value
    private let write: (Value) throws(ListError) -> Void
    private var report: (ListError) -> Void = { _ in }

    /// A binding on what two closures read and write.
    public init(
        get: @escaping @MainActor () -> Value,
        set: @escaping @MainActor (Value) throws(ListError) -> Void
    ) {
        read = get
        write = set
    }

    /// The same binding.
    public init(projectedValue: Binding<Value>) { self = projectedValue }

    /// A value that takes no writes, for previews.
    public static func constant(_ value: Value) -> Binding<Value> {
        Binding(get: { value }, set: { _ in })
    }

    /// A value of its own that takes writes, for previews and tests.
    public static func mock(_ value: Value) -> Binding<Value> {
        var value = value
        return Binding(get: { value }, set: { value = $0 })
    }

    /// The value, read and written where it stands.
    public var wrappedValue: Value {
        get { read() }
        nonmutating set {
            do throws(ListError) { try write(newValue) } catch { report(error) }
        }
    }

    /// Itself: `$todo.title` of a property `@Binding var todo` binds the title.
    public var projectedValue: Binding<Value> { self }

    /// A binding on a part of the value.
    public subscript<Member>(dynamicMember path: WritableKeyPath<Value, Member>) -> Binding<Member>
    {
        var member = Binding<Member>(
            get: { wrappedValue[keyPath: path] },
            set: { (member) throws(ListError) in
                var value = wrappedValue
                value[keyPath: path] = member
                try write(value)
            })
        member.report = report
        return member
    }

    /// The same binding, with somebody who is told of the writes that are refused.
    public func onRefusal(_ tell: @escaping @MainActor (ListError) -> Void) -> Binding<Value> {
        var binding = self
        let before = report
        binding.report = { error in
            before(error)
            tell(error)
        }
        return binding
    }
}
