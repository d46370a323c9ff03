// Two releases of models that are related in both directions.

import SwiftData

enum ShelvesV1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Shelf.self, Volume.self, Atlas.self] }

    @Model
    final class Shelf {
        var name: String
        @Relationship(deleteRule: .cascade, inverse: \Volume.shelf) var volumes: [Volume] = []

        init(name: String) { self.name = name }
    }

    @Model
    class Volume {
        var title: String
        var shelf: Shelf?

        init(title: String, shelf: Shelf? = nil) {
            self.title = title
            self.shelf = shelf
        }
    }

    @Model
    final class Atlas: Volume {
        var maps: Int
        var supplement: Volume?

        init(title: String, maps: Int, supplement: Volume? = nil) {
            self.maps = maps
            self.supplement = supplement
            super.init(title: title)
        }
    }
}

enum ShelvesV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Shelf.self, Volume.self, Atlas.self] }

    @Model
    final class Shelf {
        var name: String
        var width: Int = 80
        @Relationship(deleteRule: .cascade, inverse: \Volume.shelf) var volumes: [Volume] = []

        init(name: String) { self.name = name }
    }

    @Model
    class Volume {
        var title: String
        var shelf: Shelf?

        init(title: String) { self.title = title }
    }

    @Model
    final class Atlas: Volume {
        var maps: Int
        var supplement: Volume?

        init(title: String, maps: Int, supplement: Volume? = nil) {
            self.maps = maps
            self.supplement = supplement
            super.init(title: title)
        }
    }
}
