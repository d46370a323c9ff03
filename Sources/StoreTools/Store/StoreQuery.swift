// A query that a person typed: predicate, order, columns.

public import CoreData

/// What to fetch and what to show of it.
public struct StoreQuery {
    /// The entity of the objects.
    public let entity: NSEntityDescription
    /// The columns to show.
    public var columns: [KeyPathColumn]
    private let predicate: NSPredicate?
    private let sort: [NSSortDescriptor]
    /// How many objects at most; 0 for all.
    public var limit = 0
    /// How many objects are left out first.
    public var offset = 0
    /// Whether objects of entities that inherit from this one are among them.
    public var includesSubentities = true

    /// A query for objects of an entity.
    ///
    /// - Parameters:
    ///   - entity: the entity.
    ///   - predicate: the predicate's format; nil for all objects.
    ///   - sort: key paths, those that descend with a `-` before them.
    ///   - select: key paths to show; the standard columns if there are none.
    ///   - withToMany: whether to-many relationships are among the standard columns.
    /// - Throws: `PredicateFormatError` for a predicate that can't be read, `ToolFailure` for what the model
    ///   doesn't have.
    public init(
        _ entity: NSEntityDescription, predicate: String? = nil, sort: [String] = [], select: [String] = [],
        withToMany: Bool = false
    ) throws {
        self.entity = entity
        self.predicate = try predicate.map { try NSPredicate(parsing: $0) }
        columns =
            try select.isEmpty
            ? KeyPathColumn.standard(for: entity, withToMany: withToMany)
            : select.map { try KeyPathColumn($0, of: entity) }
        // The last key makes the order definite.
        self.sort =
            try sort.map { try Self.descriptor($0, entity) } + [
                NSSortDescriptor(key: "objectID", ascending: true)
            ]
    }

    private static func descriptor(_ text: String, _ entity: NSEntityDescription) throws -> NSSortDescriptor {
        let descends = text.hasPrefix("-")
        let key = descends || text.hasPrefix("+") ? String(text.dropFirst()) : text
        _ = try KeyPathColumn(key, of: entity)
        let path = key == "id" && entity.propertiesByName["id"] == nil ? "objectID" : key
        return NSSortDescriptor(key: path, ascending: !descends)
    }

    /// The query as a fetch request.
    public var request: NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>()
        request.entity = entity
        request.predicate = predicate
        request.sortDescriptors = sort
        request.fetchLimit = limit
        request.fetchOffset = offset
        request.includesSubentities = includesSubentities
        request.relationshipKeyPathsForPrefetching = columns.compactMap(\.relationshipPath)
        return request
    }
}

extension OpenStore {
    /// Prints the rows of a query, batch by batch, so that memory stays flat.
    ///
    /// - Parameters:
    ///   - query: the query.
    ///   - printer: prints the rows.
    ///   - progress: the label of a line of progress; nil for none.
    /// - Throws: the errors of fetching and of writing.
    public func print(_ query: StoreQuery, to printer: inout any RowPrinter, progress: String? = nil) throws {
        let results = try context.fetchBatched(query.request)
        let progress = progress.map { Progress($0, total: results.count) }
        for position in results.indices {
            try results.load(at: position)
            let object = results[position]
            let values = query.columns.map { $0.value(of: object) }
            // What couldn't be read isn't printed as nil.
            if let error = context.readError { throw error }
            try printer.print(values)
            // Objects that know each other would keep each other.
            context.refresh(object, mergeChanges: false)
            progress?.step()
        }
        progress?.finish()
    }
}
