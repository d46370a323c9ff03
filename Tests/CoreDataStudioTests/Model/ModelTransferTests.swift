// Properties that are copied and moved between entities, read back from the saved file.

import CoreDataSchema
import CoreDataStudio
import CoreDataTestSupport
import Foundation
import Testing

struct ModelTransferTests {
    private func names(_ model: SmallModel, _ entity: String) throws -> [String] {
        try model.entity(entity).properties.map(\.title)
    }

    @Test func `Copies have a free name and no inverse`() throws {
        let model = try SmallModel()
        let hero = try model.entity("Hero").id
        let ids = [try model.property("title", of: "Power").id, try model.property("hero", of: "Power").id]
        let made = try model.edit(.copy(ids: ids, to: hero))
        expect(made.count, equals: 2)
        try model.edit(.copy(ids: [ids[0]], to: hero))
        let properties = try #require(try model.saved().entities.first { $0.name == "Hero" }).properties
        expect(Set(properties.map(\.name)), equals: ["name", "powers", "title", "title2", "hero"])
        let copy = properties.first { $0.name == "hero" }?.relationship
        expect(copy?.destinationEntityName, equals: "Hero")
        #expect(copy?.inverseName == nil)
        let back = try model.saved().entities.first { $0.name == "Hero" }?.properties.first {
            $0.name == "powers"
        }
        expect(back?.relationship?.inverseName, equals: "hero", "the original keeps its partner")
    }

    @Test func `A relationship that moves takes its inverse along`() throws {
        let model = try SmallModel()
        try model.edit(.add(kind: "entity", parent: nil, name: "Villain", values: [:]))
        let (powers, villain) = (try model.property("powers", of: "Hero"), try model.entity("Villain"))
        try model.edit(.move(ids: [powers.id], to: villain.id))
        try expect(model.property("powers", of: "Villain").id, equals: powers.id)
        try expect(names(model, "Hero"), equals: ["name"])
        let back = try model.saved().entities.first { $0.name == "Power" }?.properties.first {
            $0.name == "hero"
        }
        expect(back?.relationship?.destinationEntityName, equals: "Villain")
        expect(back?.relationship?.inverseName, equals: "powers")
        #expect(ModelChecker.checks(of: model.root).filter { $0.severity == .error }.isEmpty)
    }

    @Test func `An attribute moves up to the entity that others inherit from`() throws {
        let model = try SmallModel()
        try model.edit(.add(kind: "entity", parent: nil, name: "Being", values: [:]))
        try model.edit(
            .set(ids: [try model.entity("Hero").id], field: "parentEntity", value: .text("Being")))
        let name = try model.property("name", of: "Hero")
        try model.edit(.move(ids: [name.id], to: try model.entity("Being").id))
        try expect(names(model, "Being"), equals: ["name"])
        try model.edit(.move(ids: [name.id], to: try model.entity("Being").id))
        try expect(names(model, "Being"), equals: ["name"], "it is there already")
    }

    @Test func `What another element can't hold isn't moved`() throws {
        let model = try SmallModel()
        let (hero, power) = (try model.entity("Hero"), try model.entity("Power"))
        let composite = try #require(
            try model.edit(.add(kind: "composite", parent: nil, name: "Address", values: [:])).first)
        try model.edit(.add(kind: "attribute", parent: hero.id, name: "title", values: [:]))
        let powers = try model.property("powers", of: "Hero").id
        let before = model.root
        for command in [
            ModelCommand.move(ids: [powers], to: composite), .copy(ids: [powers], to: composite),
            .move(ids: [try model.property("title", of: "Power").id], to: hero.id),
            .move(ids: [hero.id], to: power.id), .copy(ids: [hero.id], to: power.id),
            .move(ids: [999_999], to: power.id), .copy(ids: [powers], to: 999_999),
        ] {
            #expect(throws: (any Error).self) { try model.edit(command) }
        }
        expect(model.root, equals: before)
        try model.edit(.copy(ids: [try model.property("title", of: "Hero").id], to: composite))
        expect(model.root.node(composite)?.children.map(\.title), equals: ["title"])
    }

    @Test func `Pages state both in JSON`() throws {
        for (text, command) in [
            (#"{"do": "copy", "ids": [1, 2], "parent": 3}"#, ModelCommand.copy(ids: [1, 2], to: 3)),
            (#"{"do": "move", "ids": [1], "parent": 3}"#, .move(ids: [1], to: 3)),
        ] {
            try expect(JSONDecoder().decode(ModelCommand.self, from: Data(text.utf8)), equals: command)
        }
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(ModelCommand.self, from: Data(#"{"do": "move", "ids": [1]}"#.utf8))
        }
    }
}
