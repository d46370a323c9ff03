// Temporary identifiers that clients took of models that were saved afterwards.

import CoreData

/// The identifiers that models have since their first save, by the temporary ones that clients hold.
///
/// A context may be used for as long as its program runs, so one that nobody holds any more is forgotten.
struct SavedIdentifiers {
    private struct Entry {
        weak var temporary: NSManagedObjectID?
        let saved: NSManagedObjectID
    }

    /// By the addresses of the temporary identifiers: an object makes its own once, and all who ask get that one.
    private var entries: [ObjectIdentifier: Entry] = [:]
    /// The number of entries at which the next search for forgotten ones is due.
    private var limit = 64

    init() {}

    /// The number of entries, those of identifiers that nobody holds any more among them until they are searched for.
    var count: Int { entries.count }

    /// The identifier that a model has now.
    subscript(temporary: NSManagedObjectID) -> NSManagedObjectID? {
        guard let entry = entries[ObjectIdentifier(temporary)], entry.temporary === temporary else {
            return nil
        }
        return entry.saved
    }

    /// Has a temporary identifier lead to the one that its model got.
    ///
    /// - Parameters:
    ///   - saved: the identifier of the saved model.
    ///   - temporary: the one that it had before.
    mutating func note(_ saved: NSManagedObjectID, for temporary: NSManagedObjectID) {
        entries[ObjectIdentifier(temporary)] = Entry(temporary: temporary, saved: saved)
        guard entries.count > limit else { return }
        entries = entries.filter { $0.value.temporary != nil }
        limit = max(64, entries.count * 2)
    }
}
