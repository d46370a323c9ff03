// A fetch request.

import CoreDataSupport
public import Foundation

/// A description of the objects to fetch, their order and their number.
///
/// ```swift
/// let request = NSFetchRequest<Hero>(entityName: "Hero")
/// request.predicate = NSPredicate(format: "ANY powers.name == %@", "flight")
/// request.sortDescriptors = [NSSortDescriptor(keyPath: \Hero.name, ascending: true)]
/// request.fetchLimit = 20
/// let heroes = try context.fetch(request)
/// print(heroes.count)
/// ```
open class NSFetchRequest<ResultType: NSFetchRequestResult>: NSPersistentStoreRequest, NSCoding {
    /// Everything that the request says.
    final var fields: FetchRequestFields {
        get { storage.fields }
        _modify {
            assertMutable()
            yield &storage.fields
        }
    }
    /// The storage of the settings, for this request and for those that return something else.
    private let storage: FetchRequestStorage

    open override var requestType: NSPersistentStoreRequestType { .fetchRequestType }

    /// A request that says nothing yet; it needs an entity.
    public override init() {
        FoundationRepairs.make()
        storage = FetchRequestStorage(FetchRequestFields())
        super.init()
        _ = ArchivedFetchRequest.isRegistered
    }

    /// A request for the entity of that name in the model of whichever context executes it.
    public convenience init(entityName: String) {
        self.init()
        fields.name = entityName
    }

    /// A request that says what another says, whatever that one returns.
    init(fields: FetchRequestFields) {
        storage = FetchRequestStorage(fields)
        super.init()
    }

    /// A request that is the same as another but for what it returns.
    init(sharing storage: FetchRequestStorage) {
        self.storage = storage
        super.init()
    }

    /// Reads an archived request. It knows its entity by name.
    public required init?(coder: NSCoder) {
        guard let fields = FetchRequestFields(coder: coder) else { return nil }
        storage = FetchRequestStorage(fields)
        super.init()
    }

    /// Archives the request. Unarchived, it is a `NSFetchRequest<any NSFetchRequestResult>`, which
    /// `returning(_:)` turns into one of another type.
    open func encode(with coder: NSCoder) {
        fields.encode(with: coder)
    }

    open override var classForCoder: AnyClass {
        _ = ArchivedFetchRequest.isRegistered
        return ArchivedFetchRequest.self
    }

    /// Returns a copy that can be changed, even of a model's template.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = Self.makeByMetatype()
        copy.fields = fields
        copy.affectedStores = affectedStores
        return copy
    }

    /// Makes the request unchangeable, as part of a model in use.
    final func freeze() {
        storage.isFrozen = true
    }

    /// The storage that a request with other results shares; of one that can't be changed a copy that can.
    final var sharedStorage: FetchRequestStorage {
        storage.isFrozen ? FetchRequestStorage(fields) : storage
    }

    private func assertMutable() {
        if storage.isFrozen {
            raise(.internalInconsistency, "Can't modify a named fetch request in an immutable model.")
        }
    }
}

extension NSFetchRequest: FetchRequestWithFields {}
