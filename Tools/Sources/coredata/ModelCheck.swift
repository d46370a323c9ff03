// `coredata model --check`

import ArgumentParser
import CoreData
import StoreTools

/// Compares the entities of a store, or of another model, with a model's versions.
struct ModelCheck {
    private let source: ModelSource
    private let other: String

    init(_ source: ModelSource, against other: String) {
        (self.source, self.other) = (source, other)
    }

    /// Says which version fits, and in which configuration; or else how the entities differ, with status 1.
    func run() throws {
        let metadata = try metadata()
        let model = try source.read(for: metadata)
        guard let configuration = model.configuration(for: metadata) else {
            for line in model.differences(from: metadata) { print(line) }
            print("No version of the model is that of \(other).")
            throw ExitCode(1)
        }
        let identifiers = model.versionIdentifiers.map { "\($0)" }.sorted().joined(separator: ", ")
        let version = identifiers.isEmpty ? "the model" : "the model's version \(identifiers)"
        let part = configuration.name.map { ", configuration \($0)" } ?? ""
        print("\(other) is of \(version)\(part).")
    }

    /// What a store states, or what a store of another model would.
    private func metadata() throws -> [String: Any] {
        let other = ModelSource(path: other)
        if other.isModelFile {
            return [NSStoreModelVersionHashesKey: try other.read().entityVersionHashesByName]
        }
        return try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: nil, at: other.url, options: nil)
    }
}
