// Reads optimised compiled models (.omo), as far as the form is known: Docs/ModelFiles.md has it.

package import CoreDataSchema
import CoreDataSupport
package import Foundation

/// A reader of optimised models. A model that isn't understood to the last word is an error, so that the
/// plain compiled model beside it is read instead: no part is skipped, and all hashes that the file states
/// must be those of the model.
package struct OptimizedModelReader {
    let sections: OptimizedModelSections
    var entities: [Entity] = []
    var properties: [Property] = []

    private static let sizeLimit = 8 << 20

    /// An entity as it is being read, with what its words refer to.
    struct Entity {
        var schema: EntitySchema
        var words: [Int]
        var parent: Int?
        /// The properties in the order of the entity's own numbers.
        var slots: [Slot] = []
        /// Itself and all entities below it.
        var family: Set<Int> = []
        var root = 0
        /// The numbers of direct subentities.
        var children: [Int] = []
        /// The place of the words behind the ranges.
        var tail = 0
        /// Indicates whether the entity has a uniqueness constraint, its own or an inherited one.
        var hasConstraint = false
    }

    enum Slot {
        case own(Int)
        case inherited(Int)
    }

    /// A property with its place and the hash that the file states.
    struct Property {
        var schema: PropertySchema
        var entity: Int
        var slot: Int
        var hash: Data
        /// The numbers of a relationship's destination and inverse.
        var destination = 0
        var inverse: Int?
    }

    /// The model in an optimised model's bytes. `file` names them in errors. Throws `ModelFileError`.
    package static func read(_ data: Data, from file: String) throws -> ModelSchema {
        try ModelFileError.locating(file) {
            guard data.count <= sizeLimit else { throw unknown("a file of this size") }
            var reader = try OptimizedModelReader(sections: OptimizedModelSections(data))
            try reader.readProperties()
            try reader.readEntities()
            return try reader.model()
        }
    }

    private init(sections: OptimizedModelSections) throws {
        self.sections = sections
    }

    private func model() throws -> ModelSchema {
        let identifier = try versionIdentifier()
        var model = ModelSchema(
            entities: entities.map(\.schema), versionIdentifiers: identifier.map { [$0] } ?? [])
        for (number, entity) in entities.enumerated() {
            model.entities[number].superentityName = entity.parent.map { entities[$0].schema.name }
            let own = properties.filter { $0.entity == number }
            model.entities[number].properties = try own.map(linked)
        }
        try checkHashes(model)
        return model
    }

    /// A property whose relationship names what its numbers say.
    private func linked(_ property: Property) throws -> PropertySchema {
        guard var traits = property.schema.relationship else { return property.schema }
        var schema = property.schema
        traits.destinationEntityName = try entity(property.destination).schema.name
        if let number = property.inverse {
            guard number < properties.count, properties[number].schema.relationship != nil else {
                throw Self.unknown("an inverse")
            }
            traits.inverseName = properties[number].schema.name
        }
        schema.kind = .relationship(traits)
        return schema
    }

    private func checkHashes(_ model: ModelSchema) throws {
        var seen = model.entities.map { _ in 0 }
        for property in properties {
            let schema = model.entities[property.entity].properties[seen[property.entity]]
            seen[property.entity] += 1
            guard VersionHash.hash(of: schema) == property.hash else {
                throw ModelFileError(
                    file: "", entity: model.entities[property.entity].name, property: schema.name,
                    reason: "the hash is another one than the file states")
            }
        }
        let hashes = VersionHash.hashes(of: ModelIndex(model))
        for entity in entities {
            guard let hash = hashes[entity.schema.name], try hash.data == data(entity.words[2]) else {
                throw ModelFileError(
                    file: "", entity: entity.schema.name,
                    reason: "the hash is another one than the file states")
            }
        }
    }

    // MARK: References

    func entity(_ number: Int) throws -> Entity {
        guard entities.indices.contains(number) else { throw Self.unknown("an entity's number") }
        return entities[number]
    }

    func text(_ number: Int) throws -> String {
        guard number > 0, number < sections.texts.count else { throw Self.unknown("a name") }
        return sections.texts[number]
    }

    func wideText(_ number: Int) throws -> String? {
        guard number < sections.wideTexts.count else { throw Self.unknown("a text") }
        return number == 0 ? nil : sections.wideTexts[number]
    }

    func data(_ number: Int) throws -> Data {
        guard number > 0, number < sections.data.count else { throw Self.unknown("a hash") }
        return sections.data[number]
    }

    static func unknown(_ part: String) -> ArchiveFailure {
        ArchiveFailure("\(part) has a form that isn't known of optimised models")
    }

    static func check(_ holds: Bool, part: String) throws {
        if !holds { throw unknown(part) }
    }
}
