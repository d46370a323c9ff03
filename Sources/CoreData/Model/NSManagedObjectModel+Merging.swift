// Models made of several others, given or found in bundles.

import CoreDataSchema
import Foundation

extension NSManagedObjectModel {
    /// One model of several; of all in the main bundle for `nil`. Entities that two models have alike are
    /// taken once; two different entities under one name stop the process, as Apple's framework raises. `nil` when
    /// there is no model.
    public convenience init?(byMerging models: [NSManagedObjectModel]?) {
        guard let models else {
            let found = BundleModels.models(in: nil)
            guard !found.isEmpty else { return nil }
            self.init(schema: .mergingOrRaise(found))
            return
        }
        self.init(schema: .mergingOrRaise(models.map(\.schema)))
        takeTexts(of: models)
    }

    /// One model of several, which may come from outside. An addition to Apple's class.
    ///
    /// - Throws: `NSCoreDataError` where two models have different entities or templates under one name.
    public convenience init(checkingMerge models: [NSManagedObjectModel]) throws {
        self.init(schema: try .merging(models.map(\.schema)))
        takeTexts(of: models)
    }

    private func takeTexts(of models: [NSManagedObjectModel]) {
        let texts = models.compactMap(\.localizationDictionary)
        guard !texts.isEmpty else { return }
        localizationDictionary = texts.reduce(into: [:]) { all, more in all.merge(more) { first, _ in first }
        }
    }

    /// The model of a store, put together from those of `models` that have the versions of the entities that
    /// the metadata names; `nil` if they don't.
    ///
    /// - Parameters:
    ///   - models: where to look for the versions of the entities.
    ///   - metadata: a store's metadata.
    public convenience init?(
        byMerging models: [NSManagedObjectModel], forStoreMetadata metadata: [String: Any]
    ) {
        guard let versions = metadata[NSStoreModelVersionHashesKey] as? [String: Data],
            let schema = Self.version(versions, among: models.map(\.schema))
        else { return nil }
        self.init(schema: schema)
    }

    static func merged(from bundles: [Bundle]?) -> NSManagedObjectModel? {
        let models = BundleModels.models(in: bundles)
        return models.isEmpty ? nil : NSManagedObjectModel(schema: .mergingOrRaise(models))
    }

    static func merged(
        from bundles: [Bundle]?, for metadata: [String: Any]
    ) -> NSManagedObjectModel? {
        guard let versions = metadata[NSStoreModelVersionHashesKey] as? [String: Data] else { return nil }
        let models = BundleModels.versions(sharing: versions, in: bundles)
        return version(versions, among: models).map { NSManagedObjectModel(schema: $0) }
    }

    private static func version(
        _ versions: [String: Data], among models: some Sequence<ModelSchema>
    ) -> ModelSchema? {
        // A model in a bundle is read when it is its turn, and once.
        var seen: [ModelSchema] = []
        let each = models.lazy.map { model in
            seen.append(model)
            return model
        }
        return ModelSchema.merging(each, forVersions: versions) ?? .agreeing(seen, withVersions: versions)
    }
}
