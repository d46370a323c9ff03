// Each finding, at its place.

import CoreDataStudio
import CoreDataTestSupport
import Foundation
import Testing

struct ModelCheckTests {
    private func checks(_ edits: (SmallModel) throws -> [ModelCommand]) throws -> [ModelCheck] {
        let model = try SmallModel()
        for command in try edits(model) { try model.edit(command) }
        return ModelChecker.checks(of: model.root)
    }

    private func name(_ field: String, _ value: String) throws -> [ModelCheck] {
        try checks {
            [.set(ids: [try $0.property("name", of: "Hero").id], field: field, value: .text(value))]
        }
    }

    @Test
    func aSoundModelHasNoErrors() throws {
        #expect(try checks { _ in [] }.filter { $0.severity == .error }.isEmpty)
    }

    @Test
    func badRegularExpressions() throws {
        let check = try #require(try name("regularExpressionString", "[").first { $0.severity == .error })
        expect(check.field, equals: "regularExpressionString")
        expect(check.place, equals: "Hero.name")
    }

    @Test
    func badDefaults() throws {
        let checks = try self.checks {
            let id = try $0.property("name", of: "Hero").id
            return [
                .set(ids: [id], field: "attributeType", value: .text("Integer 16")),
                .set(ids: [id], field: "defaultValue", value: .text("70000")),
                .set(ids: [id], field: "minimum", value: .text("five")),
            ]
        }
        #expect(checks.contains { $0.field == "defaultValue" && $0.message.contains("out of range") })
        #expect(checks.contains { $0.field == "minimum" && $0.message.contains("no whole number") })
    }

    @Test(arguments: [
        ("Integer 16", "3", "5", "9", "The default value is below the minimum."),
        ("Double", "9.5", "5", "9", "The default value is above the maximum."),
        ("Decimal", "5", "5", "9", ""),
        ("Date", "2024-05-01", "2024-05-02", "2024-06-01", "The default value is below the minimum."),
        ("String", "abcdef", "1", "5", "The default value is longer than the maximum length."),
        ("String", "", "1", "5", ""),
    ])
    func defaultsThatBreakTheirOwnBounds(
        type: String, text: String, least: String, greatest: String, message: String
    ) throws {
        let checks = try self.checks {
            let id = try $0.property("name", of: "Hero").id
            return [
                .set(ids: [id], field: "attributeType", value: .text(type)),
                .set(ids: [id], field: "defaultValue", value: .text(text)),
                .set(ids: [id], field: "minimum", value: .text(least)),
                .set(ids: [id], field: "maximum", value: .text(greatest)),
            ]
        }
        expect(
            checks.filter { $0.field == "defaultValue" }.map(\.message),
            equals: (message.isEmpty ? [] : [message]))
    }

    @Test(arguments: [("abc", false), ("Abc", true), ("Abc1", false)])
    func defaultsThatDontMatchTheirPattern(text: String, isFine: Bool) throws {
        let checks = try self.checks {
            let id = try $0.property("name", of: "Hero").id
            return [
                .set(ids: [id], field: "regularExpressionString", value: .text("A[a-z]+|B")),
                .set(ids: [id], field: "defaultValue", value: .text(text)),
            ]
        }
        expect(checks.contains { $0.field == "defaultValue" }, equals: !isFine)
    }

    @Test
    func undefinedTypes() throws {
        #expect(
            try name("attributeType", "Undefined").contains {
                $0.field == "attributeType" && $0.severity == .error
            })
    }

    @Test
    func badPredicatesHaveAPosition() throws {
        let checks = try self.checks {
            let id = try #require($0.root.child("fetchRequest")).id
            return [.set(ids: [id], field: "predicateString", value: .text("name == "))]
        }
        let check = try #require(checks.first { $0.field == "predicateString" })
        expect(check.severity, equals: .error)
        expect(check.position, equals: 8)
        let unknown = try self.checks {
            let id = try #require($0.root.child("fetchRequest")).id
            return [
                .set(
                    ids: [id], field: "predicateString",
                    value: .text("nmae == 'x' AND ANY powers.title == 'y'"))
            ]
        }
        #expect(unknown.map(\.message).contains("Hero has no property \"nmae\"."))
        expect(unknown.filter { $0.field == "predicateString" }.count, equals: 1)
    }

    @Test
    func derivations() throws {
        let checks = try self.checks {
            let id = try $0.property("title", of: "Power").id
            return [
                .set(ids: [id], field: "derived", value: .flag(true)),
                .set(ids: [id], field: "derivationExpression", value: .text("hero.name.(")),
            ]
        }
        #expect(checks.contains { $0.field == "derivationExpression" && $0.severity == .error })
        #expect(
            try self.checks {
                [.set(ids: [try $0.property("title", of: "Power").id], field: "derived", value: .flag(true))]
            }.contains { $0.field == "derivationExpression" && $0.severity == .error })
    }

    @Test
    func missingInverseAndNoAction() throws {
        let checks = try self.checks {
            let id = try $0.property("powers", of: "Hero").id
            return [
                .set(ids: [id], field: "inverseName", value: .none),
                .set(ids: [id], field: "deletionRule", value: .text("No Action")),
            ]
        }
        expect(
            checks.filter { $0.field == "inverseName" }.map(\.place), equals: ["Hero.powers", "Power.hero"])
        #expect(checks.contains { $0.field == "deletionRule" && $0.place == "Hero.powers" })
    }

    @Test
    func deleteRuleTraps() throws {
        let required = try self.checks {
            [
                .set(
                    ids: [try $0.property("powers", of: "Hero").id], field: "deletionRule",
                    value: .text("Nullify")),
                .set(ids: [try $0.property("hero", of: "Power").id], field: "optional", value: .flag(false)),
            ]
        }
        #expect(required.contains { $0.place == "Hero.powers" && $0.message.contains("required") })
        let denied = try self.checks {
            let ids = [try $0.property("powers", of: "Hero").id, try $0.property("hero", of: "Power").id]
            return [.set(ids: ids, field: "deletionRule", value: .text("Deny"))]
        }
        expect(denied.filter { $0.message.contains("Both sides say Deny") }.count, equals: 1)
    }

    @Test
    func circlesAndUnknownNames() throws {
        let checks = try self.checks {
            [
                .set(ids: [try $0.entity("Hero").id], field: "parentEntity", value: .text("Power")),
                .set(ids: [try $0.entity("Power").id], field: "parentEntity", value: .text("Hero")),
            ]
        }
        expect(checks.filter { $0.field == "parentEntity" && $0.message.contains("itself") }.count, equals: 2)
        let gone = try self.checks {
            [.constraints(id: try $0.entity("Hero").id, lists: [["alias"]])]
        }
        #expect(gone.contains { $0.field == "constraints" && $0.message.contains("alias") })
    }

    @Test
    func reservedNames() throws {
        let checks = try self.checks {
            [.rename(id: try $0.property("name", of: "Hero").id, name: "description", keepsIdentity: false)]
        }
        #expect(checks.contains { $0.field == "name" && $0.place == "Hero.description" })
    }
}
