// A model with relationships of every kind, whose delete rules follow a seed.

import CoreData
import CoreDataTestSupport

/// Knots, strands, bags and tags that lead to each other in every way.
enum RivalGraphModel {
    static let entities = ["Knot", "Bag", "Tag", "Pin"]

    static func make(seed: UInt64) -> NSManagedObjectModel {
        var random = SeededGenerator(seed: seed)
        return make {
            switch Int.random(in: 0..<8, using: &random) {
            case 0, 1: .cascadeDeleteRule
            case 2: .denyDeleteRule
            default: .nullifyDeleteRule
            }
        }
    }

    /// A model whose relationships have the delete rules that a closure gives.
    static func make(_ rule: () -> NSDeleteRule) -> NSManagedObjectModel {
        let made = entities.map {
            NSEntityDescription(
                $0, [NSAttributeDescription("name", .string), NSAttributeDescription("number", .integer64)])
        }
        let (knot, bag, tag, pin) = (made[0], made[1], made[2], made[3])
        let loop = NSEntityDescription("Loop", [NSAttributeDescription("size", .integer32)])
        knot.subentities = [loop]
        func connect(
            _ from: NSEntityDescription, _ name: String, _ count: NSRelationshipDescription.Count,
            _ to: NSEntityDescription, _ inverse: String, _ inverseCount: NSRelationshipDescription.Count
        ) {
            NSRelationshipDescription.connect(from, name, count, to, inverse, inverseCount, rule: rule())
            to.relationshipsByName[inverse]?.deleteRule = rule()
        }
        connect(knot, "next", .one, knot, "previous", .one)
        connect(knot, "pin", .one, pin, "knot", .one)
        connect(loop, "clasp", .one, bag, "loop", .one)
        connect(knot, "whole", .one, knot, "parts", .many)
        connect(knot, "bag", .one, bag, "knots", .ordered)
        connect(knot, "tags", .many, tag, "knots", .many)
        connect(bag, "tags", .ordered, tag, "bags", .many)
        for (name, count) in [("twin", NSRelationshipDescription.Count.one), ("friends", .many)] {
            let own = NSRelationshipDescription(name, to: knot, count)
            own.inverseRelationship = own
            knot.properties.append(own)
        }
        let model = NSManagedObjectModel()
        model.entities = made + [loop]
        return model
    }
}
