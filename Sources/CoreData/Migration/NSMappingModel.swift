// The mapping of the objects of one version of a model to those of another.

import CoreDataSchema
public import Foundation

/// Says, entity by entity and property by property, how data of one model become data of another.
open class NSMappingModel: NSObject {
    /// The mappings of entities, in the order in which a migration works through them.
    open var entityMappings: [NSEntityMapping]! = []  // Apple declares it implicitly unwrapped

    /// The mappings of entities by name.
    open var entityMappingsByName: [String: NSEntityMapping] {
        Dictionary(
            (entityMappings ?? []).map { ($0.name ?? "", $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// A mapping model without mappings.
    public override init() {
        super.init()
    }

    /// The mapping model in a `.cdm` or `.xcmappingmodel`; `nil` when there is none. `read(from:)` says why.
    public convenience init?(contentsOf url: URL?) {
        guard let url, let schema = try? Self.schema(at: url) else { return nil }
        self.init(schema: schema)
    }

    /// The mapping model, among those in the bundles, that leads from one model to another: the version hashes of all
    /// its entities are those of the models. `nil` if there is none.
    ///
    /// - Parameters:
    ///   - bundles: where to look; for `nil` the main bundle and those of packages' resources.
    ///   - sourceModel: the older version.
    ///   - destinationModel: the newer version.
    public convenience init?(
        from bundles: [Bundle]?, forSourceModel sourceModel: NSManagedObjectModel?,
        destinationModel: NSManagedObjectModel?
    ) {
        guard let sourceModel, let destinationModel,
            let schema = BundleMappings.mapping(in: bundles, from: sourceModel, to: destinationModel)
        else { return nil }
        self.init(schema: schema)
    }

    convenience init(schema: MappingSchema) {
        self.init()
        entityMappings = schema.entityMappings.map { NSEntityMapping($0) }
    }

    /// Returns the mapping model that the differences of two models amount to.
    ///
    /// Entities and properties are recognised by their names and renaming identifiers.
    ///
    /// - Parameters:
    ///   - sourceModel: the older version.
    ///   - destinationModel: the newer version.
    /// - Throws: `NSInferredMappingModelError` (134190) if some difference needs a mapping model of the
    ///   client's; `entity`, `property` and `reason` in the user info say which.
    open class func inferredMappingModel(
        forSourceModel sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel
    ) throws -> NSMappingModel { try inferred(from: sourceModel, to: destinationModel) }

    /// Returns true if the other is a mapping model that says the same.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSMappingModel else { return false }
        return self === other || schema == other.schema
    }

    open override var hash: Int { (entityMappings ?? []).count }

    final var schema: MappingSchema {
        MappingSchema(entityMappings: (entityMappings ?? []).map(\.schema))
    }
}
