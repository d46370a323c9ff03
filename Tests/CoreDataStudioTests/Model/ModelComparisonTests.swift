// Versions in words, their migration, and what they become.

import CoreDataStudio
import CoreDataTestSupport
import Foundation
import Testing

struct ModelComparisonTests {
    private func compared(_ edits: (SmallModel) throws -> [ModelCommand]) throws -> (ModelNode, ModelNode) {
        let model = try SmallModel()
        let older = model.root
        for command in try edits(model) { try model.edit(command) }
        return (older, model.root)
    }

    @Test
    func everythingThatChangedIsTold() throws {
        let (older, newer) = try compared {
            [
                .rename(id: try $0.entity("Power").id, name: "Skill", keepsIdentity: true),
                .add(
                    kind: "attribute", parent: try $0.entity("Hero").id, name: "age",
                    values: ["attributeType": .text("Integer 16")]),
                .set(ids: [try $0.property("name", of: "Hero").id], field: "optional", value: .flag(true)),
                .remove(ids: [try $0.property("title", of: "Power").id]),
            ]
        }
        let words = ModelComparison.differences(from: older, to: newer).map { "\($0.place): \($0.words)" }
        expect(
            Set(words),
            equals: [
                "Hero.age: new attribute, Integer 16, optional", "Hero.name: Optional: no → yes",
                "Skill: renamed: was Power", "Skill.title: attribute removed",
            ])
        let verdict = ModelMigrationVerdict(from: older, to: newer)
        #expect(verdict.isInferable)
        #expect(verdict.steps.contains { $0.losesData })
        #expect(!verdict.isCounted)
    }

    @Test
    func whatCantBeInferredIsSaid() throws {
        let (older, newer) = try compared {
            [
                .set(
                    ids: [try $0.property("name", of: "Hero").id], field: "attributeType",
                    value: .text("Date"))
            ]
        }
        let verdict = ModelMigrationVerdict(from: older, to: newer)
        #expect(!verdict.isInferable)
        expect(verdict.reason?.contains("Hero.name"), equals: true)
    }

    @Test
    func equalVersionsDiffer() throws {
        let (older, newer) = try compared { _ in [] }
        #expect(ModelComparison.differences(from: older, to: newer).isEmpty)
        #expect(ModelMigrationVerdict(from: older, to: newer).steps.isEmpty)
    }

    @Test
    func previews() throws {
        let model = try SmallModel()
        let swift = try ModelPreview.swift(of: model.root, named: "Heroes")
        #expect(swift.contains { $0.text.contains("class Hero") })
        let sql = try ModelPreview.sql(of: model.root)
        expect(sql.first { $0.name == "TABLE ZHERO" }?.text.contains("ZNAME VARCHAR"), equals: true)
        #expect(sql.allSatisfy { $0.text.hasSuffix(";") })
    }
}
