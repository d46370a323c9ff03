// A managed object model.

import CoreDataSchema
import CoreDataSupport
public import Foundation
import Synchronization

/// The entities that managed objects are made of.
///
/// A model can be changed until it is in use: until a store coordinator is made with it. A change after that
/// stops the process, as Apple's framework raises; copy the model and change the copy. A model in use may be
/// read from any thread.
///
/// ```swift
/// let name = NSAttributeDescription()
/// name.name = "name"
/// name.attributeType = .stringAttributeType
/// let entity = NSEntityDescription()
/// entity.name = "Hero"
/// entity.properties = [name]
/// let model = NSManagedObjectModel()
/// model.entities = [entity]
/// ```
open class NSManagedObjectModel: NSObject, NSCopying, NSCoding {
    /// Texts for the user interface, by the keys that Apple's documentation of the class lists. Kept as is.
    open var localizationDictionary: [String: String]? { willSet { assertMutable() } }

    /// The developer's names for this version of the model: strings by custom. Not
    /// part of the version hashes.
    open var versionIdentifiers: Set<AnyHashable> = [] { willSet { assertMutable() } }

    final var allEntities: [NSEntityDescription] = [] { willSet { assertMutable() } }
    final var configurationList: [(name: String, entities: [NSEntityDescription])] = [] {
        willSet { assertMutable() }
    }
    final var templates: [String: NSFetchRequest<any NSFetchRequestResult>] = [:] {
        willSet { assertMutable() }
    }

    /// The file that the model was read from: its other versions may lie beside it.
    final var file: URL?
    /// The document of a model that was read from a source: a writer keeps what the model has no place for.
    final var source: SourceDocument?
    private final let freezing = Mutex(())
    /// The last result of `versionHashes`, and its time, of a model that isn't in use yet.
    final let latestHashes = Mutex<(changes: Int, hashes: [String: EntityHash])?>(nil)
    /// Indicates that the program has none of the model's classes, as one that opens anybody's stores:
    /// nothing is said of them then. To be set before the model is in use.
    package final var hasNoClasses = false
    /// Set once, under the lock, before the model is handed to other threads.
    final private(set) var frozen: FrozenModel?

    /// An empty model.
    public override init() {
        FoundationRepairs.make()
        super.init()
        _ = ArchivedFetchRequest.isRegistered
    }

    /// Reads an archived model.
    public required init?(coder: NSCoder) {
        super.init()
        guard let schema = DescriptionArchive.decode(coder) else { return nil }
        ModelBuilder(schema).fill(self)
        localizationDictionary = DescriptionArchive.decodeTexts(coder)
    }

    /// Archives the whole model.
    open func encode(with coder: NSCoder) {
        DescriptionArchive.encode(schema, with: coder)
        DescriptionArchive.encode(texts: localizationDictionary, with: coder)
    }

    /// Returns a copy that can be changed, with copies of everything in the model.
    open func copy(with zone: NSZone? = nil) -> Any {
        DescriptionCopier().copy(self)
    }

    /// All entities of the model. Setting them makes them belong to this model; entities that inherit must be listed
    /// too.
    open var entities: [NSEntityDescription] {
        get { allEntities }
        set { setAllEntities(newValue) }
    }

    /// All entities, each under its name.
    open var entitiesByName: [String: NSEntityDescription] {
        if let frozen { return frozen.entitiesByName }
        var byName: [String: NSEntityDescription] = [:]
        for entity in allEntities { entity.name.map { byName[$0] = entity } }
        return byName
    }

    /// The names of the configurations.
    open var configurations: [String] { configurationList.map(\.name) }

    /// Returns the entities of a configuration; all entities for `nil`; `nil` for a name that the model
    /// doesn't know.
    open func entities(forConfigurationName configuration: String?) -> [NSEntityDescription]? {
        guard let configuration, configuration != Self.defaultConfigurationName else { return allEntities }
        return configurationList.first { $0.name == configuration }?.entities
    }

    /// Makes a configuration, or changes one. The entities must be the model's.
    ///
    /// - Parameters:
    ///   - entities: entities of this model.
    ///   - configuration: the configuration's name.
    open func setEntities(_ entities: [NSEntityDescription], forConfigurationName configuration: String) {
        configure(entities, as: configuration)
    }

    /// The fetch requests that the model keeps, each under its name.
    open var fetchRequestTemplatesByName: [String: NSFetchRequest<any NSFetchRequestResult>] { templates }

