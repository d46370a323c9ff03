import CoreData

public protocol Repository {
    associatedtype Item
    func get(predicate: NSPredicate?, sortDescriptors: [NSSortDescriptor]?) -> Result<[Item], Error>
    func create() -> Result<Item, Error>
    func delete(_ item: Item) -> Result<Bool, Error>
}

public enum RepositoryError: Error {
    case invalidType
}

/// A repository over any class of objects.
public class CoreDataRepository<T: NSManagedObject>: Repository {
    public typealias Item = T
    private let context: NSManagedObjectContext

    public init(context: NSManagedObjectContext) { self.context = context }

    public func get(predicate: NSPredicate?, sortDescriptors: [NSSortDescriptor]?) -> Result<[T], Error> {
        let request = Item.fetchRequest()
        request.predicate = predicate
        request.sortDescriptors = sortDescriptors
        do {
            if let results = try context.fetch(request) as? [Item] { return .success(results) }
            return .failure(RepositoryError.invalidType)
        } catch {
            return .failure(error)
        }
    }

    public func create() -> Result<T, Error> {
        let name = String(describing: Item.self)
        guard let object = NSEntityDescription.insertNewObject(forEntityName: name, into: context) as? Item
        else { return .failure(RepositoryError.invalidType) }
        return .success(object)
    }

    public func delete(_ item: T) -> Result<Bool, Error> {
        context.delete(item)
        return .success(true)
    }

    /// Numbers of a dictionary fetch: the greatest value of an attribute for each value of another.
    public func maximum(of key: String, by group: String) throws -> [String: Int] {
        let maximum = NSExpressionDescription()
        maximum.name = "maximum"
        maximum.expression = NSExpression(forFunction: "max:", arguments: [NSExpression(forKeyPath: key)])
        maximum.expressionResultType = .integer64AttributeType
        let request = NSFetchRequest<NSDictionary>(entityName: T.entity().name!)
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = [group, maximum]
        request.propertiesToGroupBy = [group]
        return try context.fetch(request).reduce(into: [:]) { result, row in
            if let name = row[group] as? String { result[name] = row["maximum"] as? Int }
        }
    }
}

/// The same with async functions.
public actor AsyncRepository<T: NSManagedObject & Managed> {
    private let context: NSManagedObjectContext

    public init(container: NSPersistentContainer) { context = container.newBackgroundContext() }

    public func ids(matching predicate: NSPredicate) async throws -> [NSManagedObjectID] {
        try await context.perform { [context] in
            try context.fetch(T.sortedRequest(with: predicate)).map(\.objectID)
        }
    }

    public func update(_ id: NSManagedObjectID, _ change: @escaping @Sendable (T) -> Void) async throws {
        try await context.perform { [context] in
            guard let object = try context.existingObject(with: id) as? T else {
                throw RepositoryError.invalidType
            }
            change(object)
            try context.save()
        }
    }
}
