// Notifications of saves.

@_spi(SwiftData) import CoreData
public import Foundation

extension ModelContext {
    /// Posted by a context before it saves.
    public static let willSave = Notification.Name("SwiftData.ModelContext.willSave")
    /// Posted by a context after it saved, with the identifiers of what it saved.
    public static let didSave = Notification.Name("SwiftData.ModelContext.didSave")

    /// The keys of a notification's user info.
    public enum NotificationKey: String, CaseIterable, Sendable {
        /// The state of the stores that the context sees.
        case queryGeneration
        /// Set where everything may have changed.
        case invalidatedAllIdentifiers
        /// An array of the identifiers of inserted models.
        case insertedIdentifiers
        /// An array of the identifiers of updated models.
        case updatedIdentifiers
        /// An array of the identifiers of deleted models.
        case deletedIdentifiers
        /// The places of the stores' histories after the save.
        case historyTokens
    }

    func post(_ name: Notification.Name, _ info: [NotificationKey: Any] = [:]) {
        NotificationCenter.default.post(
            name: name, object: self,
            userInfo: Dictionary(uniqueKeysWithValues: info.map { (AnyHashable($0.key.rawValue), $0.value) }))
    }

    /// The objects of a save, whose identifiers are known once it is done.
    struct SavedObjects {
        private(set) var inserted: [NSManagedObject]
        private(set) var updated: [NSManagedObject]
        let deleted: [PersistentIdentifier]

        init(_ context: ManagedContext) {
            let unsaved = context.unsaved
            (inserted, updated) = (unsaved.inserted, unsaved.updated)
            deleted = unsaved.deleted.map { PersistentIdentifier($0.objectID) }
        }

        /// Leaves out new objects that others are there instead of, which the save updated.
        mutating func replace(_ replaced: [(old: _ModelObject, new: _ModelObject)]) {
            if replaced.isEmpty { return }
            let gone = Set(replaced.map { ObjectIdentifier($0.old) })
            inserted.removeAll { gone.contains(ObjectIdentifier($0)) }
            var known = Set((inserted + updated).map { ObjectIdentifier($0) }).union(gone)
            for (_, object) in replaced where known.insert(ObjectIdentifier(object)).inserted {
                updated.append(object)
            }
        }

        var info: [NotificationKey: Any] {
            [
                .insertedIdentifiers: inserted.map { PersistentIdentifier($0.objectID) },
                .updatedIdentifiers: updated.map { PersistentIdentifier($0.objectID) },
                .deletedIdentifiers: deleted,
            ]
        }
    }
}
