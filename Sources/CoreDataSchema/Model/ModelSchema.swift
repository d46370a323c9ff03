// A managed object model as a value: what every model file says and nothing derived from it.

package import CoreDataPredicate

/// A model. `NSManagedObjectModel` is a shell over this.
package struct ModelSchema: Sendable, Hashable {
    package var entities: [EntitySchema]
    package var configurations: [ConfigurationSchema]
    package var fetchTemplates: [FetchTemplateSchema]
    package var versionIdentifiers: [String]
    private var document = SourceReference()
    /// The document of a source model, until the model is compiled.
    package var source: SourceDocument? {
        get { document.value }
        set { document.value = newValue }
    }

    package init(
        entities: [EntitySchema] = [], configurations: [ConfigurationSchema] = [],
        fetchTemplates: [FetchTemplateSchema] = [], versionIdentifiers: [String] = []
    ) {
        self.entities = entities
        self.configurations = configurations
        self.fetchTemplates = fetchTemplates
        self.versionIdentifiers = versionIdentifiers
    }
}

/// Equal whether or not there is a document.
private struct SourceReference: Sendable, Hashable {
    var value: SourceDocument?

    static func == (left: SourceReference, right: SourceReference) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
}

/// A named subset of the entities.
package struct ConfigurationSchema: Sendable, Hashable {
    package var name: String
    package var entityNames: [String]

    package init(name: String, entityNames: [String]) {
        self.name = name
        self.entityNames = entityNames
    }
}

/// A fetch request stored in the model under a name.
package struct FetchTemplateSchema: Sendable, Hashable {
    package var name: String
    package var request: FetchRequestSchema

    package init(name: String, request: FetchRequestSchema) {
        self.name = name
        self.request = request
    }
}

/// A fetch request as a model keeps it: in a template or in a fetched property.
package struct FetchRequestSchema: Sendable, Hashable {
    package var entityName: String
    package var predicate: PredicateTree?
    package var sortKeys: [SortKey] = []
    package var fetchLimit = 0
    package var fetchOffset = 0
    package var fetchBatchSize = 0
    /// Raw value of `NSFetchRequestResultType`.
    package var resultType: UInt = 0
    package var includesSubentities = true
    package var includesPropertyValues = true
    package var includesPendingChanges = true
    package var returnsObjectsAsFaults = true
    package var returnsDistinctResults = false
    package var propertiesToFetch: [String] = []
    package var propertiesToGroupBy: [String] = []
    package var havingPredicate: PredicateTree?
    package var relationshipKeyPathsForPrefetching: [String] = []

    package init(entityName: String, predicate: PredicateTree? = nil) {
        self.entityName = entityName
        self.predicate = predicate
    }
}
