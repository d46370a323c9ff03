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

    /// What `Z_MODELCACHE.Z_CONTENT` holds for a model. Throws `ModelFileError`.
    package static func data(for model: ModelSchema) throws -> Data {
        let data = try CompiledModelWriter.data(for: model)
        return try ModelFileError.locating("") { try Deflate.deflate(data) }
    }
}
