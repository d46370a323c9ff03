// Objects that left a context, deleted or rolled back, with what they were related to.

/// Objects that left a context and may hold each other.
///
/// Whoever has one can look at its relationships until the context saves, rolls back or resets the next time, or goes. Then
/// each lets go of the others: a cycle of them would stay for ever, and their store with it.
struct DepartedObjects {
    private struct Departed {
        weak var object: NSManagedObject?
    }

    private var objects: [Departed] = []

    var isEmpty: Bool { objects.isEmpty }

    mutating func note(_ object: NSManagedObject) {
        guard let extras = object.extras, extras.relations.contains(where: { $0 != nil }) else { return }
        objects.append(Departed(object: object))
    }

    /// Ends the relationships of those that didn't come back.
    func letGo() {
        for departed in objects {
            guard let object = departed.object, object.state.isGone else { continue }
            object.extras?.forgetRelations()
        }
    }
}
