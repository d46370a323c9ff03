// `coredata model --check`

import ArgumentParser
import CoreData
import StoreTools

/// Compares the entities of a store, or of another model, with a model's versions.
struct ModelCheck {
    private let path: String
    private let model: NSManagedObjectModel
    /// The other model, or the one that the other store keeps; `nil` for a store that keeps none.
    private let other: NSManagedObjectModel?
    private let metadata: [String: Any]

    /// Reads both; of a versioned model the version that fits, else its current one.
    init(_ source: ModelSource, against path: String) throws {
        let other = ModelSource(path: path)
        self.path = try StoreAddress.shown(path)
        if other.isModelFile {
            let model = try other.read()
            self.other = model
            metadata = [NSStoreModelVersionHashesKey: model.entityVersionHashesByName]
        } else {
            let address = try StoreAddress(path)
            metadata =
                address.isFile
                ? try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: nil, at: address.url)
                : try address.metadata()
            let keepsModel = !address.isFile || metadata[NSStoreTypeKey] as? String == NSSQLiteStoreType
            self.other = keepsModel ? try address.model() : nil
        }
        model = try source.read(for: metadata)
    }

    /// Says which version fits, and in which configuration; or else how the entities differ, with status 1.
    func run() throws {
        guard let configuration else { throw refused(model.differences(from: metadata)) }
        let changes = undecided.isEmpty ? [] : try changes()
        if !changes.isEmpty { throw refused(changes) }
        let identifiers = model.versionIdentifiers.map { "\($0)" }.filter { !$0.isEmpty }.sorted()
        let version =
            identifiers.isEmpty ? "the model" : "the model's version \(identifiers.joined(separator: ", "))"
        let part = configuration.name.map { ", configuration \($0)" } ?? ""
        print("\(path) is of \(version)\(part).")
        for name in undecided { print("The version hash of \(name) is uncertain and was not compared.") }
    }

    /// A hash that isn't certain on either side decides nothing.
    private var configuration: MatchingConfiguration? {
        if let found = model.configuration(for: metadata) { return found }
        let own = [NSStoreModelVersionHashesKey: model.entityVersionHashesByName]
        return other?.isConfiguration(withName: nil, compatibleWithStoreMetadata: own) == true ? .all : nil
    }

    private var undecided: [String] {
        let stored = metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
        return model.entityVersionHashesByName.filter { name, hash in stored[name].map { $0 != hash } ?? false
        }
        .keys.sorted()
    }

    /// The structure decides where hashes can't.
    private func changes() throws -> [String] {
        guard let other else { return [] }
        do {
            return try model.changes(since: other)
        } catch {
            return [readable(error)]
        }
    }

    private func refused(_ lines: [String]) -> ExitCode {
        for line in lines { print(line) }
        print("No version of the model is that of \(path).")
        return ExitCode(1)
    }
}
