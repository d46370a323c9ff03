// The purpose that a store is opened for, and where it is.

package import CoreDataSchema
import Foundation

/// The options that a store is opened with.
package struct StoreOpening {
    package let model: ModelRuntime
    /// The names of the entities that the store's configuration has; `nil` for all.
    package let members: Set<String>?
    /// Indicates whether the store is opened whatever its version hashes are.
    package let ignoresVersions: Bool

    package init(model: ModelRuntime, members: Set<String>? = nil, ignoresVersions: Bool = false) {
        self.model = model
        self.members = members
        self.ignoresVersions = ignoresVersions
    }
}

/// The place of a store, however its URL spells that.
package struct StorePlace: Hashable, Sendable {
    private let name: String

    /// - Parameter name: the same for all URLs that lead to the place.
    package init(named name: String) {
        self.name = name
    }
}
