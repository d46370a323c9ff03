// Remarks that Xcode makes too, each at its field.

import CoreDataStudio
import CoreDataTestSupport
import Foundation
import Testing

struct ModelCheckConventionTests {
    private func checks(_ edits: (SmallModel) throws -> [ModelCommand]) throws -> [ModelCheck] {
        let model = try SmallModel()
        for command in try edits(model) { try model.edit(command) }
        return ModelChecker.checks(of: model.root)
    }

    private func words(_ field: String, at place: String, _ edits: (SmallModel) throws -> [ModelCommand])
        throws
        -> [String]
    {
        try checks(edits).filter { $0.field == field && $0.place == place }.map(\.message)
    }

    @Test func `A model that keeps to the conventions has no remarks`() throws {
        try expect(checks { _ in [] }.filter { $0.severity != .note }, equals: [])
    }

    @Test func `Names begin as Xcode wants them`() throws {
        try expect(
            words("name", at: "hero") {
                [.rename(id: try $0.entity("Hero").id, name: "hero", keepsIdentity: false)]
            }, equals: ["Xcode wants names of entities to begin with a capital letter."])
        try expect(
            words("name", at: "Hero.Name") {
                [.rename(id: try $0.property("name", of: "Hero").id, name: "Name", keepsIdentity: false)]
            }, equals: ["Xcode wants names of properties to begin with a lower-case letter."])
    }

    @Test(arguments: [
        ("deleted", true), ("copy", true), ("description", true), ("prepareForDeletion", true),
        ("delete", false),
    ])
    func `Names of members of NSManagedObject`(name: String, isTaken: Bool) throws {
        let found = try words("name", at: "Hero.\(name)") {
            [.rename(id: try $0.property("name", of: "Hero").id, name: name, keepsIdentity: false)]
        }
        expect(found, equals: (isTaken ? ["NSManagedObject has a member of the same name."] : []))
    }

    @Test(arguments: [("newTitle", true), ("newest", false), ("copy1", true), ("allocation", false)])
    func `Names of methods whose result is the caller's`(name: String, isOwned: Bool) throws {
        let found = try words("name", at: "Hero.\(name)") {
            [.rename(id: try $0.property("name", of: "Hero").id, name: name, keepsIdentity: false)]
        }
        expect(found.contains { $0.hasPrefix("Objective-C takes") }, equals: isOwned)
    }

    @Test func `A class is generated once`() throws {
        let found = try words("className", at: "Power") {
            let id = try $0.entity("Power").id
            return [
                .set(ids: [id], field: "className", value: .text("Hero")),
                .set(ids: [id], field: "codeGenerationType", value: .text("class")),
            ]
        }
        expect(found, equals: ["The class Hero is generated for Hero already: a target can't have it twice."])
        try expect(
            words("className", at: "Power") {
                [.set(ids: [try $0.entity("Power").id], field: "className", value: .text("Super Power"))]
            }, equals: ["\"Super Power\" can't be the name of a class."])
    }

    @Test func `Code generation without a class`() throws {
        try expect(
            words("className", at: "Power") {
                [.set(ids: [try $0.entity("Power").id], field: "codeGenerationType", value: .text("class"))]
            }, equals: ["Code is to be generated, but the entity has no class of its own."])
    }

    @Test func `An abstract entity without children`() throws {
        let abstract: (SmallModel) throws -> [ModelCommand] = {
            [.set(ids: [try $0.entity("Power").id], field: "isAbstract", value: .flag(true))]
        }
        try expect(words("isAbstract", at: "Power", abstract).count, equals: 1)
        let inherited = try words("isAbstract", at: "Power") {
            try abstract($0)
                + [.set(ids: [try $0.entity("Hero").id], field: "parentEntity", value: .text("Power"))]
        }
        expect(inherited, equals: [])
    }

    @Test(arguments: [
        ("", 1), ("NSKeyedUnarchiveFromData", 1), ("NSSecureUnarchiveFromData", 0), ("Mine", 0),
    ])
    func `Transformers that aren't secure`(transformer: String, count: Int) throws {
        let found = try words("valueTransformerName", at: "Power.title") {
            let id = try $0.property("title", of: "Power").id
            return [
                .set(ids: [id], field: "attributeType", value: .text("Transformable")),
                .set(ids: [id], field: "valueTransformerName", value: .text(transformer)),
            ]
        }
        expect(found.count, equals: count)
    }

