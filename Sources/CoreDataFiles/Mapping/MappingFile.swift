// Every kind of mapping model file by its extension.

package import CoreDataSchema
import CoreDataSupport
package import Foundation

/// Reads and writes mapping models: `.xcmappingmodel`, `.cdm`. Throws `ModelFileError`.
package enum MappingFile {
    /// The extensions of mapping models, compiled ones first.
    package static let extensions = ["cdm", "xcmappingmodel"]

    /// The mapping model in a file.
    package static func read(_ url: URL) throws -> MappingSchema {
        switch url.pathExtension {
        case "cdm": return try CompiledMappingReader.read(ModelFile.data(at: url), from: url.path)
        case "xcmappingmodel":
            let content = try source(url)
            return try ModelFileError.locating(url.path) { try content.compiled() }
        default: throw unknownKind(url)
        }
    }

    /// The source of a mapping model as it stands in its file.
    package static func source(_ url: URL) throws -> MappingSource {
        try MappingSourceReader.read(ModelFile.data(at: contents(of: url)), from: url.path)
    }

    /// Writes a compiled mapping model.
    package static func write(_ mapping: MappingSchema, to url: URL) throws {
        guard url.pathExtension == "cdm" else { throw unknownKind(url) }
        try ModelFileError.locating(url.path) {
            try CompiledMappingWriter.data(for: mapping).write(to: url, options: .atomic)
        }
    }

    /// Writes the source of a mapping model, or the compiled model, as the extension says. `paths` are where an
    /// editor of the source finds the models.
    package static func write(
        _ mapping: MappingSchema, from source: ModelSchema, to destination: ModelSchema, at url: URL,
        paths: (source: String?, destination: String?) = (nil, nil)
    ) throws {
        guard url.pathExtension == "xcmappingmodel" else { return try write(mapping, to: url) }
        try ModelFileError.locating(url.path) {
            let data = try MappingSourceWriter.data(
                for: mapping, from: source, to: destination, paths: paths)
            try ModelFile.createFolder(url)
            try data.write(to: contents(of: url), options: .atomic)
        }
    }

    /// The file inside a source.
    package static func contents(of url: URL) -> URL { url.appendingPathComponent("xcmapping.xml") }

    private static func unknownKind(_ url: URL) -> ModelFileError {
        ModelFileError(
            file: url.path,
            reason: "it is no mapping model file: those are \(extensions.joined(separator: ", "))")
    }
}
