// A managed class and an ordinary one with the same properties.

import CoreData
import Foundation

/// As the generator writes it.
final class Hero: NSManagedObject {
    var level: Int64 {
        get { self[ManagedAttribute("level", word: 1, index: 0)] }
        set { self[ManagedAttribute("level", word: 1, index: 0)] = newValue }
    }
    var name: String? {
        get { self[ManagedAttribute("name", word: 2, index: 1)] }
        set { self[ManagedAttribute("name", word: 2, index: 1)] = newValue }
    }
    var title: String? {
        get { self[ManagedAttribute("title", word: 3, index: 2)] }
        set { self[ManagedAttribute("title", word: 3, index: 2)] = newValue }
    }
}

final class Hero__Keys: ManagedKeys {
    override class func register(in keys: inout KeyRegistry) {
        keys.attribute("level", word: 1, index: 0, of: Int64.self)
        keys.attribute("name", word: 2, index: 1, of: String?.self)
        keys.attribute("title", word: 3, index: 2, of: String?.self)
    }
}

/// A class as a programmer would write it without a framework.
final class PlainHero {
    var level: Int64
    var name: String?
    var title: String?

    init(_ row: Int) {
        level = Int64(row)
        name = Hero.name(row)
        title = Hero.title(row)
    }

    init(level: Int64, name: String?, title: String?) {
        self.level = level
        self.name = name
        self.title = title
    }
}

extension Hero {
    /// Short enough for Swift to keep it without an allocation.
    static func name(_ row: Int) -> String { "hero \(10_000 + row)" }
    /// Too long for that: 19 bytes.
    static func title(_ row: Int) -> String { "Defender no. \(100_000 + row)" }

    static func model() -> NSManagedObjectModel {
        let entity = NSEntityDescription()
        entity.name = "Hero"
        entity.managedObjectClassName = "Benchmarks.Hero"
        let types = [
            ("level", NSAttributeType.integer64AttributeType), ("name", .stringAttributeType),
            ("title", .stringAttributeType),
        ]
        entity.properties = types.map { name, type in
            let attribute = NSAttributeDescription()
            (attribute.name, attribute.attributeType) = (name, type)
            return attribute
        }
        let model = NSManagedObjectModel()
        model.entities = [entity]
        return model
    }
}
