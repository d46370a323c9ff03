// The verdict whether a store can go from one version of a model to another without a
// mapping model, with the steps.

package import CoreData
import CoreDataFiles
import CoreDataSchema
import CoreDataSupport
import StoreTools

/// The answer to "is it lightweight?".
package struct ModelMigrationVerdict: Sendable, Hashable, Encodable {
    package struct Step: Sendable, Hashable, Encodable {
        package let words: String
        /// Rows concerned; nil where they aren't counted.
        package let count: Int?
        package let losesData: Bool
    }

    package var isInferable: Bool
    /// The reason why it isn't; nil if it is.
    package var reason: String?
    /// The changes that need values which rows may lack.
    package var warnings: [String] = []
    package var steps: [Step] = []
    /// Indicates whether the steps were counted in a store; else they are those of any store.
    package var isCounted = false

    /// - Parameter store: a store of the older version whose rows are to be counted.
    package init(from older: ModelNode, to newer: ModelNode, store: URL? = nil) {
        do {
            let (source, destination) = (try older.schema(), try newer.schema())
            let difference = try MappingInference.difference(from: source, to: destination)
            isInferable = true
            warnings = difference.neededValues.map {
                "\($0.entity).\($0.attribute) must have a value and has no default: stores with rows that lack one can't "
                    + "be migrated."
            }
            if !difference.isEmpty { try plan(from: source, to: destination, store: store) }
        } catch let refusal as InferenceRefusal {
            isInferable = false
            reason = refusal.description
        } catch {
            isInferable = false
            reason = (error as? ModelFileError)?.description ?? readable(error)
        }
    }

    /// The steps in the store if it is of the older version, else in an empty one that is made for this.
    private mutating func plan(from source: ModelSchema, to destination: ModelSchema, store: URL?) throws {
        let (older, newer) = (NSManagedObjectModel(schema: source), NSManagedObjectModel(schema: destination))
        if let store, Self.isStore(store, of: older) {
            steps = try Self.steps(store, older: older, newer: newer).map { Step($0, isCounted: true) }
            isCounted = true
            return
        }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "studio-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("empty.sqlite")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: older)
        let opened = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: file, options: nil)
        try coordinator.remove(opened)
        steps = try Self.steps(file, older: older, newer: newer).map { Step($0, isCounted: false) }
    }

    private static func isStore(_ store: URL, of model: NSManagedObjectModel) -> Bool {
        let metadata = try? NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: store, options: nil)
        return metadata.map { model.isConfiguration(withName: nil, compatibleWithStoreMetadata: $0) } ?? false
    }

    private static func steps(
        _ store: URL, older: NSManagedObjectModel, newer: NSManagedObjectModel
    ) throws -> [PlannedMigrationStep] {
        try NSPersistentStoreCoordinator.migrationSteps(forStoreAt: store, from: older, to: newer)
    }
}

extension ModelMigrationVerdict.Step {
    fileprivate init(_ step: PlannedMigrationStep, isCounted: Bool) {
        self.init(words: step.summary, count: isCounted ? step.count : nil, losesData: step.losesData)
    }
}

extension ModelNode {
    /// Returns the framework's reading of the model. Throws `ModelFileError`.
    func schema() throws -> ModelSchema {
        let schema = try ModelSourceReader.read(tree, from: "")
        if let flaw = ModelSoundness.flaw(in: schema) {
            throw ModelFileError(file: "", entity: flaw.entity, property: flaw.property, reason: flaw.reason)
        }
        return schema
    }
}
