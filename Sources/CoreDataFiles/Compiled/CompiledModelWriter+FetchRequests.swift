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
            fields: [
                .init("NSEntity", value: entity),
                .init(
                    "NSPredicate",
                    value: request.predicate.map(predicates.predicate) ?? KeyedArchiveWriter.null),
                .init("NSSortDescriptors", value: sortDescriptors),
                .init("NSFetchLimit", value: .integer(Int64(request.fetchLimit))),
                .init("NSFetchOffset", value: .integer(Int64(request.fetchOffset))),
                .init("NSBatchSize", value: .integer(Int64(request.fetchBatchSize))),
                .init("NSResultType", value: .integer(Int64(clamping: request.resultType))),
                .init("NSHasFetchRequestFlags", value: .bool(true)),
                .init("NSFetchRequestFlags", value: .integer(flags(of: request))),
                .init("NSValuesToFetch", value: list(request.propertiesToFetch)),
                .init("NSValuesToGroupBy", value: list(request.propertiesToGroupBy)),
                .init(
                    "NSHavingPredicate",
                    value: request.havingPredicate.map(predicates.predicate) ?? KeyedArchiveWriter.null),
                .init(
                    "NSRelationshipKeyPathsForPrefetching",
                    value: list(request.relationshipKeyPathsForPrefetching)),
                .init("NSAllocationType", value: .integer(0)),
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
            fields: [
                .init("NSKey", value: archive.string(key.keyPath)),
                .init("NSAscending", value: .bool(key.ascending)),
                .init("NSSelector", value: archive.string(key.comparison.rawValue)),
                .init("NSReverseNullOrder", value: .bool(false)),
            ])
    }
}
