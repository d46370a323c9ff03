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

    /// The entity whose objects are wanted.
    open var entity: NSEntityDescription? {
        get { fields.entity }
        set { fields.entity = newValue }
    }

    /// The name of the entity whose objects are fetched.
    open var entityName: String? { fields.entityName }

    /// The predicate of the wanted objects; all for `nil`.
    ///
    /// ```swift
    /// let request = NSFetchRequest<Hero>(entityName: "Hero")
    /// request.predicate = NSPredicate(format: "name != nil AND powers.@count > 1")
    /// ```
    open var predicate: NSPredicate? {
        get { fields.predicate }
        set { fields.predicate = newValue }
    }

    /// The order, most significant first.
    ///
    /// ```swift
    /// let request = NSFetchRequest<Hero>(entityName: "Hero")
    /// request.sortDescriptors = [
    ///     NSSortDescriptor(key: "birthdate", ascending: false),
    ///     NSSortDescriptor(key: "name", ascending: true, selector: .localizedStandardCompare),
    /// ]
    /// ```
    open var sortDescriptors: [NSSortDescriptor]? {
        get { fields.sortDescriptors }
        set { fields.sortDescriptors = newValue }
    }

    /// The most objects to return; 0 means no bound.
    open var fetchLimit: Int {
        get { fields.fetchLimit }
        set { fields.fetchLimit = newValue }
    }

    /// The number of objects of the result to pass over.
    open var fetchOffset: Int {
        get { fields.fetchOffset }
        set { fields.fetchOffset = newValue }
    }

    /// The number of objects whose values to read at once; 0 means all.
    open var fetchBatchSize: Int {
        get { fields.fetchBatchSize }
        set { fields.fetchBatchSize = newValue }
    }

    /// The type of the results: objects, object IDs, dictionaries or a count.
    ///
    /// ```swift
    /// let request = NSFetchRequest<NSManagedObjectID>(entityName: "Hero")
    /// request.resultType = .managedObjectIDResultType
    /// let ids = try context.fetch(request)
    /// print(ids.count)
    /// ```
    open var resultType: NSFetchRequestResultType {
        get { fields.resultType }
        set { fields.resultType = newValue }
    }

    /// Indicates whether objects of entities that inherit are wanted too. True by default.
    open var includesSubentities: Bool {
        get { fields.includesSubentities }
        set { fields.includesSubentities = newValue }
    }

    /// Indicates whether the objects' values are read with their keys. True by default.
    open var includesPropertyValues: Bool {
        get { fields.includesPropertyValues }
        set { fields.includesPropertyValues = newValue }
    }

    /// Indicates whether unsaved changes of the context count. True by default; dictionaries never show it.
    open var includesPendingChanges: Bool {
        get { fields.includesPendingChanges }
        set { fields.includesPendingChanges = newValue }
    }

    /// Indicates whether objects come back as faults, their values in the row cache. True by default.
    open var returnsObjectsAsFaults: Bool {
        get { fields.returnsObjectsAsFaults }
        set { fields.returnsObjectsAsFaults = newValue }
    }

    /// Indicates whether equal rows are returned once. Only for dictionaries.
    open var returnsDistinctResults: Bool {
        get { fields.returnsDistinctResults }
        set { fields.returnsDistinctResults = newValue }
    }

    /// Indicates whether objects that the context has already take the values that are in the store now.
    open var shouldRefreshRefetchedObjects: Bool {
        get { fields.shouldRefreshRefetchedObjects }
        set { fields.shouldRefreshRefetchedObjects = newValue }
    }

    /// Relationships, or paths along them, whose objects are fetched along.
    ///
    /// ```swift
    /// let request = NSFetchRequest<Hero>(entityName: "Hero")
    /// request.relationshipKeyPathsForPrefetching = ["powers"]
    /// ```
    open var relationshipKeyPathsForPrefetching: [String]? {
        get { fields.relationshipKeyPathsForPrefetching }
        set { fields.relationshipKeyPathsForPrefetching = newValue }
    }

    /// The contents of the dictionaries: names, Swift key paths or descriptions of properties, and expression
    /// descriptions. Names of properties are read as their descriptions once the request has an entity.
    ///
    /// ```swift
    /// let request = NSFetchRequest<NSDictionary>(entityName: "Hero")
    /// request.resultType = .dictionaryResultType
    /// request.propertiesToFetch = ["name", "birthdate"]
    /// print(try context.fetch(request))
    /// ```
    open var propertiesToFetch: [Any]? {
        get { described(fields.propertiesToFetch) }
        set { fields.propertiesToFetch = newValue }
    }

    /// The properties whose equal values make one dictionary. Names are read as descriptions once the request has an
    /// entity.
    open var propertiesToGroupBy: [Any]? {
        get { described(fields.propertiesToGroupBy) }
        set { fields.propertiesToGroupBy = newValue }
    }

    private func described(_ properties: [Any]?) -> [Any]? {
        guard let entity = fields.entity else { return properties }
        return properties?.map { property in
            (property as? String).flatMap { entity.propertiesByName[$0] } ?? property
        }
    }

    /// The predicate of the wanted groups.
    open var havingPredicate: NSPredicate? {
        get { fields.havingPredicate }
        set { fields.havingPredicate = newValue }
    }

    /// Executes the request in the context of the block that runs, on that context's queue.
    ///
    /// - Returns: what `NSManagedObjectContext.fetch(_:)` returns.
    /// - Throws: what `NSManagedObjectContext.fetch(_:)` throws; `NSPersistentStoreOperationError` outside a
    ///   context's block.
    open func execute() throws -> [ResultType] { try executeHere() }

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

    open override var description: String { "<NSFetchRequest: \(placeInMemory)> (\(fields.text))" }

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
