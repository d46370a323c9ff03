import CoreData
import Foundation

/// A query over one class. Each call gives another one.
public struct Query<Root: NSManagedObject> {
    private var predicates: [NSPredicate] = []
    private var orders: [NSSortDescriptor] = []
    private var limit = 0

    public init() {}

    public func filter(_ predicate: NSPredicate) -> Query {
        var query = self
        query.predicates.append(predicate)
        return query
    }

    public func sorted<Value>(by path: KeyPath<Root, Value>, ascending: Bool = true) -> Query {
        var query = self
        query.orders.append(NSSortDescriptor(keyPath: path, ascending: ascending))
        return query
    }

    public func prefix(_ count: Int) -> Query {
        var query = self
        query.limit = count
        return query
    }

    public var request: NSFetchRequest<Root> {
        let request = NSFetchRequest<Root>(entityName: String(describing: Root.self))
        request.predicate =
            predicates.isEmpty ? nil : NSCompoundPredicate(andPredicateWithSubpredicates: predicates)
        request.sortDescriptors = orders
        request.fetchLimit = limit
        return request
    }

    public func all(_ context: NSManagedObjectContext) throws -> [Root] {
        try context.fetch(request)
    }

    public func count(_ context: NSManagedObjectContext) throws -> Int {
        try context.count(for: request)
    }

    /// A sum that the store computes.
    public func sum<Value>(_ path: KeyPath<Root, Value>, _ context: NSManagedObjectContext) throws -> Int {
        let sum = NSExpressionDescription()
        sum.name = "sum"
        sum.expression = NSExpression(forFunction: "sum:", arguments: [NSExpression(forKeyPath: path)])
        sum.expressionResultType = .integer64AttributeType
        let request = NSFetchRequest<NSDictionary>(entityName: String(describing: Root.self))
        request.predicate = self.request.predicate
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = [sum]
        return (try context.fetch(request).first?["sum"] as? Int) ?? 0
    }
}

private func key<Root, Value>(_ path: KeyPath<Root, Value>) -> String {
    guard let key = path._kvcKeyPathString else { fatalError("\(path) has no key") }
    return key
}

private func comparison<Root, Value>(
    _ path: KeyPath<Root, Value>, _ type: NSComparisonPredicate.Operator, _ value: Any?,
    _ options: NSComparisonPredicate.Options = []
) -> NSPredicate {
    NSComparisonPredicate(
        leftExpression: NSExpression(forKeyPath: key(path)),
        rightExpression: NSExpression(forConstantValue: value), modifier: .direct, type: type,
        options: options)
}

public func == <Root: NSManagedObject, Value: Equatable>(path: KeyPath<Root, Value>, value: Value)
    -> NSPredicate
{
    comparison(path, .equalTo, value)
}

public func != <Root: NSManagedObject, Value: Equatable>(path: KeyPath<Root, Value>, value: Value)
    -> NSPredicate
{
    comparison(path, .notEqualTo, value)
}

public func > <Root: NSManagedObject, Value: Comparable>(path: KeyPath<Root, Value>, value: Value)
    -> NSPredicate
{
    comparison(path, .greaterThan, value)
}

/// Text that reads alike without case and accents.
public func ~= <Root: NSManagedObject>(path: KeyPath<Root, String>, value: String) -> NSPredicate {
    comparison(path, .like, value, [.caseInsensitive, .diacriticInsensitive])
}

public func << <Root: NSManagedObject, Value>(path: KeyPath<Root, Value>, values: [Any]) -> NSPredicate {
    comparison(path, .in, values)
}

public func && (first: NSPredicate, second: NSPredicate) -> NSPredicate {
    NSCompoundPredicate(andPredicateWithSubpredicates: [first, second])
}

public func || (first: NSPredicate, second: NSPredicate) -> NSPredicate {
    NSCompoundPredicate(type: .or, subpredicates: [first, second])
}

public prefix func ! (predicate: NSPredicate) -> NSPredicate {
    NSCompoundPredicate(notPredicateWithSubpredicate: predicate)
}

extension NSPredicate {
    /// Objects of which at least a number of related ones fulfil a comparison of a key.
    public static func atLeast<Root: NSManagedObject, Value>(
        _ count: Int, of path: KeyPath<Root, Value>, where key: String, is value: String
    ) -> NSPredicate {
        let inner = NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: "$each.\(key)"),
            rightExpression: NSExpression(forConstantValue: value), modifier: .direct, type: .equalTo)
        let members = NSExpression(
            forSubquery: NSExpression(forKeyPath: path), usingIteratorVariable: "each", predicate: inner)
        return NSComparisonPredicate(
            leftExpression: NSExpression(forFunction: "count:", arguments: [members]),
            rightExpression: NSExpression(forConstantValue: count), modifier: .direct,
            type: .greaterThanOrEqualTo)
    }
}
