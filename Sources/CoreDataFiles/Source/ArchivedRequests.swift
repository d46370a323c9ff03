// Fetch requests and fetched properties in archived sources. No sample shows how the modeller wraps them, so the reader
// takes a request archived as such, a predicate with a name beside it, or a format, in lists and in dictionaries.

import CoreDataPredicate
import CoreDataSchema
import CoreDataSupport

extension ArchivedSourceReader {
    /// The requests in an entity's facts and fields; in those of the model or its package, without an `entity`.
    func templates(of holder: ArchiveObject, entity: String?) throws -> [FetchTemplateSchema] {
        try ArchivedParts(of: holder, opener).nodes(wordContaining: "fetchrequest").flatMap {
            try templates(in: $0, entity: entity)
        }
    }

    /// The first template of each name.
    func withoutNamesakes(_ templates: [FetchTemplateSchema]) -> [FetchTemplateSchema] {
        var names: Set<String> = []
        return templates.filter { template in
            if names.insert(template.name).inserted { return true }
            leaveOut(
                "the fetch request \"\(template.name)\"", error: ArchiveFailure("another one has the name"),
                entity: template.request.entityName)
            return false
        }
    }

    private func templates(in node: ArchiveNode, entity: String?) throws -> [FetchTemplateSchema] {
        guard let object = node.object, node.text == nil else { return [] }
        if object.isKind(of: "NSArray") || object.isKind(of: "NSSet") || object.isKind(of: "NSOrderedSet") {
            return try object.elements().compactMap { template($0, name: nil, entity: entity) }
        }
        if object.isKind(of: "NSDictionary") {
            return try object.pairs().compactMap { template($1, name: $0.text, entity: entity) }
        }
        return template(node, name: nil, entity: entity).map { [$0] } ?? []
    }

    /// The template that an element stands for. One that can't be read is left out with a remark.
    private func template(_ node: ArchiveNode, name stated: String?, entity: String?) -> FetchTemplateSchema?
    {
        var name = stated
        do {
            guard let object = try opener.opened(node).object else {
                throw ArchiveFailure("it is no object")
            }
            let parts = try ArchivedParts(of: object, opener)
            name = name ?? parts.text("fetchrequestname", "requestname", "templatename", "name")
            guard var request = try request(object, parts: parts) else {
                throw ArchiveFailure("\(object.className) holds neither a request nor a predicate")
            }
            if request.entityName.isEmpty { request.entityName = entity ?? "" }
            guard !request.entityName.isEmpty else { throw ArchiveFailure("it names no entity") }
            guard let name else { throw ArchiveFailure("it has no name") }
            return FetchTemplateSchema(name: name, request: request)
        } catch {
            leaveOut(
                name.map { "the fetch request \"\($0)\"" } ?? "a fetch request", error: error, entity: entity)
            return nil
        }
    }

    func isFetchedProperty(_ object: ArchiveObject) throws -> Bool {
        if object.classNames.contains(where: { $0.contains("Fetched") }) { return true }
        let parts = try ArchivedParts(of: object, opener)
        return parts.object("NSFetchRequest") != nil || parts.archivedPredicate != nil
    }

    /// The fetched property; `nil`, with a remark, if its request can't be read.
    func fetchedKind(_ object: ArchiveObject, name: String, of entity: String) -> PropertySchema.Kind? {
        do {
            return try .fetched(fetchedRequest(object))
        } catch {
            leaveOut("the fetched property", error: error, entity: entity, property: name)
            return nil
        }
    }

    private func fetchedRequest(_ object: ArchiveObject) throws -> FetchRequestSchema {
        guard let request = try request(object, parts: ArchivedParts(of: object, opener)) else {
            throw ArchiveFailure("\(object.className) holds neither a request nor a predicate")
        }
        guard !request.entityName.isEmpty else { throw ArchiveFailure("its request names no entity") }
        return request
    }

    /// Remarks that a part is left out, and why.
    func leaveOut(_ subject: String, error: any Error, entity: String?, property: String? = nil) {
        reading.add(
            ModelProblem(
                .warning, message: "\(subject) can't be read: \(error): it is left out", entity: entity,
                property: property))
    }

    /// The request that an element is or holds; `nil` if it is about none.
    private func request(_ object: ArchiveObject, parts: ArchivedParts) throws -> FetchRequestSchema? {
        let archived = object.isKind(of: "NSFetchRequest") ? object : parts.object("NSFetchRequest")
        var request: FetchRequestSchema
        if let archived {
            request = try CompiledModelReader(file: file).fetchRequest(archived)
            if request.entityName.isEmpty, archived != object {
                request.entityName = try ArchivedParts(of: archived, opener).entityName() ?? ""
            }
        } else {
            request = FetchRequestSchema(entityName: "")
            try takeSettings(of: parts, into: &request)
        }
        if request.predicate == nil {
            request.predicate =
                ArchivedPredicateReader.isPredicate(object)
                ? try ArchivedPredicateReader.predicate(object) : try parts.predicate()
        }
        let isRequest = archived != nil || object.classNames.contains { $0.contains("FetchRequest") }
        guard isRequest || request.predicate != nil else { return nil }
        if request.entityName.isEmpty { request.entityName = try parts.entityName() ?? "" }
        return request
    }

    private func takeSettings(of parts: ArchivedParts, into request: inout FetchRequestSchema) throws {
        func count(_ word: String) throws -> Int {
            guard let count = Int32(exactly: parts.integer(word) ?? 0), count >= 0 else {
                throw ArchiveFailure("its \(word) is out of range")
            }
            return Int(count)
        }
        request.fetchLimit = try count("fetchlimit")
        request.fetchBatchSize = try count("fetchbatchsize")
        request.resultType = try UInt(count("resulttype"))
        request.includesSubentities = parts.integer("includesubentities") != 0
        request.includesPropertyValues = parts.integer("includepropertyvalues") != 0
        request.includesPendingChanges = parts.integer("includependingchanges") != 0
        request.returnsObjectsAsFaults = parts.integer("returnobjectsasfaults") != 0
        request.returnsDistinctResults = (parts.integer("returndistinctresults") ?? 0) != 0
    }
}
