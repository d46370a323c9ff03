// Somebody who follows a file by its history has what is in it, without fetching or refreshing anything.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct HistoryFollowingTests {
    private static func model() -> NSManagedObjectModel {
        let thing = NSEntityDescription(
            "Thing",
            NSAttributeDescription.all(("name", .stringAttributeType), ("rank", .integer32AttributeType)))
        thing.subentities = [NSEntityDescription("Gadget")]
        let owner = NSEntityDescription("Owner", [NSAttributeDescription("name", .stringAttributeType)])
        let label = NSEntityDescription("Label", [NSAttributeDescription("name", .stringAttributeType)])
        NSRelationshipDescription.connect(owner, "things", .many, thing, "owner", .one)
        NSRelationshipDescription.connect(thing, "labels", .many, label, "things", .many)
        NSRelationshipDescription.connect(owner, "favorite", .one, thing, "fans", .many)
        NSRelationshipDescription.connect(
            thing, "parts", .many, thing, "whole", .one, rule: .cascadeDeleteRule)
        let model = NSManagedObjectModel()
        model.entities = [thing] + thing.subentities + [owner, label]
        return model
    }

    private func contents(_ context: NSManagedObjectContext) throws -> [String] {
        func key(_ object: Any?) -> String {
            (object as? NSManagedObject)?.objectID.uriRepresentation().lastPathComponent ?? "-"
        }
        return try ["Thing", "Owner", "Label"].flatMap { entity in
            try context.all(entity).map { object in
                let relationships = object.entity.relationshipsByName.keys.sorted().map { name in
                    let value = object.value(forKey: name)
                    guard let members = value as? Set<NSManagedObject> else { return key(value) }
                    return members.map(key).sorted().joined(separator: ",")
                }
                return ([entity, key(object), object.text("name") ?? "-"] + relationships).joined(
                    separator: " ")
            }
        }.sorted()
    }

    private func edit(
        _ context: NSManagedObjectContext, _ generator: inout SeededGenerator, round: Int
    ) throws {
        let things = try context.all("Thing", sort: "rank")
        let owners = try context.all("Owner", sort: "name")
        let labels = try context.all("Label", sort: "name")
        for number in 0..<Int.random(in: 1...5, using: &generator) {
            let staying = things.filter { !$0.isDeleted }
            let (thing, other) = (
                staying.randomElement(using: &generator), staying.randomElement(using: &generator)
            )
            let name = "\(round).\(number)"
            switch Int.random(in: 0..<9, using: &generator) {
            case 0, 1, 2:
                let entity = number % 2 == 0 ? "Thing" : "Gadget"
                _ = context.make(entity, ["name": name, "rank": round * 10 + number])
            case 3: _ = context.make(number % 2 == 0 ? "Owner" : "Label", ["name": name])
            case 4: thing?.setValue(owners.randomElement(using: &generator), forKey: "owner")
            case 5:
                let label = labels.randomElement(using: &generator)
                if let label { thing?.mutableSetValue(forKey: "labels").add(label) }
            case 6: thing?.setValue(name, forKey: "name")
            case 7: if thing !== other { thing?.setValue(other, forKey: "whole") }
            default: owners.randomElement(using: &generator)?.setValue(thing, forKey: "favorite")
            }
        }
        try context.save()
        guard let doomed = things.randomElement(using: &generator), round % 3 == 2 else { return }
        if round % 2 == 0 {
            context.delete(doomed)
            try context.save()
        } else {
            try context.batchDelete("Thing", "rank == \(doomed.value(forKey: "rank") ?? 0)")
            context.reset()
        }
    }

    @Test(arguments: 0..<rounds(4, long: 8), StoreKind.tracking)
    func whoMergesHistoryHasWhatIsThere(_ seed: Int, _ kind: StoreKind) throws {
        let writer = try HistoryFixture(Self.model(), on: kind)
        let reader = try HistoryFixture(Self.model(), beside: writer)
        var generator = SeededGenerator(seed: UInt64(seed))
        var token = try reader.token()
        var held: Set<NSManagedObject> = []
        for round in 0..<24 {
            try writer.context.run { try edit(writer.context, &generator, round: round) }
            try reader.context.run { () throws in
                for transaction in try reader.transactions(.fetchHistory(after: token)) {
                    token = transaction.token
                    reader.context.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
                }
                let known = try contents(reader.context)
                held.formUnion(reader.context.registeredObjects)
                let fresh = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
                fresh.persistentStoreCoordinator = reader.coordinator
                try expect(fresh.run { try contents(fresh) }, equals: known, "seed \(seed), round \(round)")
            }
        }
    }
}
