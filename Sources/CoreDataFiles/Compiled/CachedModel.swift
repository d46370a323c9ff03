// The model that a store keeps in Z_MODELCACHE: a compiled model, deflated.

package import CoreDataSchema
import CoreDataSupport
package import Foundation

package enum CachedModel {
    /// A model larger than this is refused.
    static let sizeLimit = 64 << 20

    /// The model in a store's `Z_MODELCACHE.Z_CONTENT`. Throws `ModelFileError`.
    package static func read(_ content: Data, from file: String) throws -> ModelSchema {
        let data = try ModelFileError.locating(file) { try Deflate.inflate(content, limit: sizeLimit) }
        return try CompiledModelReader.read(data, from: file)
    }

    /// The model with the version hashes of its entities that the store's metadata have: who made it may compute others than we do.
    package static func read(_ content: Data, from file: String, hashes: [String: Data]) throws -> ModelSchema
    {
        var schema = try read(content, from: file)
        for position in schema.entities.indices {
            schema.entities[position].recordedVersionHash = hashes[schema.entities[position].name]
        }
        return schema
    }

    /// Returns the contents of `Z_MODELCACHE.Z_CONTENT` for a model. Throws `ModelFileError`.
    ///
    /// Default values of classes that can't be archived are left out: the copy serves to migrate, which asks for none.
    package static func data(for model: ModelSchema) throws -> Data {
        var model = model
        for entity in model.entities.indices {
            for property in model.entities[entity].properties.indices {
                guard case .attribute(var traits) = model.entities[entity].properties[property].kind,
                    case .object(let reference) = traits.defaultValue,
                    !KeyedArchiveWriter.isNameable(reference.object)
                else { continue }
                traits.defaultValue = .null
                model.entities[entity].properties[property].kind = .attribute(traits)
            }
        }
        let data = try CompiledModelWriter.data(for: model)
        return try ModelFileError.locating("") { try Deflate.deflate(data) }
    }
}
