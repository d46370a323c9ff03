// Archives of fetch requests: a compiled model that holds the request as its only template.

import CoreDataSchema
import Foundation

/// The class under whose name fetch requests are archived, because archives can't name a generic class.
final class ArchivedFetchRequest: NSObject {
    /// The name that archives hold. Not asked of `NSStringFromClass`, whose first call in a process takes longer than opening
    /// a store does: Foundation then writes out the names of all its classes.
    static let archivedName = "CoreData.ArchivedFetchRequest"

    /// Has unarchivers make a fetch request under that name. Done once, by whatever comes first: a model or a
    /// request.
    static let isRegistered: Bool = {
        NSKeyedUnarchiver.setClass(NSFetchRequest<any NSFetchRequestResult>.self, forClassName: archivedName)
        return true
    }()
}

extension FetchRequestFields {
    private static var refreshKey: String { "CoreData.shouldRefreshRefetchedObjects" }

    func encode(with coder: NSCoder) {
        let request = FetchRequestSchema(self)
        let template = FetchTemplateSchema(name: "Archive", request: request)
        let entities = [EntitySchema(name: request.entityName)]
        DescriptionArchive.encode(ModelSchema(entities: entities, fetchTemplates: [template]), with: coder)
        coder.encode(shouldRefreshRefetchedObjects, forKey: Self.refreshKey)
    }

    init?(coder: NSCoder) {
        guard let schema = DescriptionArchive.decode(coder) else { return nil }
        let model = NSManagedObjectModel(schema: schema)
        guard let template = model.fetchRequestTemplatesByName.values.first else { return nil }
        self = template.fields
        name = entityName
        entity = nil
        shouldRefreshRefetchedObjects = coder.decodeBool(forKey: Self.refreshKey)
    }
}
