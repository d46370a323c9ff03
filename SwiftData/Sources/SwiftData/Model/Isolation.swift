// Model classes of an actor.

/// The properties of a model class, listed by a function that may belong to an actor.
///
/// Whoever opens a container asks for them, on any thread. The list is made of key paths and initial values, and
/// reads nothing of the actor's. `@Model` calls this; nobody else has reason to.
public func _withoutIsolation<List>(_ list: List) -> [Schema.PropertyMetadata] {
    typealias Function = () -> [Schema.PropertyMetadata]
    precondition(
        MemoryLayout<List>.size == MemoryLayout<Function>.size, "@Model hands over its list of properties")
    return unsafeBitCast(list, to: Function.self)()
}
