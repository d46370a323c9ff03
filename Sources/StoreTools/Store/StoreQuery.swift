// A query that a person typed: predicate, order, columns.

public import CoreData

/// The objects to fetch and the columns to show of them.
public struct StoreQuery {
    /// The entity of the objects.
    public let entity: NSEntityDescription
    /// The columns to show.
    public var columns: [KeyPathColumn]
    private var predicate: NSPredicate?
    private let sort: [NSSortDescriptor]
    /// The greatest number of objects; 0 for all.
    public var limit = 0
    /// The number of objects that are left out first.
    public var offset = 0
    /// Indicates whether objects of entities that inherit from this one are among them.
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
            try sort.map { try Self.descriptor($0, entity: entity) } + [
                NSSortDescriptor(key: "objectID", ascending: true)
            ]
    }

    private static func descriptor(_ text: String, entity: NSEntityDescription) throws -> NSSortDescriptor {
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

extension StoreQuery {
    /// Leaves out what a fetch request template of the model doesn't find.
    ///
    /// - Parameters:
    ///   - name: the template's name.
    ///   - variables: a `NAME=VALUE` for each of its variables, the value a constant as predicates write it or a date.
    /// - Throws: `ToolFailure` for a template that the model doesn't have or that is of another entity, and for what is
    ///   no variable with a value; `NSCoreDataError` if a variable has none.
    public mutating func restrict(toTemplate name: String, variables: [String]) throws {
        let model = entity.managedObjectModel
        guard let template = model.fetchRequestTemplate(forName: name) else {
            let names = model.fetchRequestTemplatesByName.keys.sorted().joined(separator: ", ")
            let others = names.isEmpty ? "" : "; it has \(names)"
            throw ToolFailure("The model has no fetch request template \"\(name)\"\(others).")
        }
        guard let own = template.entityName.flatMap({ model.entitiesByName[$0] }),
            entity.isKindOf(entity: own)
        else {
            throw ToolFailure("The template \"\(name)\" is of \(template.entityName ?? "no entity").")
        }
        let values = Dictionary(try variables.map(Self.variable)) { _, last in last }
        let filled = try model.fetchRequestFromTemplate(checkingName: name, substitutionVariables: values)
        let parts = [predicate, filled.predicate].compactMap(\.self)
        predicate = parts.count == 2 ? NSCompoundPredicate(andPredicateWithSubpredicates: parts) : parts.first
    }

    private static func variable(_ text: String) throws -> (String, Any) {
        let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
            String.init)
        guard sides.count == 2, !sides[0].isEmpty, let value = constant(sides[1]) else {
            throw ToolFailure(
                "\"\(text)\" is no variable with a value: write NAME=5, 'NAME=\"Ada\"' or NAME=2024-05-01.")
        }
        return (sides[0], value)
    }

    private static func constant(_ text: String) -> Any? {
        if let parsed = try? NSPredicate(parsing: "SELF == \(text)") as? NSComparisonPredicate,
            parsed.rightExpression.expressionType == .constantValue
        {
            return parsed.rightExpression.constantValue ?? NSNull()
        }
        return Timestamp.date(from: text.trimmingCharacters(in: .whitespaces))
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
        let readsOthers = query.columns.contains(where: \.readsRelationship)
        for position in results.indices {
            try results.load(at: position)
            let object = results[position]
            let values = query.columns.map { $0.value(of: object) }
            // A value that couldn't be read isn't printed as nil.
            if let error = context.readError { throw error }
            try printer.print(values)
            // Objects that know each other would keep each other.
            if readsOthers { context.refresh(object, mergeChanges: false) }
            progress?.step()
        }
        progress?.finish()
    }
}
