// Mapping models in files.

import CoreDataFiles
import CoreDataSchema
import CoreDataStores
public import Foundation

extension NSMappingModel {
    /// Returns the mapping model in a `.cdm` or `.xcmappingmodel`.
    ///
    /// Beside Apple's API, whose initialiser says nothing about why it fails.
    ///
    /// - Throws: an error in `NSCocoaErrorDomain` that names the file and, where it is about one, the mapping
    ///   and the property (`entity`, `property` and `reason` in the user info): `NSFileReadNoSuchFileError`
    ///   (260), `NSFileReadCorruptFileError` (259).
    public static func read(from url: URL) throws -> NSMappingModel {
        NSMappingModel(schema: try schema(at: url))
    }

    /// Writes the mapping model compiled, as a `.cdm`. Beside Apple's API.
    ///
    /// - Throws: `NSFileWriteUnknownError` (512) with the reason.
    public func write(to url: URL) throws {
        do {
            try MappingFile.write(schema, to: url)
        } catch {
            throw Self.error(error, at: url, code: CocoaError.fileWriteUnknown.rawValue)
        }
    }

    /// Writes the mapping model as a source, `.xcmappingmodel`, which has both models inside, or compiled, as
    /// the extension says. Beside Apple's API.
    ///
    /// - Parameters:
    ///   - url: the file to write.
    ///   - sourceModel: the older version.
    ///   - destinationModel: the newer version.
    /// - Throws: `NSFileWriteUnknownError` (512) with the reason, also if the mappings are for other versions
    ///   of the models' entities.
    public func write(
        to url: URL, sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel
    ) throws {
        do {
            try MappingFile.write(schema, from: sourceModel.schema, to: destinationModel.schema, at: url)
        } catch {
            throw Self.error(error, at: url, code: CocoaError.fileWriteUnknown.rawValue)
        }
    }

    static func schema(at url: URL) throws -> MappingSchema {
        guard FileManager.default.fileExists(atPath: url.path) else {
            throw CoreDataError.make(
                CocoaError.fileReadNoSuchFile.rawValue,
                description: "There is no mapping model at \"\(url.path)\".",
                file: url)
        }
        do {
            return try MappingFile.read(url)
        } catch {
            throw self.error(error, at: url, code: CocoaError.fileReadCorruptFile.rawValue)
        }
    }

    private static func error(_ error: any Error, at url: URL, code: Int) -> NSError {
        let verb = code == CocoaError.fileWriteUnknown.rawValue ? "written" : "read"
        let failure = error as? ModelFileError
        let reason = failure?.reason ?? "\(error)"
        return CoreDataError.make(
            code, description: "The mapping model \"\(url.lastPathComponent)\" can't be \(verb): \(reason)",
            file: url,
            entity: failure?.entity, property: failure?.property, reason: reason)
    }
}