    @Test(arguments: [
        ("powers", "Hero", "Cascade", "a Power can be in this relationship of one Hero only", 0),
        ("hero", "Power", "Nullify", "who deletes a Hero leaves this relationship as it is", 1),
        ("hero", "Power", "Cascade", "who deletes a Hero leaves this relationship as it is", 1),
        ("hero", "Power", "Deny", "who deletes a Hero leaves this relationship as it is", 0),
    ])
    func `Relationships without an inverse, by delete rule`(
        name: String, entity: String, rule: String, words: String, notes: Int
    ) throws {
        let found = try checks {
            let id = try $0.property(name, of: entity).id
            return [
                .set(ids: [id], field: "inverseName", value: .none),
                .set(ids: [id], field: "deletionRule", value: .text(rule)),
            ]
        }.filter { $0.place == "\(entity).\(name)" }
        expect(
            found.filter { $0.field == "inverseName" }.map(\.message),
            equals: ["The relationship has no inverse, which is an advanced setting: \(words)."])
        expect(found.filter { $0.field == "deletionRule" && $0.severity == .note }.count, equals: notes)
    }

    @Test func `Relationships without a destination`() throws {
        try expect(
            words("destinationEntity", at: "Power.hero") {
                [
                    .set(
                        ids: [try $0.property("hero", of: "Power").id], field: "destinationEntity",
                        value: .none)
                ]
            }, equals: ["There is no destination."])
    }

    @Test func `A relationship to one object that is ordered`() throws {
        try expect(
            words("ordered", at: "Power.hero") {
                [.set(ids: [try $0.property("hero", of: "Power").id], field: "ordered", value: .flag(true))]
            }, equals: ["A to-one relationship can't be ordered."])
    }

    @Test func `An index without elements`() throws {
        let found = try checks {
            [.add(kind: "fetchIndex", parent: try $0.entity("Hero").id, name: "byName", values: [:])]
        }
        expect(
            found.filter { $0.place == "Hero.byName" }.map(\.message),
            equals: ["The fetch index has no elements."])
    }
}

struct ModelCheckCloudKitTests {
    private func found(_ edits: (SmallModel) throws -> [ModelCommand]) throws -> [String] {
        let model = try SmallModel()
        for command in try edits(model) { try model.edit(command) }
        return ModelChecker.checks(of: model.root).filter { $0.message.contains("CloudKit") }
            .map { "\($0.place) \($0.field ?? "")" }.sorted()
    }

    @Test func `A model that is used with CloudKit`() throws {
        try expect(found { _ in [] }, equals: [])
        let used: (SmallModel) -> [ModelCommand] = {
            [.set(ids: [$0.root.id], field: "usedWithCloudKit", value: .flag(true))]
        }
        try expect(found(used), equals: ["Hero constraints", "Hero.name optional"])
        let more = try found {
            let powers = try $0.property("powers", of: "Hero").id,
                hero = try $0.property("hero", of: "Power").id
            return used($0) + [
                .set(ids: [powers], field: "ordered", value: .flag(true)),
                .set(ids: [powers], field: "deletionRule", value: .text("Deny")),
                .set(ids: [hero], field: "optional", value: .flag(false)),
                .set(ids: [hero], field: "inverseName", value: .none),
                .set(
                    ids: [try $0.property("name", of: "Hero").id], field: "defaultValue",
                    value: .text("Nobody")),
                .constraints(id: try $0.entity("Hero").id, lists: []),
                .set(
                    ids: [try $0.property("title", of: "Power").id], field: "attributeType",
                    value: .text("ObjectID")),
            ]
        }
        expect(
            more,
            equals: [
                "Hero.powers deletionRule", "Hero.powers inverseName", "Hero.powers ordered",
                "Power.hero inverseName", "Power.hero optional", "Power.title attributeType",
            ])
    }

    @Test func `A configuration that is used with CloudKit`() throws {
        let found = try found {
            let id = try #require($0.root.child("configuration")).id
            return [
                .members(id: id, names: ["Power"]),
                .set(ids: [id], field: "usedWithCloudKit", value: .flag(true)),
            ]
        }
        expect(found, equals: ["Power.hero destinationEntity"])
    }
}
