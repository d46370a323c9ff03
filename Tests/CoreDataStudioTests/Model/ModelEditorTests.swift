// Each edit, read back from the saved file by the library.

import CoreDataSchema
import CoreDataStudio
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

struct ModelEditorTests {
    @Test
    func renamingAnEntityRenamesAllThatRefersToIt() throws {
        let model = try SmallModel()
        try model.edit(
            .add(kind: "entity", parent: nil, name: "Sidekick", values: ["parentEntity": .text("Hero")]),
            .place([.init(name: "Hero", x: 1, y: 2)]))
        try model.edit(.rename(id: try model.entity("Hero").id, name: "Champion", keepsIdentity: true))
        let saved = try model.saved()
        let champion = try #require(saved.entities.first { $0.name == "Champion" })
        expect(champion.renamingIdentifier, equals: "Hero")
        expect(champion.className, equals: "Champion")
        expect(saved.entities.first { $0.name == "Sidekick" }?.superentityName, equals: "Champion")
        let hero = saved.entities.first { $0.name == "Power" }?.properties.first { $0.name == "hero" }
        expect(hero?.relationship?.destinationEntityName, equals: "Champion")
        expect(saved.configurations.first?.entityNames, equals: ["Champion", "Power"])
        expect(saved.fetchTemplates.first?.request.entityName, equals: "Champion")
        expect(model.root.child("elements")?.children.map(\.title), equals: ["Champion", "Power"])
        #expect(ModelChecker.checks(of: model.root).filter { $0.severity == .error }.isEmpty)
    }

