// Fetch requests into compiled models.

import CoreDataPredicate
import CoreDataSchema
import CoreDataSupport

extension CompiledModelWriter {
    func fetchRequest(_ request: FetchRequestSchema) throws -> PropertyList {
        guard let entity = entityPlaces[request.entityName] else {
            throw ArchiveFailure(
                "a fetch request names the entity \"\(request.entityName)\", which does not exist")
        }
        func list(_ names: [String]) -> PropertyList {
            names.isEmpty ? KeyedArchiveWriter.null : archive.array(names.map { archive.string($0) })
        }
        let sortDescriptors =
            request.sortKeys.isEmpty
            ? KeyedArchiveWriter.null : archive.array(request.sortKeys.map(sortDescriptor))
        return try archive.object(
            ["NSFetchRequest", "NSPersistentStoreRequest", "NSObject"],
            [
                .init("NSEntity", entity),
                .init(
                    "NSPredicate", request.predicate.map(predicates.predicate) ?? KeyedArchiveWriter.null),
                .init("NSSortDescriptors", sortDescriptors),
                .init("NSFetchLimit", .integer(Int64(request.fetchLimit))),
                .init("NSFetchOffset", .integer(Int64(request.fetchOffset))),
                .init("NSBatchSize", .integer(Int64(request.fetchBatchSize))),
                .init("NSResultType", .integer(Int64(clamping: request.resultType))),
                .init("NSHasFetchRequestFlags", .bool(true)),
                .init("NSFetchRequestFlags", .integer(flags(of: request))),
                .init("NSValuesToFetch", list(request.propertiesToFetch)),
                .init("NSValuesToGroupBy", list(request.propertiesToGroupBy)),
                .init(
                    "NSHavingPredicate",
                    request.havingPredicate.map(predicates.predicate) ?? KeyedArchiveWriter.null),
                .init(
                    "NSRelationshipKeyPathsForPrefetching", list(request.relationshipKeyPathsForPrefetching)),
                .init("NSAllocationType", .integer(0)),
            ])
    }

    private func flags(of request: FetchRequestSchema) -> Int64 {
        var flags: Int64 = 0
        if request.returnsDistinctResults { flags |= CompiledModelKeys.distinctFlag }
        if request.includesSubentities { flags |= CompiledModelKeys.subentitiesFlag }
        if request.includesPropertyValues { flags |= CompiledModelKeys.propertyValuesFlag }
        if request.returnsObjectsAsFaults { flags |= CompiledModelKeys.asFaultsFlag }
        if request.includesPendingChanges { flags |= CompiledModelKeys.pendingChangesFlag }
        return flags
    }

    private func sortDescriptor(_ key: SortKey) -> PropertyList {
        archive.object(
            ["NSSortDescriptor", "NSObject"],
            [
                .init("NSKey", archive.string(key.keyPath)),
                .init("NSAscending", .bool(key.ascending)),
                .init("NSSelector", archive.string(key.comparison.rawValue)),
                .init("NSReverseNullOrder", .bool(false)),
            ])
    }
}
