// Every kind of model file by its extension.

package import CoreDataSchema
import CoreDataSupport
package import Foundation

/// Reads and writes model files: `.xcdatamodel`, `.xcdatamodeld`, `.mom`, `.momd`; reads `.omo`, and schemas of
/// SwiftData's as `.json`. Throws `ModelFileError`.
package enum ModelFile {
    /// The extensions of model files.
    package static let extensions = ["xcdatamodel", "xcdatamodeld", "mom", "momd"]

    static let sizeLimit = 64 << 20

    /// The model in a file; of a versioned model the current version.
    package static func read(_ url: URL) throws -> ModelSchema {
        switch url.pathExtension {
        case "mom": return try CompiledModelReader.read(data(at: url), from: url.path)
        case "omo": return try OptimizedModelReader.read(data(at: url), from: url.path)
        case "xcdatamodel": return try readSource(url)
        case "momd": return try CompiledModelBundle.read(url)
        case "xcdatamodeld": return try SourceModelBundle.read(url)
        case "json": return try SwiftDataSchemaReader.read(data(at: url), from: url.path)
        default: throw unknownKind(url)
        }
    }

    /// The versions of a versioned model that can be read, sorted by name, or the one version that any other model
    /// file is. A warning names each version that can't be read; throws if none can.
    ///
    /// - Parameter wanted: hashes of entities by their names; versions that state others for all of them are left out. Nil for all
    ///   versions.
    package static func versions(of url: URL, sharing wanted: [String: Data]? = nil) throws -> [ModelVersion]
    {
        let list = try list(of: url, sharing: wanted)
        if list.versions.isEmpty, let failure = list.failures.first { throw failure }
        for failure in list.failures { Log.warning("a version of a model is left out: \(failure)") }
        return list.versions
    }

    /// As `versions(of:)`, with what is wrong with the other versions in place of warnings.
    package static func list(of url: URL, sharing wanted: [String: Data]? = nil) throws -> ModelVersionList {
        switch url.pathExtension {
        case "momd": return try CompiledModelBundle.list(of: url, sharing: wanted)
        case "xcdatamodeld": return try SourceModelBundle.list(of: url)
        default:
            let name = url.deletingPathExtension().lastPathComponent
            return try ModelVersionList(versions: [
                ModelVersion(name: name, schema: read(url), isCurrent: true)
            ])
        }
    }

    /// Writes a model as the kind of file that the extension says; a versioned one gets one version of the
    /// bundle's own name.
    package static func write(_ schema: ModelSchema, to url: URL) throws {
        let name = url.deletingPathExtension().lastPathComponent
        let version = ModelVersion(name: name, schema: schema, isCurrent: true)
        switch url.pathExtension {
        case "mom":
            try ModelFileError.locating(url.path) {
                try CompiledModelWriter.data(for: schema).write(to: url, options: .atomic)
            }
        case "xcdatamodel":
            try ModelFileError.locating(url.path) {
                let contents = try ModelSourceWriter.laidOut(schema)
                try createFolder(url)
                try contents.write(to: url.appendingPathComponent("contents"), options: .atomic)
            }
        case "momd": try CompiledModelBundle.write([version], to: url)
        case "xcdatamodeld": try SourceModelBundle.write([version], to: url)
        default: throw unknownKind(url)
        }
    }

    /// Writes the versions of a model as the kind of file that the extension says, one that isn't versioned with the current
    /// version alone. A single version gets the file's own name.
    package static func write(_ versions: [ModelVersion], to url: URL) throws {
        if versions.count > 1 {
            switch url.pathExtension {
            case "momd": return try CompiledModelBundle.write(versions, to: url)
            case "xcdatamodeld": return try SourceModelBundle.write(versions, to: url)
            default: break
            }
        }
        guard let current = versions.first(where: \.isCurrent) else {
            throw ModelFileError(file: url.path, reason: "no version is current")
        }
        try write(current.schema, to: url)
    }

    // MARK: Parts

    static func readSource(_ url: URL) throws -> ModelSchema {
        let contents = url.appendingPathComponent("contents")
        if FileManager.default.fileExists(atPath: contents.path) {
            return try ModelSourceReader.read(data(at: contents), from: url.path)
        }
        let elements = url.appendingPathComponent("elements")
        guard FileManager.default.fileExists(atPath: elements.path) else {
            throw ModelFileError(
                file: url.path, reason: "there is neither \"contents\" nor \"elements\" inside")
        }
        return try ArchivedSourceReader.read(data(at: elements), from: url.path)
    }

    /// A file's bytes, if they are not unreasonably many.
    static func data(at url: URL) throws -> Data {
        try ModelFileError.locating(url.path) {
            let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
            guard attributes[.type] as? FileAttributeType == .typeRegular else {
                throw ArchiveFailure("it is no ordinary file")
            }
            guard let size = attributes[.size] as? NSNumber, size.intValue <= sizeLimit else {
                throw ArchiveFailure("it is too large for a model")
            }
            return try Data(contentsOf: url)
        }
    }

    /// The names, without extension, of what lies in a folder with an extension; sorted.
    static func names(in folder: URL, withExtension suffix: String) throws -> [String] {
        try ModelFileError.locating(folder.path) {
            try FileManager.default.contentsOfDirectory(atPath: folder.path)
                .filter { ($0 as NSString).pathExtension == suffix }
                .map { ($0 as NSString).deletingPathExtension }.sorted()
        }
    }

    /// A name as the folder spells it, byte for byte: Apple's file systems and archives made there may take accents apart.
    static func stored(_ name: String, among names: [String]) -> String? {
        names.first { $0.utf8.elementsEqual(name.utf8) } ?? names.first { $0 == name }
    }

    static func createFolder(_ url: URL) throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    /// A version's name becomes a file name, so it must be one.
    static func requireFileName(_ name: String, in url: URL) throws {
        guard !name.isEmpty, !name.contains("/"), !name.contains("\0"), !name.hasPrefix(".") else {
            throw ModelFileError(file: url.path, reason: "\"\(name)\" is no name for a version")
        }
    }

    private static func unknownKind(_ url: URL) -> ModelFileError {
        ModelFileError(
            file: url.path, reason: "it is no model file: those are \(extensions.joined(separator: ", "))")
    }
}
