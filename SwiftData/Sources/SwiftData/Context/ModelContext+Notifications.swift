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
        let inserted: [NSManagedObject]
        let updated: [NSManagedObject]
        let deleted: [PersistentIdentifier]

        init(_ context: ManagedContext) {
            let unsaved = context.unsaved
            (inserted, updated) = (unsaved.inserted, unsaved.updated)
            deleted = unsaved.deleted.map { PersistentIdentifier($0.objectID) }
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
