// Fetch descriptors as requests of Core Data.

@_spi(SwiftData) import CoreData
import Foundation

extension FetchDescriptor {
    /// The request for the models' objects.
    ///
    /// - Throws: `SwiftDataError.unsupportedPredicate`, `unsupportedSortDescriptor`, `unsupportedKeyPath`.
    func request<Result: NSFetchRequestResult>(
        _ entity: NSEntityDescription, as: Result.Type
    ) throws -> NSFetchRequest<Result> {
        let request = NSFetchRequest<Result>()
        request.entity = entity
        request.predicate = try Self.translated(predicate, over: entity)
        request.sortDescriptors = try sortBy.map(Self.translated)
        request.fetchLimit = max(0, fetchLimit ?? 0)
        request.fetchOffset = max(0, fetchOffset ?? 0)
        request.includesPendingChanges = includePendingChanges
        if !relationshipKeyPathsForPrefetching.isEmpty {
            request.relationshipKeyPathsForPrefetching = try relationshipKeyPathsForPrefetching.map(Self.name)
        }
        return request
    }

    /// The predicate over an entity.
    static func translated(_ predicate: Predicate<T>?, over entity: NSEntityDescription) throws
        -> NSPredicate?
    {
        guard let predicate else { return nil }
        do {
            return try NSPredicate.translated(predicate, over: entity, elementName: CompositeForm.name) {
                ($0 as? any PersistentModel.Type).map { SchemaBuilder.entityName(of: $0) }
            }
        } catch {
            throw SwiftDataError.unsupportedPredicate.because("\(error)")
        }
    }

    private static func translated(_ sort: SortDescriptor<T>) throws -> NSSortDescriptor {
        guard let keyPath = sort.keyPath else {
            throw SwiftDataError.unsupportedSortDescriptor.because("it names no property")
        }
        let name = try Self.name(keyPath)
        return NSSortDescriptor(
            key: name, ascending: sort.order == .forward, selector: selector(sort, keyPath))
    }

    /// Strings are compared as a file list shows them, unless the descriptor states another comparison. Unsigned integers are stored
    /// by their bits.
    private static func selector(_ sort: SortDescriptor<T>, _ keyPath: PartialKeyPath<T>) -> SortSelector? {
        if let comparator = sort.stringComparator {
            return String.StandardComparator(comparator, order: .forward) == .lexical
                ? .compare : .localizedStandardCompare
        }
        let type = type(of: keyPath).valueType
        if SortSelector.isUnsigned(type) { return .unsignedCompare }
        return unwrapped(type) == String.self ? .localizedStandardCompare : .compare
    }

    private static func name(_ keyPath: PartialKeyPath<T>) throws -> String {
        guard let name = T.key(for: keyPath) else {
            throw SwiftDataError.unsupportedKeyPath.because("\(keyPath)")
        }
        return name
    }
}
