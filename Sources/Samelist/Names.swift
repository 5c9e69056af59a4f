public import ListModel
public import ListReplica

/// The identity of an element: 1-64 bytes of printable ASCII without spaces, used once in a list
/// for ever.
public typealias ElementID = ListModel.ElementID
/// The fields of an element: names to values, in name order.
public typealias Fields = ListModel.Fields
/// The name of a field.
public typealias FieldName = ListModel.FieldName
/// The JSON value of a field.
public typealias Value = ListModel.Value
/// The name under which a person or a program works.
public typealias UserName = ListModel.UserName
/// The number of an entry in a list's log: 1, 2, 3 …
public typealias Version = ListModel.Version
/// What an editor does with remote changes, and with what is typed into it.
public typealias EditorPolicy = ListReplica.EditorPolicy
