// The notifications of changes that observers follow.

import CoreData
import Foundation

/// Calls back, on whatever thread made it, for each change of a container's stores: saves of its contexts, those of other
/// processes and, if a context is given, that context's changes before they are saved.
final class StoreNotifications: Sendable {
    // Unchecked in effect only: tokens are never looked into, and handed back to the centre once.
    nonisolated(unsafe) private let tokens: [any NSObjectProtocol]

    init(
        _ coordinator: NSPersistentStoreCoordinator, context: NSManagedObjectContext? = nil,
        announce: @escaping @Sendable () -> Void
    ) {
        let center = NotificationCenter.default
        let known = ObjectIdentifier(coordinator)
        var tokens = [
            center.addObserver(forName: .NSManagedObjectContextDidSave, object: nil, queue: nil) { note in
                guard let saved = note.object as? NSManagedObjectContext,
                    saved.persistentStoreCoordinator.map(ObjectIdentifier.init) == known
                else { return }
                announce()
            },
            center.addObserver(forName: .NSPersistentStoreRemoteChange, object: coordinator, queue: nil) {
                _ in
                announce()
            },
        ]
        if let context {
            tokens.append(
                center.addObserver(
                    forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
                ) { _ in
                    announce()
                })
        }
        self.tokens = tokens
    }

    deinit { for token in tokens { NotificationCenter.default.removeObserver(token) } }
}
