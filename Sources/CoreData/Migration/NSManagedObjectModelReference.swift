// A version of a model, named in one of several ways, and the checksum that it must have.

import CoreDataFiles
import CoreDataSchema
import CoreDataStores
import CoreDataSupport
public import Foundation
import Synchronization

/// Leads to one version of a model, which is read when it is needed.
open class NSManagedObjectModelReference: NSObject, @unchecked Sendable {  // never changes but for the cache
    private enum Place {
        case model(NSManagedObjectModel)
        case file(URL)
        case hashes([String: Data], Bundle?)
        case name(String, Bundle?)
    }

    private let place: Place
    private let resolved = Mutex<UncheckedReference<NSManagedObjectModel>?>(nil)
    /// The checksum that the model must have (`NSManagedObjectModel.versionChecksum`).
    public let versionChecksum: String

    /// A reference to a model at hand.
    ///
    /// - Parameters:
    ///   - model: the model.
    ///   - versionChecksum: the `versionChecksum` that it must have.
    public init(model: NSManagedObjectModel, versionChecksum: String) {
        place = .model(model)
        self.versionChecksum = versionChecksum
    }

    /// A reference to the model in a file. A versioned file's version with the checksum is meant.
    ///
    /// - Parameters:
    ///   - fileURL: a `.mom`, `.momd`, `.xcdatamodel` or `.xcdatamodeld`.
    ///   - versionChecksum: the `versionChecksum` of the version that is meant.
    public init(fileURL: URL, versionChecksum: String) {
        place = .file(fileURL)
        self.versionChecksum = versionChecksum
    }

    /// A reference to the model whose entities have these version hashes, by name, in a bundle: the main one, and those
    /// of packages' resources, for `nil`.
    ///
    /// - Parameters:
    ///   - versionHash: the version hashes, by the entities' names.
    ///   - bundle: where to look, or nil.
    ///   - versionChecksum: the `versionChecksum` that the model must have.
    public init(
        entityVersionHashes versionHash: [AnyHashable: Any], in bundle: Bundle?, versionChecksum: String
    ) {
        var hashes: [String: Data] = [:]
        for (name, hash) in versionHash {
            if let name = name.base as? String { hashes[name] = hash as? Data }
        }
        place = .hashes(hashes, bundle)
        self.versionChecksum = versionChecksum
    }

    /// A reference to the model, or the version of a model, of a name in a bundle: the main one, and those of packages'
    /// resources, for `nil`.
    ///
    /// - Parameters:
    ///   - modelName: the name of the model's file, without extension.
    ///   - bundle: where to look, or nil.
    ///   - versionChecksum: the `versionChecksum` of the version that is meant.
    public init(name modelName: String, in bundle: Bundle?, versionChecksum: String) {
        place = .name(modelName, bundle)
        self.versionChecksum = versionChecksum
    }

    /// The model that the reference leads to. Stops the process if there is none, or if it has another checksum, as
    /// Apple's framework raises; a migration throws `NSManagedObjectModelReferenceNotFoundError` in that case.
    open var resolvedModel: NSManagedObjectModel {
        do {
            return try resolve()
        } catch {
            raise(.invalidArgument, (error as NSError).localizedDescription, instead: "resolve()")
        }
    }

    /// Returns the model, as `resolvedModel` gives it. An addition to Apple's class.
    ///
    /// - Throws: `NSManagedObjectModelReferenceNotFoundError` if there is none, or if it has another checksum.
    public final func resolve() throws -> NSManagedObjectModel {
        if let known = resolved.withLock({ $0 }) { return known.value }
        let model = try find()
        let reference = UncheckedReference(model)
        resolved.withLock { $0 = reference }
        return model
    }

    private func find() throws -> NSManagedObjectModel {
        switch place {
        case .model(let model):
            if model.versionChecksum == versionChecksum { return model }
            throw failure("the model's is \"\(model.versionChecksum)\"")
        case .file(let url):
            do {
                let versions = try ModelFile.versions(of: url)
                return try fitting(versions.map(\.schema), place: "\"\(url.path)\"")
            } catch let error as ModelFileError {
                throw failure("\(error)")
            }
        case .hashes(let hashes, let bundle):
            let models = BundleModels.versions(sharing: hashes, in: bundle.map { [$0] }).filter { schema in
                VersionHash.hashes(of: ModelIndex(schema)).mapValues(\.data) == hashes
            }
            return try fitting(models, place: "the bundle, with these version hashes,")
        case .name(let name, let bundle):
            return try fitting(
                BundleModels.versions(named: name, in: bundle.map { [$0] }),
                place: "the bundle, called \"\(name)\","
            )
        }
    }

    /// The model with the checksum.
    private func fitting(_ schemas: [ModelSchema], place: String) throws -> NSManagedObjectModel {
        let sound = schemas.filter { ModelSoundness.flaw(in: $0) == nil }
        for schema in sound {
            let hashes = VersionHash.hashes(of: ModelIndex(schema)).mapValues(\.data)
            if VersionHash.checksum(of: hashes) == versionChecksum {
                return NSManagedObjectModel(schema: schema)
            }
        }
        throw failure("none of \(sound.count) models in \(place) has it")
    }

    private func failure(_ reason: String) -> NSError {
        CoreDataError.make(
            NSManagedObjectModelReferenceNotFoundError,
            description:
                "The model with the version checksum \"\(versionChecksum)\" can't be found: \(reason).",
            file: nil,
            reason: reason)
    }
}
