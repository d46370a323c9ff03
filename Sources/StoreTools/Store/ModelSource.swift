// The source of a model: a model file, a versioned model, or the copy that a store keeps.

public import CoreData
import CoreDataSupport

/// A path that a model can be read from.
public struct ModelSource {
    /// The file of the model or the store.
    public let url: URL
    /// The address of a store on a server; nil for a file.
    private let address: String?

    /// A model's file, or a store that keeps its model: its file or the address of one on a server.
    public init(path: String) {
        address = StoreAddress.isServer(path) ? path : nil
        url = URL(fileURLWithPath: path)
    }

    private static let extensions: Set<String> = [
        "mom", "momd", "xcdatamodel", "xcdatamodeld", "omo", "json",
    ]

    /// Indicates whether the name is that of a model file, not of a store.
    public var isModelFile: Bool {
        address == nil && Self.extensions.contains(url.pathExtension.lowercased())
    }

    /// Returns the model; of a versioned one the current version.
    ///
    /// - Throws: the errors of reading a model.
    public func read() throws -> NSManagedObjectModel {
        if let address { return try Self.kept(by: StoreAddress(address)) }
        guard FileManager.default.fileExists(atPath: url.path) else {
            throw ToolFailure("There is nothing at \(url.path).")
        }
        if isModelFile { return try NSManagedObjectModel.read(from: url) }
        return try Self.kept(by: StoreAddress(url.path))
    }

    /// Writes the model as another kind of file, a versioned one with all its versions if the new file can have them.
    ///
    /// - Returns: the model; of a versioned one the current version.
    /// - Throws: the errors of reading and writing a model.
    public func write(to other: URL) throws -> NSManagedObjectModel {
        if isModelFile, FileManager.default.fileExists(atPath: url.path) {
            return try NSManagedObjectModel.writeVersions(of: url, to: other)
        }
        let model = try read()
        try model.write(to: other)
        return model
    }

    private static func kept(by store: StoreAddress) throws -> NSManagedObjectModel {
        guard let model = try store.model() else {
            throw ToolFailure(
                "The store \(store.name) keeps no copy of its model; name one with --model MODEL.")
        }
        return model
    }

    /// Returns the version that a store was made with; the current one if none fits. A warning names each
    /// other version that can't be read.
    ///
    /// - Throws: the errors of reading a model.
    public func read(for metadata: [String: Any]) throws -> NSManagedObjectModel {
        let current = try read()
        if current.configuration(for: metadata) != nil { return current }
        for version in versions {
            do {
                let model = try NSManagedObjectModel.read(from: version)
                if model.configuration(for: metadata) != nil { return model }
            } catch {
                Log.warning("a version of a model is left out: \(error.localizedDescription)")
            }
        }
        return current
    }

    private var versions: [URL] {
        let inner = ["momd": "mom", "xcdatamodeld": "xcdatamodel"][url.pathExtension.lowercased()]
        let files = try? FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: nil)
        return (files ?? []).filter { $0.pathExtension == inner }.sorted { $0.path < $1.path }
    }
}

/// The configuration of a model with which a store can be opened.
public enum MatchingConfiguration: Equatable {
    /// All of the model's entities.
    case all
    /// Those of one configuration.
    case named(String)

    /// The configuration's name; nil for all.
    public var name: String? {
        if case .named(let name) = self { return name }
        return nil
    }
}

extension NSManagedObjectModel {
    /// Returns the configuration whose entities are those of the store and no others; `nil` if none's are. A
    /// store that holds more may be of another version.
    public func configuration(for metadata: [String: Any]) -> MatchingConfiguration? {
        if isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) { return .all }
        let stored = (metadata[NSStoreModelVersionHashesKey] as? [String: Data]).map { Set($0.keys) }
        return configurations.sorted().first {
            Set(entities(forConfigurationName: $0)?.compactMap(\.name) ?? []) == stored
                && isConfiguration(withName: $0, compatibleWithStoreMetadata: metadata)
        }.map { .named($0) }
    }

    /// Returns how the entities of a store differ from the model's, one line each.
    public func differences(from metadata: [String: Any]) -> [String] {
        guard let stored = metadata[NSStoreModelVersionHashesKey] as? [String: Data] else {
            return ["the store states no version hashes"]
        }
        let own = entityVersionHashesByName
        return Set(stored.keys).union(own.keys).sorted().compactMap { name in
            switch (stored[name], own[name]) {
            case (nil, _?): "\(name) is not in the store"
            case (_?, nil): "\(name) is not in the model"
            case (let left, let right): left == right ? nil : "\(name) has another version"
            }
        }
    }

    /// Returns the entity of that name.
    ///
    /// - Throws: `ToolFailure`, which says which there are if there is none.
    public func requiredEntity(_ name: String) throws -> NSEntityDescription {
        if let entity = entitiesByName[name] { return entity }
        let names = entitiesByName.keys.sorted()
        if let near = names.first(where: { $0.lowercased() == name.lowercased() }) {
            throw ToolFailure("There is no entity \"\(name)\"; did you mean \"\(near)\"?")
        }
        throw ToolFailure("There is no entity \"\(name)\"; the model has \(names.joined(separator: ", ")).")
    }
}
