// The settings of a fetch request.

import CoreDataSupport
public import Foundation

extension NSFetchRequest {
    /// The entity whose objects are wanted.
    public var entity: NSEntityDescription? {
        get { fields.entity }
        set { fields.entity = newValue }
    }

    /// The name of the entity whose objects are fetched.
    public var entityName: String? { fields.entityName }

    /// The predicate of the wanted objects; all for `nil`.
    ///
    /// ```swift
    /// let request = NSFetchRequest<Hero>(entityName: "Hero")
    /// request.predicate = NSPredicate(format: "name != nil AND powers.@count > 1")
    /// ```
    public var predicate: NSPredicate? {
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
    public var sortDescriptors: [NSSortDescriptor]? {
        get { fields.sortDescriptors }
        set { fields.sortDescriptors = newValue }
    }

    /// The most objects to return; 0 means no bound.
    public var fetchLimit: Int {
        get { fields.fetchLimit }
        set { fields.fetchLimit = newValue }
    }

    /// The number of objects of the result to pass over.
    public var fetchOffset: Int {
        get { fields.fetchOffset }
        set { fields.fetchOffset = newValue }
    }

    /// The number of objects whose values to read at once; 0 means all.
    public var fetchBatchSize: Int {
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
    public var resultType: NSFetchRequestResultType {
        get { fields.resultType }
        set { fields.resultType = newValue }
    }

    /// Indicates whether objects of entities that inherit are wanted too. True by default.
    public var includesSubentities: Bool {
        get { fields.includesSubentities }
        set { fields.includesSubentities = newValue }
    }

    /// Indicates whether the objects' values are read with their keys. True by default.
    public var includesPropertyValues: Bool {
        get { fields.includesPropertyValues }
        set { fields.includesPropertyValues = newValue }
    }

    /// Indicates whether unsaved changes of the context count. True by default; dictionaries never show it.
    public var includesPendingChanges: Bool {
        get { fields.includesPendingChanges }
        set { fields.includesPendingChanges = newValue }
    }

    /// Indicates whether objects come back as faults, their values in the row cache. True by default.
    public var returnsObjectsAsFaults: Bool {
        get { fields.returnsObjectsAsFaults }
        set { fields.returnsObjectsAsFaults = newValue }
    }

    /// Indicates whether equal rows are returned once. Only for dictionaries.
    public var returnsDistinctResults: Bool {
        get { fields.returnsDistinctResults }
        set { fields.returnsDistinctResults = newValue }
    }

    /// Indicates whether objects that the context has already take the values that are in the store now.
    public var shouldRefreshRefetchedObjects: Bool {
        get { fields.shouldRefreshRefetchedObjects }
        set { fields.shouldRefreshRefetchedObjects = newValue }
    }

    /// Relationships, or paths along them, whose objects are fetched along.
    ///
    /// ```swift
    /// let request = NSFetchRequest<Hero>(entityName: "Hero")
    /// request.relationshipKeyPathsForPrefetching = ["powers"]
    /// ```
    public var relationshipKeyPathsForPrefetching: [String]? {
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
    public var propertiesToFetch: [Any]? {
        get { described(fields.propertiesToFetch) }
        set { fields.propertiesToFetch = newValue }
    }

    /// The properties whose equal values make one dictionary. Names are read as descriptions once the request has an
    /// entity.
    public var propertiesToGroupBy: [Any]? {
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
    public var havingPredicate: NSPredicate? {
        get { fields.havingPredicate }
        set { fields.havingPredicate = newValue }
    }
}

extension NSPersistentStoreRequest {
    /// Returns the same fetch request with results of another type.
    ///
    /// On Apple's systems the cast `request as! NSFetchRequest<Person>` does this; here a generic class can't be cast to another.
    /// Changes of one request change both, but for `affectedStores`; of a model's template it is a copy. A request that is no fetch
    /// request raises: `fetchRequest(_:returning:)` gives nil.
    public func returning<Other: NSFetchRequestResult>(
        _ type: Other.Type = Other.self
    ) -> NSFetchRequest<Other> {
        guard let other = self as? any FetchRequestWithFields else {
            raise(.invalidArgument, "\(Swift.type(of: self)) is no fetch request")
        }
        let request = NSFetchRequest<Other>(sharing: other.sharedStorage)
        request.affectedStores = affectedStores
        return request
    }

    /// Returns a value as a fetch request with results of a type; nil if it is no fetch request.
    ///
    /// On Apple's systems `value as? NSFetchRequest<Person>` says this. Here that cast fails for requests
    /// that were made with another type. A request of that type is returned itself, another as
    /// `returning(_:)` gives it.
    ///
    /// - Parameters:
    ///   - value: the value, such as an element of an archive.
    ///   - type: the type of the results.
    public static func fetchRequest<Result: NSFetchRequestResult>(
        _ value: Any?, returning type: Result.Type
    ) -> NSFetchRequest<Result>? {
        if let request = value as? NSFetchRequest<Result> { return request }
        guard let other = value as? any FetchRequestWithFields else { return nil }
        let request = NSFetchRequest<Result>(sharing: other.sharedStorage)
        request.affectedStores = other.affectedStores
        return request
    }
}
