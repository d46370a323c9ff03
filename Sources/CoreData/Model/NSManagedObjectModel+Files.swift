// Models in files.

import CoreDataFiles
import CoreDataSchema
import CoreDataStores
import CoreDataSupport
public import Foundation

extension NSManagedObjectModel {
    /// The model in a `.momd`, `.mom`, `.omo`, `.xcdatamodeld` or `.xcdatamodel`; of versioned ones the current
    /// version. `nil` when there is none; `read(from:)` says why.
    public convenience init?(contentsOf url: URL) {
        guard let schema = try? Self.schema(at: url) else { return nil }
        self.init(schema: schema)
        file = url
    }

    /// Returns the model in a `.momd`, `.mom`, `.xcdatamodeld` or `.xcdatamodel`; of versioned ones the
    /// current version.
    ///
    /// Beside Apple's API, whose initialiser says nothing about why it fails.
    ///
    /// ```swift
    /// let model = try NSManagedObjectModel.read(from: url)
    /// print(model.entitiesByName.keys.sorted())
    /// ```
    ///
    /// - Throws: an error in `NSCocoaErrorDomain` that names the file and, where it is about one, the entity
    ///   and the property (`entity`, `property` and `reason` in the user info): `NSFileReadNoSuchFileError`
    ///   (260), `NSFileReadCorruptFileError` (259).
    public static func read(from url: URL) throws -> NSManagedObjectModel {
        let model = NSManagedObjectModel(schema: try schema(at: url))
        model.file = url
        return model
    }

    /// The versioned file that the model was read from, wholly or from a version inside of it.
    final var versionedFile: URL? {
        guard let file else { return nil }
        let kinds = ["momd", "xcdatamodeld"]
        let folder = kinds.contains(file.pathExtension) ? file : file.deletingLastPathComponent()
        return kinds.contains(folder.pathExtension) ? folder : nil
    }

    /// Writes the model as the kind of file that the extension says: `.momd`, `.mom`, `.xcdatamodeld` or
    /// `.xcdatamodel`. A versioned one gets a single version of the file's own name.
    ///
    /// - Throws: `NSFileWriteUnknownError` (512) with the reason.
    public func write(to url: URL) throws {
        do {
            try ModelFile.write(schema, to: url)
        } catch {
            throw Self.error(error, at: url, code: CocoaError.fileWriteUnknown.rawValue)
        }
    }

    /// Writes the model at a URL as another kind of file, a versioned one with all versions that can be read. A warning names
    /// the others.
    ///
    /// - Returns: The current version.
    /// - Throws: the errors of reading, and `NSFileWriteUnknownError` (512) with the reason.
    package class func writeVersions(of source: URL, to url: URL) throws -> NSManagedObjectModel {
        let current = try read(from: source)
        do {
            try ModelFile.write(ModelFile.versions(of: source), to: url)
        } catch {
            throw Self.error(error, at: url, code: CocoaError.fileWriteUnknown.rawValue)
        }
        return current
    }

    /// Writes the model as a new `.xcdatamodeld` or `.xcdatamodel` without what source models have no place for, such as the
    /// order of a fetched property, where `write(to:)` throws. Not in Apple's API.
    ///
    /// - Returns: A sentence for each part that was left out, and for each entity whose version hash is another one in the
    ///   source.
    /// - Throws: `NSFileWriteUnknownError` (512) with the reason.
    public func writeSource(to url: URL) throws -> [String] {
        let subset = SourceSubset(schema)
        guard ["xcdatamodeld", "xcdatamodel"].contains(url.pathExtension) else {
            let error = ModelFileError(
                file: url.path, reason: "a source model is an .xcdatamodeld or .xcdatamodel")
            throw Self.error(error, at: url, code: CocoaError.fileWriteUnknown.rawValue)
        }
        let written: NSManagedObjectModel
        do {
            try ModelFile.write(subset.model, to: url)
            written = NSManagedObjectModel(schema: try ModelFile.read(url))
        } catch {
            throw Self.error(error, at: url, code: CocoaError.fileWriteUnknown.rawValue)
        }
        let hashes = written.entityVersionHashesByName
        let changed = entityVersionHashesByName.filter { $0.value != hashes[$0.key] }.keys.sorted()
        return subset.remarks
            + changed.map {
                "\($0): the source has another version hash, so a store of this model is migrated before it opens with it"
            }
    }

    /// The checksum of each version of the model at a URL, by the version's name.
    public class func __checksumsForVersionedModel(at modelURL: URL) throws -> [String: String] {
        do {
            var checksums: [String: String] = [:]
            for version in try ModelFile.versions(of: modelURL) {
                let hashes = VersionHash.hashes(of: ModelIndex(version.schema)).mapValues(\.data)
                checksums[version.name] = VersionHash.checksum(of: hashes)
            }
            return checksums
        } catch {
            throw self.error(error, at: modelURL, code: CocoaError.fileReadCorruptFile.rawValue)
        }
    }

    private static func schema(at url: URL) throws -> ModelSchema {
        guard FileManager.default.fileExists(atPath: url.path) else {
            throw CoreDataError.make(
                CocoaError.fileReadNoSuchFile.rawValue, description: "There is no model at \"\(url.path)\".",
                file: url)
        }
        do {
            let schema = try ModelFile.read(url)
            if let flaw = ModelSoundness.flaw(in: schema) {
                let reason = schema.source == nil ? flaw.reason : flaw.sourceReason
                throw ModelFileError(
                    file: url.path, entity: flaw.entity, property: flaw.property, reason: reason)
            }
            return schema
        } catch {
            throw self.error(error, at: url, code: CocoaError.fileReadCorruptFile.rawValue)
        }
    }

    private static func error(_ error: any Error, at url: URL, code: Int) -> NSError {
        let verb = code == CocoaError.fileWriteUnknown.rawValue ? "written" : "read"
        let place =
            switch error {
            case let error as ModelFileError: (error.entity, error.property, error.reason)
            case let error as CocoaError: (String?.none, String?.none, error.localizedDescription)
            default: (String?.none, String?.none, "\(error)")
            }
        return CoreDataError.make(
            code, description: "The model \"\(url.lastPathComponent)\" can't be \(verb): \(place.2)",
            file: url,
            entity: place.0, property: place.1, reason: place.2)
    }
}