    /// Returns the template of that name itself. To fill in its variables or to change it, use
    /// `fetchRequestFromTemplate(withName:substitutionVariables:)` or copy it.
    open func fetchRequestTemplate(forName name: String) -> NSFetchRequest<any NSFetchRequestResult>? {
        templates[name]
    }

    /// Returns a copy of a template with the variables of its predicate filled in. Every variable needs a
    /// value: for variables from outside there is
    /// `fetchRequestFromTemplate(checkingName:substitutionVariables:)`.
    ///
    /// - Parameters:
    ///   - name: the template's name.
    ///   - variables: a value for each variable of the predicate, by name without `$`.
    open func fetchRequestFromTemplate(
        withName name: String, substitutionVariables variables: [String: Any]
    ) -> NSFetchRequest<any NSFetchRequestResult>? { filledTemplate(name, variables) }

    /// Keeps a template under a name; `nil` forgets it.
    ///
    /// - Parameters:
    ///   - fetchRequestTemplate: the request, or nil.
    ///   - name: the template's name.
    open func setFetchRequestTemplate(
        _ fetchRequestTemplate: NSFetchRequest<any NSFetchRequestResult>?, forName name: String
    ) {
        assertMutable()
        templates[name] = fetchRequestTemplate
    }

    /// The version hash of every entity.
    open var entityVersionHashesByName: [String: Data] { versionHashes.mapValues(\.data) }

    /// A checksum over the version hashes, which names the version of the model.
    open var versionChecksum: String { VersionHash.checksum(of: entityVersionHashesByName) }

    /// Returns whether a store with this metadata can be opened with a configuration.
    ///
    /// The store must hold the same versions of the configuration's entities, or, for `nil`, of exactly the
    /// model's. False for metadata without version hashes, and for a configuration that the model doesn't
    /// have.
    ///
    /// - Parameters:
    ///   - configuration: the configuration's name, or nil.
    ///   - metadata: a store's metadata.
    open func isConfiguration(
        withName configuration: String?, compatibleWithStoreMetadata metadata: [String: Any]
    ) -> Bool { self.configuration(configuration, fits: metadata) }

    /// Returns one model of all that the bundles hold, of versioned ones the current version; the main
    /// bundle's for `nil`. `nil` when there is no model.
    open class func mergedModel(from bundles: [Bundle]?) -> NSManagedObjectModel? { merged(from: bundles) }

    /// Returns the model of a store, put together from all versions of the models in the bundles; `nil` if
    /// they don't have the versions of the entities that the metadata names.
    ///
    /// - Parameters:
    ///   - bundles: where to look; for `nil` the main bundle.
    ///   - metadata: a store's metadata.
    open class func mergedModel(
        from bundles: [Bundle]?, forStoreMetadata metadata: [String: Any]
    ) -> NSManagedObjectModel? { merged(from: bundles, for: metadata) }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSManagedObjectModel else { return false }
        return self === other || schema.normalized == other.schema.normalized
    }

    open override var hash: Int { Set(entitiesByName.keys).hashValue }

    /// Makes the model unchangeable and builds its look-ups. Idempotent; may be called from any thread.
    package final func freeze() {
        freezing.withLock { _ in
            guard frozen == nil else { return }
            let names = entitiesByName
            for entity in allEntities { entity.relink(in: names) }
            let state = FrozenModel(self)
            for entity in allEntities.sorted(by: { $0.ancestry.count < $1.ancestry.count }) {
                entity.freeze()
            }
            for template in templates.values { template.freeze() }
            frozen = state
        }
    }

    open override var description: String { text }

    final func assertMutable() {
        if frozen != nil { raise(.internalInconsistency, "Can't modify an immutable model.") }
        ModelChanges.note()
    }
}

/// The answers that a model keeps when it is in use.
struct FrozenModel {
    let schema: ModelSchema
    let index: ModelIndex
    let hashes: [String: EntityHash]
    let entitiesByName: [String: NSEntityDescription]

    init(_ model: NSManagedObjectModel) {
        schema = ModelSchema(model)
        if let flaw = ModelSoundness.flaw(in: schema) {
            raise(.internalInconsistency, "The model can't be used: \(flaw).")
        }
        index = ModelIndex(schema)
        hashes = VersionHash.hashes(of: index)
        entitiesByName = model.entitiesByName
    }
}
