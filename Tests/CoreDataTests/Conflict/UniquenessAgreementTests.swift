// Random edits, and batches, of values that must be unique: files and memory come to the same, under every policy.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct UniquenessAgreementTests {
    private static let policies: [NSMergePolicy] = [
        .error, .mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump, .overwrite, .rollback,
    ]
    private static let kinds: [StoreKind] = [.sqlite, .tracked, .inMemory] + StoreKind.onServers

    /// Things are unique by name and code, which gadgets and widgets inherit, and gadgets by their serial number.
    private static func model() -> NSManagedObjectModel {
        let thing = NSEntityDescription(
            "Thing",
            NSAttributeDescription.all(
                ("name", .stringAttributeType), ("code", .integer32AttributeType),
                ("rank", .integer16AttributeType)))
        let gadget = NSEntityDescription("Gadget", [NSAttributeDescription("serial", .stringAttributeType)])
        thing.subentities = [gadget, NSEntityDescription("Widget")]
        thing.uniquenessConstraints = [["name", "code"]]
        gadget.uniquenessConstraints = [["serial"]]
        let model = NSManagedObjectModel()
        model.entities = [thing] + thing.subentities
        return model
    }

    private func contents(_ context: NSManagedObjectContext) throws -> [String] {
        context.reset()
        return try context.all("Thing").map { thing in
            let keys = ["name", "code", "rank"] + (thing.entity.name == "Gadget" ? ["serial"] : [])
            let values = keys.map { thing.value(forKey: $0).map { "\($0)" } ?? "-" }
            return ([thing.entity.name ?? ""] + values).joined(separator: " ")
        }.sorted()
    }

    private struct Dice {
        var generator: SeededGenerator

        mutating func one<Item>(of items: [Item]) -> Item? { items.randomElement(using: &generator) }
        mutating func number(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &generator) }

        mutating func entity() -> String { one(of: ["Thing", "Gadget", "Widget"]) ?? "Thing" }

        mutating func values(of entity: String?) -> [String: Any] {
            var values: [String: Any] = ["name": one(of: ["a", "b"]) ?? "", "code": number(below: 4)]
            if entity == "Gadget" { values["serial"] = one(of: ["s", "t", "u"]) }
            return values
        }
    }

    private func edit(_ context: NSManagedObjectContext, _ dice: inout Dice, round: Int) throws {
        let things = try context.all("Thing", sort: "rank")
        for number in 0...dice.number(below: 4) {
            let thing = dice.one(of: things)
            let entity = dice.entity()
            switch dice.number(below: 4) {
            case 0:
                context.make(entity, dice.values(of: entity)).setValue(round * 4 + number, forKey: "rank")
            case 1: thing.map(context.delete)
            default:
                let values = dice.values(of: thing?.entity.name)
                if thing?.isDeleted == false { thing?.setValuesForKeys(values) }
            }
        }
    }

    @Test(arguments: 0..<rounds(4, long: 10)) func savesAgree(_ seed: Int) throws {
        let containers = try Self.kinds.map { try $0.makeContainer(Self.model()) }
        for round in 0..<20 {
            let outcomes = try containers.map { container in
                var dice = Dice(generator: SeededGenerator(seed: UInt64(seed * 100 + round)))
                let context = container.viewContext
                context.mergePolicy = Self.policies[seed % 5]
                try edit(context, &dice, round: round)
                let error = thrownError { try context.save() }
                if error != nil { context.rollback() }
                #expect(!context.hasChanges)
                return ["\(error?.code ?? 0)"] + (try contents(context))
            }
            expect(Set(outcomes).count, equals: 1, "seed \(seed), round \(round): \(outcomes)")
        }
    }

    @Test(arguments: 0..<rounds(4, long: 10)) func batchesAgree(_ seed: Int) throws {
        let containers = try Self.kinds.map { try $0.makeContainer(Self.model()) }
        for round in 0..<20 {
            let outcomes = try containers.map { container in
                var dice = Dice(generator: SeededGenerator(seed: UInt64(seed * 100 + round)))
                let context = container.viewContext
                context.mergePolicy = Self.policies[(seed + round) % 5]
                let entity = dice.entity()
                var count = 0
                let error = thrownError {
                    let code = dice.number(below: 4)
                    switch dice.number(below: 5) {
                    case 0: count = try context.batchDelete(entity, "code == \(code)")
                    case 1:
                        count = try context.batchUpdate(entity, "code == \(code)", dice.values(of: entity))
                    default:
                        count = try context.batchInsert(
                            entity, (0...dice.number(below: 4)).map { _ in dice.values(of: entity) })
                    }
                }
                return ["\(error?.code ?? 0) \(error == nil ? count : 0)"] + (try contents(context))
            }
            expect(Set(outcomes).count, equals: 1, "seed \(seed), round \(round): \(outcomes)")
        }
    }
}
