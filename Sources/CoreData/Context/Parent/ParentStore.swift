// A store as a child context sees it: through its parent.

import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Foundation

/// Stands in a child for one store of the coordinator: its rows are those that the parent sees (`ParentRows`). The parent
/// asks the level below it in the same way, so that any depth works.
///
/// Unchecked because only the child, on its queue, asks it; what it holds never changes.
final class ParentStore: NSPersistentStore, @unchecked Sendable {
    private let rows: ParentRows
    private var real: NSPersistentStore { rows.real }

    init(_ real: NSPersistentStore, parent: NSManagedObjectContext, child: NSManagedObjectContext) {
        rows = ParentRows(real, parent: parent, child: child)
        super.init(
            persistentStoreCoordinator: real.persistentStoreCoordinator,
            configurationName: real.configurationName,
            at: real.url ?? URL(fileURLWithPath: "/dev/null"), options: real.options)
    }

    override init(
        persistentStoreCoordinator root: NSPersistentStoreCoordinator?, configurationName name: String?,
        at url: URL, options: [AnyHashable: Any]? = nil
    ) {
        raise(.invalidArgument, "a child context makes what stands for its parent's stores")
    }

    // MARK: As the real store

    override var underlying: NSPersistentStore { real }
    override var url: URL? {
        get { real.url }
        set { real.url = newValue }
    }
    override var identifier: String! {  // as in the superclass
        get { real.identifier }
        set { real.identifier = newValue }
    }
    override var type: String { real.type }
    override var isReadOnly: Bool {
        get { real.isReadOnly }
        set { real.isReadOnly = newValue }
    }
    override var metadata: [String: Any]! {  // as in the superclass
        get { real.metadata }
        set { real.metadata = newValue }
    }
    override var deliversFaults: Bool { real.deliversFaults }

    override func origin(of entity: EntityRuntime) -> IDOrigin { real.origin(of: entity) }

    override func reference(_ primaryKey: Int64, entity: EntityRuntime) -> Any? {
        real.reference(primaryKey, entity: entity)
    }

    override func objectID(forReferenceText text: String, entity: EntityRuntime) -> NSManagedObjectID? {
        real.objectID(forReferenceText: text, entity: entity)
    }

    // MARK: From the parent's view

    override func source() throws -> any RowSource { rows }

    override func allocateKeys(
        root: EntityRuntime, count: Int, for objects: () -> [NSManagedObject]
    ) throws -> [Int64] {
        try rows.ask { view in
            try view.context.withStores {
                try view.store.allocateKeys(root: root, count: count, for: objects)
            }
        }
    }
}
