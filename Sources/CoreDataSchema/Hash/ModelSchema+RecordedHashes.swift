// Hashes that came with a model, kept where the formula can't settle them.

package import Foundation

extension ModelSchema {
    /// Keeps the known hashes of the entities whose own are uncertain.
    ///
    /// - Parameter hashes: by entity, as a bundle's `VersionInfo.plist` or a store's metadata have them.
    package mutating func record(_ hashes: [String: Data]) {
        let computed = VersionHash.hashes(of: ModelIndex(self))
        for index in entities.indices where computed[entities[index].name]?.isCertain == false {
            entities[index].recordedVersionHash = hashes[entities[index].name]
        }
    }
}
