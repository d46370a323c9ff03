// Fetch requests inside compiled models: templates and fetched properties.

import CoreDataPredicate
import CoreDataSchema
import CoreDataSupport

extension CompiledModelReader {
    func fetchRequest(_ object: ArchiveObject) throws -> FetchRequestSchema {
        let entity = try object.node("NSEntity")
        var request = try FetchRequestSchema(
            entityName: entity.object?.node("NSEntityName").text ?? entity.text ?? "",
            predicate: ArchivedPredicateReader.predicate(object.node("NSPredicate")))
        request.sortKeys = try (object.node("NSSortDescriptors").object?.elements() ?? []).map(sortKey)
        request.fetchLimit = try count(object, key: "NSFetchLimit")
        request.fetchOffset = try count(object, key: "NSFetchOffset")
        request.fetchBatchSize = try count(object, key: "NSBatchSize")
        request.resultType = try UInt(count(object, key: "NSResultType"))
        request.propertiesToFetch = try names(object, key: "NSValuesToFetch")
        request.propertiesToGroupBy = try names(object, key: "NSValuesToGroupBy")
        request.havingPredicate = try ArchivedPredicateReader.predicate(object.node("NSHavingPredicate"))
        request.relationshipKeyPathsForPrefetching = try names(
            object, key: "NSRelationshipKeyPathsForPrefetching")
        if try object.bool("NSHasFetchRequestFlags") {
            let flags = try object.integer("NSFetchRequestFlags") ?? CompiledModelKeys.defaultFetchFlags
            request.returnsDistinctResults = flags & CompiledModelKeys.distinctFlag != 0
            request.includesSubentities = flags & CompiledModelKeys.subentitiesFlag != 0
            request.includesPropertyValues = flags & CompiledModelKeys.propertyValuesFlag != 0
            request.returnsObjectsAsFaults = flags & CompiledModelKeys.asFaultsFlag != 0
            request.includesPendingChanges = flags & CompiledModelKeys.pendingChangesFlag != 0
        }
        return request
    }

    private func count(_ object: ArchiveObject, key: String) throws -> Int {
        let number = try object.integer(key) ?? 0
        guard number >= 0 else { throw ArchiveFailure("a fetch request has a negative \(key)") }
        return Int(number)
    }

    /// Names of properties, which may be archived whole.
    private func names(_ object: ArchiveObject, key: String) throws -> [String] {
        try (object.node(key).object?.elements() ?? []).map { element in
            guard let name = try element.text ?? element.object?.node("NSPropertyName").text,
                element.object?.isKind(of: "NSExpressionDescription") != true
            else { throw ArchiveFailure("a fetch request has an element in \(key) that is no property") }
            return name
        }
    }

    private func sortKey(_ node: ArchiveNode) throws -> SortKey {
        guard let object = node.object, let key = try object.node("NSKey").text else {
            throw ArchiveFailure("a sort descriptor has no key")
        }
        let selector = try object.node("NSSelector").text ?? SortComparison.compare.rawValue
        guard let comparison = SortComparison(rawValue: selector) else {
            throw ArchiveFailure("a sort descriptor has the unknown selector \(selector)")
        }
        return try SortKey(key, ascending: object.bool("NSAscending"), comparison: comparison)
    }
}
