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
    public var localizationDictionary: [String: String]? { willSet { assertMutable() } }

    /// The developer's names for this version of the model: strings by custom. Not
    /// part of the version hashes.
    public var versionIdentifiers: Set<AnyHashable> = [] { willSet { assertMutable() } }

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