    @Test
    func renamingAPropertyRenamesAllThatRefersToIt() throws {
        let model = try SmallModel()
        let hero = try model.entity("Hero").id
        let index = try #require(
            try model.edit(.add(kind: "fetchIndex", parent: hero, name: "byName", values: [:])).first)
        try model.edit(
            .add(kind: "fetchIndexElement", parent: index, name: nil, values: ["property": .text("name")]))
        try model.edit(
            .rename(id: try model.property("name", of: "Hero").id, name: "title", keepsIdentity: true),
            .rename(id: try model.property("powers", of: "Hero").id, name: "skills", keepsIdentity: false))
        let saved = try model.saved()
        let entity = try #require(saved.entities.first { $0.name == "Hero" })
        expect(entity.uniquenessConstraints, equals: [["title"]])
        expect(entity.indexes.first?.elements.first?.subject, equals: .property("title"))
        expect(entity.properties.first { $0.name == "title" }?.renamingIdentifier, equals: "name")
        let back = saved.entities.first { $0.name == "Power" }?.properties.first { $0.name == "hero" }
        expect(back?.relationship?.inverseName, equals: "skills")
    }

    @Test
    func relationshipsAreMadeInPairs() throws {
        let model = try SmallModel()
        let (hero, power) = (try model.entity("Hero").id, try model.entity("Power").id)
        try model.edit(
            .relate(
                .init(
                    from: hero, to: power, name: "favourites", toMany: true, inverse: "fans",
                    inverseToMany: true)))
        let saved = try model.saved()
        let there = saved.entities.first { $0.name == "Hero" }?.properties.first { $0.name == "favourites" }
        let back = saved.entities.first { $0.name == "Power" }?.properties.first { $0.name == "fans" }
        expect(there?.relationship?.inverseName, equals: "fans")
        expect(there?.relationship?.isToMany, equals: true)
        expect(back?.relationship?.inverseName, equals: "favourites")
        expect(back?.relationship?.destinationEntityName, equals: "Hero")
    }

    @Test
    func anInverseIsSetOnBothSides() throws {
        let model = try SmallModel()
        let power = try model.entity("Power").id
        let made = try model.edit(
            .add(
                kind: "relationship", parent: power, name: "owner",
                values: ["destinationEntity": .text("Hero")]))
        try model.edit(.set(ids: made, field: "inverseName", value: .text("powers")))
        try expect(model.property("powers", of: "Hero")["inverseName"], equals: "owner")
        #expect(try model.property("hero", of: "Power")["inverseName"] == nil)
        try model.edit(.remove(ids: made))
        #expect(try model.property("powers", of: "Hero")["inverseName"] == nil)
        try expect(model.saved().entities.first { $0.name == "Power" }?.properties.count, equals: 2)
    }

    @Test
    func anInverseMustLeadBack() throws {
        let model = try SmallModel()
        let made = try model.edit(
            .add(kind: "entity", parent: nil, name: "Villain", values: [:]))
        let nemesis = try model.edit(
            .add(
                kind: "relationship", parent: made.first, name: "powers",
                values: ["destinationEntity": .text("Power")]))
        #expect(
            throws: ModelEditFailure("Power.hero leads to Hero: it can't be the inverse of Villain.powers.")
        ) {
            try model.edit(.set(ids: nemesis, field: "inverseName", value: .text("hero")))
        }
        try expect(model.property("hero", of: "Power")["destinationEntity"], equals: "Hero")
        try expect(model.property("hero", of: "Power")["inverseName"], equals: "powers")
        // One that leads nowhere yet is completed.
        let open = try model.edit(
            .add(kind: "relationship", parent: try model.entity("Power").id, name: "villain", values: [:]))
        try model.edit(.set(ids: nemesis, field: "inverseName", value: .text("villain")))
        try expect(model.property("villain", of: "Power").id, equals: open.first)
        try expect(model.property("villain", of: "Power")["destinationEntity"], equals: "Villain")
    }

    @Test
    func changingATypeDropsWhatItCantHave() throws {
        let model = try SmallModel()
        let name = try model.property("name", of: "Hero").id
        try model.edit(
            .set(ids: [name], field: "regularExpressionString", value: .text("[A-Z].*")),
            .set(ids: [name], field: "minimum", value: .text("3")),
            .set(ids: [name], field: "defaultValue", value: .text("Bob")))
        try expect(model.saved().entities[0].properties[0].validation.count, equals: 2)
        try model.edit(
            .set(ids: [name], field: "attributeType", value: .text("Date")),
            .set(ids: [name], field: "defaultValue", value: .text("2001-01-01")),
            .set(ids: [name], field: "maximum", value: .text("10")))
        let attribute = try #require(try model.saved().entities[0].properties.first { $0.name == "name" })
        expect(attribute.attribute?.type, equals: .date)
        expect(attribute.attribute?.defaultValue, equals: .date(Date(timeIntervalSinceReferenceDate: 0)))
        expect(attribute.validation.count, equals: 1)
    }

    @Test
    func datesAreWrittenAsPeopleDo() throws {
        let model = try SmallModel()
        let name = try model.property("name", of: "Hero").id
        let maximum = try #require(ModelField.field("maximum", of: "attribute"))
        func set(_ text: String) throws -> [String?] {
            try model.edit(.set(ids: [name], field: "maximum", value: .text(text)))
            let node = try model.property("name", of: "Hero")
            return [node["maxDateTimeInterval"], maximum.value(in: node).text]
        }
        try model.edit(.set(ids: [name], field: "attributeType", value: .text("Date")))
        try expect(set("2024-05-01"), equals: ["736214400", "2024-05-01"])
        try expect(set("2024-05-01T10:20:30.5Z"), equals: ["736251630.5", "2024-05-01T10:20:30.5Z"])
        try expect(set("2024-05-01T12:00:00+02:00"), equals: ["736250400", "2024-05-01T10:00:00Z"])
        try expect(set("86400"), equals: ["86400", "2001-01-02"])
        // What no date shows exactly, or is none, stays as it is.
        try expect(set("0.00000001"), equals: ["1e-08", "1e-08"])
        try expect(set("May"), equals: ["May", "May"])
        try expect(set("now"), equals: ["now", "now"])
        let findings = ModelChecker.checks(of: model.root).filter { $0.field == "maximum" }
        expect(
            findings.map(\.message),
            equals: [
                "The maximum \"now\" is no date as 2024-05-01 or 2024-05-01T10:20:30Z."
            ])
    }

    @Test
    func aNewPropertyStandsWhereItsNameBelongs() throws {
        let model = try SmallModel()
        let hero = try model.entity("Hero").id
        for name in ["zeal", "born"] {
            let made = try model.edit(.add(kind: "attribute", parent: hero, name: nil, values: [:]))
            try model.edit(.rename(id: try #require(made.first), name: name, keepsIdentity: nil))
        }
        try expect(model.entity("Hero").children("attribute").map(\.title), equals: ["born", "name", "zeal"])
        // An order that somebody chose stays.
        var holder = try model.entity("Hero")
        holder.children.reverse()
        holder.renameChild(try model.property("born", of: "Hero").id) { $0["name"] = "aaa" }
        expect(holder.children("attribute").map(\.title), equals: ["zeal", "name", "aaa"])
    }

    @Test
    func blanksOfALayoutAreNoText() throws {
        var numbers = ModelNumbers()
        let tree = try XMLTreeReader.read(Data("<model name=\"a\">\n</model>".utf8))
        var root = ModelNode(tree, numbers: &numbers)
        root["sourceLanguage"] = "Swift"
        let text = String(decoding: try XMLTreeWriter.data(for: root.tree), as: UTF8.self)
        #expect(text.contains("sourceLanguage"))
        #expect(!text.contains("&#10;"))
    }

    @Test
    func severalElementsAreSetAtOnce() throws {
        let model = try SmallModel()
        let ids = [try model.property("name", of: "Hero").id, try model.property("title", of: "Power").id]
        try model.edit(.set(ids: ids, field: "spotlightIndexingEnabled", value: .flag(true)))
        let saved = try model.saved()
        expect(
            saved.entities.flatMap(\.properties).filter(\.isIndexedBySpotlight).map(\.name),
            equals: [
                "name", "title",
            ])
        #expect(throws: ModelEditFailure.self) {
            try model.edit(.set(ids: ids, field: "name", value: .text("same")))
        }
    }

    @Test
    func listsAreWritten() throws {
        let model = try SmallModel()
        let hero = try model.entity("Hero").id
        try model.edit(
            .constraints(id: hero, lists: [["name"], ["name", "powers"]]),
            .userInfo(ids: [hero], entries: [.init(key: "<k>", value: "\"v\" & more")]),
            .members(id: try #require(model.root.child("configuration")).id, names: ["Power"]))
        let saved = try model.saved()
        expect(saved.entities[0].uniquenessConstraints, equals: [["name"], ["name", "powers"]])
        expect(saved.entities[0].userInfo, equals: [.string("<k>"): .string("\"v\" & more")])
        expect(saved.configurations.first?.entityNames, equals: ["Power"])
        try model.edit(.constraints(id: hero, lists: []), .userInfo(ids: [hero], entries: []))
        #expect(try model.saved().entities[0].uniquenessConstraints.isEmpty)
        #expect(throws: ModelEditFailure.self) {
            try model.edit(
                .userInfo(ids: [hero], entries: [.init(key: "a", value: ""), .init(key: "a", value: "")]))
        }
    }

    @Test
    func copiesHaveNamesOfTheirOwn() throws {
        let model = try SmallModel()
        try model.edit(
            .duplicate(ids: [try model.entity("Hero").id, try model.property("name", of: "Hero").id]))
        let saved = try model.saved()
        let copy = try #require(saved.entities.first { $0.name == "HeroCopy" })
        expect(copy.className, equals: "HeroCopy")
        #expect(copy.properties.first { $0.name == "powers" }?.relationship?.inverseName == nil)
        expect(
            saved.entities.first { $0.name == "Hero" }?.properties.contains { $0.name == "nameCopy" },
            equals: true)
    }

    @Test
    func removingAnEntityReleasesWhatRefersToIt() throws {
        let model = try SmallModel()
        try model.edit(.remove(ids: [try model.entity("Power").id]))
        #expect(try model.property("powers", of: "Hero")["inverseName"] == nil)
        expect(model.root.child("configuration")?.children.map(\.title), equals: ["Hero"])
        let checks = ModelChecker.checks(of: model.root)
        #expect(checks.contains { $0.field == "destinationEntity" && $0.place == "Hero.powers" })
    }

    @Test(arguments: [
        ("", "A name is missing."), ("powers", "There is \"powers\" already."),
        ("a\u{1}", "A name can't contain U+1."),
    ])
    func badNamesAreRefused(name: String, message: String) throws {
        let model = try SmallModel()
        #expect(throws: ModelEditFailure(message)) {
            try model.edit(
                .rename(id: try model.property("name", of: "Hero").id, name: name, keepsIdentity: false))
        }
    }

    @Test(arguments: [
        "{\"do\": \"set\", \"ids\": [1], \"field\": \"optional\", \"value\": true}",
        "{\"do\": \"add\", \"kind\": \"entity\"}", "{\"do\": \"remove\", \"ids\": [3]}",
        "{\"do\": \"rename\", \"id\": 3, \"name\": \"A\", \"keepsIdentity\": true}",
        "{\"do\": \"relate\", \"from\": 1, \"to\": 2, \"name\": \"a\", \"toMany\": true}",
        "{\"do\": \"constraints\", \"id\": 1, \"lists\": [[\"a\"]]}",
        "{\"do\": \"userInfo\", \"ids\": [1], \"entries\": [{\"key\": \"a\", \"value\": \"b\"}]}",
        "{\"do\": \"members\", \"id\": 1, \"names\": [\"a\"]}", "{\"do\": \"duplicate\", \"ids\": [1]}",
        "{\"do\": \"place\", \"places\": [{\"name\": \"a\", \"x\": 1, \"y\": 2}]}",
    ])
    func commandsAreReadFromJSON(text: String) throws {
        _ = try JSONDecoder().decode(ModelCommand.self, from: Data(text.utf8))
        let broken = text.replacing("\"do\": \"", with: "\"do\": \"x")
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(ModelCommand.self, from: Data(broken.utf8))
        }
    }
}
