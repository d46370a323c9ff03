// A store that keeps its objects in memory only, and writes down what the framework calls.

import CoreData
import Foundation
import Synchronization

/// The nodes of a `WatchedStore`.
final class WatchedNode: NSAtomicStoreCacheNode {}

final class WatchedStore: NSAtomicStore, @unchecked Sendable {  // only the coordinator calls it
    static let type = "WatchedStore"
    /// The contents that were written to stores that aren't open, by URL.
    static let written = Mutex<[URL: [String: String]]>([:])

    private(set) var calls: [String]
    private var last = 0

    static func register() {
        NSPersistentStoreCoordinator.registerStoreClass(
            WatchedStore.self, type: NSPersistentStore.StoreType(rawValue: type))
    }

    override init(
        persistentStoreCoordinator root: NSPersistentStoreCoordinator?, configurationName name: String?,
        at url: URL, options: [AnyHashable: Any]? = nil
    ) {
        calls = ["init \(url.lastPathComponent)"]
        super.init(
            persistentStoreCoordinator: root, configurationName: name, at: url, options: options)
    }

    override var type: String { Self.type }

    override class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
        written.withLock { $0[url] = metadata as? [String: String] }
    }

    override func loadMetadata() throws {
        calls.append("loadMetadata")
        try super.loadMetadata()
    }

    override func load() throws { calls.append("load") }

    override func save() throws { calls.append("save \(cacheNodes().count)") }

    override func didAdd(to coordinator: NSPersistentStoreCoordinator) {
        calls.append("didAdd \(coordinator.persistentStores.count)")
    }

    override func willRemove(from coordinator: NSPersistentStoreCoordinator?) {
        calls.append("willRemove \(coordinator?.persistentStores.count ?? 0)")
    }

    override func newReferenceObject(for managedObject: NSManagedObject) -> Any {
        last += 1
        return "w\(last)"
    }

    override func newCacheNode(for managedObject: NSManagedObject) -> NSAtomicStoreCacheNode {
        WatchedNode(objectID: managedObject.objectID)
    }

    override func updateCacheNode(_ node: NSAtomicStoreCacheNode, from managedObject: NSManagedObject) {
        super.updateCacheNode(node, from: managedObject)
        calls.append("update \(managedObject.entity.name ?? "")")
    }
}
