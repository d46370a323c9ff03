// Random edits on three levels of contexts must end in the same store as the same edits in one context.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct ContextTreeDifferentialTests {
    @Test(arguments: [StoreKind.sqlite, .inMemory] + StoreKind.onServers, 1...UInt64(rounds(2, long: 40)))
    func aTreeEndsWhereOneContextDoes(_ kind: StoreKind, _ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let (one, tree) = (
            try ContextTree(kind, RandomEdit.model()), try ContextTree(kind, RandomEdit.model())
        )
        var script = EditScript()
        for round in 0..<25 {
            let editor = [tree.leaf, tree.leaf, tree.middle, tree.root][Int(random.next() % 4)]
            // An editor must see the others' changes.
            for context in tree.upwards.prefix(while: { $0 !== editor }) { try context.save() }
            for context in tree.upwards.reversed() { context.refreshAllObjects() }
            for _ in 0..<Int(random.next() % 12 + 1) {
                let edit = script.next(&random)
                try edit.apply(to: one.root)
                try edit.apply(to: editor)
            }
            let count = Int(random.next() % 4)
            for context in tree.upwards.drop(while: { $0 !== editor }).prefix(count) { try context.save() }
            if random.next() % 3 == 0 { try one.root.save() }
            if round % 5 == 4 { try expectEqual(one, tree, "round \(round)") }
        }
        #expect(try tree.fresh().all("Parent").count > 0)
    }

    private func expectEqual(_ one: ContextTree, _ tree: ContextTree, _ comment: Comment) throws {
        try one.root.save()
        try tree.saveAll()
        try #require(RandomEdit.difference(one.fresh(), tree.fresh()) == [], comment)
        for context in tree.upwards.reversed() {
            context.refreshAllObjects()
            try #require(RandomEdit.difference(one.fresh(), context) == [], comment)
        }
    }
}

/// Makes edits that name objects by their names, so that they can be made in any context.
struct EditScript {
    private var names: [String: [String]] = [:]
    private var count = 0

    mutating func next(_ random: inout SeededGenerator) -> RandomEdit {
        let entities = ["Parent", "Child", "Special", "Tag"]
        let entity = entities[Int(random.next() % 4)]
        let known = names[entity, default: []]
        if known.isEmpty || random.next() % 4 == 0 {
            count += 1
            names[entity, default: []].append("\(entity)\(count)")
            return RandomEdit(entity: entity, name: "\(entity)\(count)", kind: .insert)
        }
        let name = known[Int(random.next() % UInt64(known.count))]
        if random.next() % 12 == 0 {
            names[entity]?.removeAll { $0 == name }
            return RandomEdit(entity: entity, name: name, kind: .delete)
        }
        if random.next() % 3 == 0 {
            return RandomEdit(entity: entity, name: name, kind: .value(Int(random.next() % 100)))
        }
        let (property, other) = RandomEdit.relation(entity, &random)
        let others = names[other, default: []]
        let target = others.isEmpty ? "" : others[Int(random.next() % UInt64(others.count))]
        return RandomEdit(
            entity: entity, name: name,
            kind: .relate(property, other, target, position: Int(random.next() % 5)))
    }
}

/// One edit. Objects that are gone, by a cascade for example, are left alone.
struct RandomEdit {
    enum Kind {
        case insert, delete
        case value(Int)
        case relate(String, String, String, position: Int)
    }

    let entity: String
    let name: String
    let kind: Kind

    private static func find(
        _ entity: String, _ name: String, _ context: NSManagedObjectContext
    ) throws -> NSManagedObject? {
        try context.find(entity, "name == %@", name).first
    }

    func apply(to context: NSManagedObjectContext) throws {
        if case .insert = kind {
            _ = context.make(entity, ["name": name])
            return
        }
        guard let object = try Self.find(entity, name, context) else { return }
        switch kind {
        case .insert: break
        case .delete: context.delete(object)
        case .value(let number): object.setValue(number, forKey: "number")
        case .relate(let property, let other, let target, let position):
            try Self.relate(object, property, Self.find(other, target, context), position)
        }
    }

    /// Sets a to-one relationship; in a to-many one puts the object in or takes it out.
    private static func relate(
        _ object: NSManagedObject, _ property: String, _ target: NSManagedObject?, _ position: Int
    ) throws {
        let relationship = try #require(object.entity.relationshipsByName[property])
        guard relationship.isToMany else { return object.setValue(target, forKey: property) }
        guard let target else { return }
        if relationship.isOrdered {
            let members = object.mutableOrderedSetValue(forKey: property)
            if members.contains(target) { members.remove(target) }
            if position > 0 { members.insert(target, at: min(position - 1, members.count)) }
        } else {
            let members = object.mutableSetValue(forKey: property)
            if members.contains(target) { return members.remove(target) }
            if relationship.inverseRelationship == nil {
                // The store has one owner only for what no inverse leads back from.
                for other in try object.managedObjectContext?.all("Parent") ?? [] {
                    let members = other.mutableSetValue(forKey: property)
                    if members.contains(target) { members.remove(target) }
                }
            }
            members.add(target)
        }
    }

    /// A relationship of an entity with the entity that edits choose its objects from.
    static func relation(_ entity: String, _ random: inout SeededGenerator) -> (String, String) {
        let all: [(String, String)] =
            switch entity {
            case "Parent":
                [
                    ("kids", "Special"), ("kids", "Child"), ("row", "Child"), ("row", "Special"),
                    ("tags", "Tag"), ("loose", "Tag"), ("partner", "Parent"), ("friends", "Parent"),
                ]
            case "Child", "Special": [("parent", "Parent"), ("line", "Parent"), ("labels", "Tag")]
            default: [("parents", "Parent"), ("labelled", "Child"), ("labelled", "Special")]
            }
        return all[Int(random.next() % UInt64(all.count))]
    }

    /// Every object with its values and the names of its related objects.
    static func dump(_ context: NSManagedObjectContext) throws -> [String] {
        var lines: [String] = []
        for entity in ["Parent", "Child", "Tag"] {
            for object in try context.all(entity) {
                var line = "\(object.entity.name ?? "") \(object.text("name") ?? "")"
                line += " \(object.value(forKey: "number") as? Int ?? -1)"
                for key in object.entity.relationshipsByName.keys.sorted() {
                    line += " \(key)=\(object.names(key))"
                }
                lines.append(line)
            }
        }
        return lines.sorted()
    }

    /// The lines that only one of two contexts has.
    static func difference(_ one: NSManagedObjectContext, _ other: NSManagedObjectContext) throws -> [String]
    {
        let (left, right) = (Set(try dump(one)), Set(try dump(other)))
        return left.subtracting(right).sorted().map { "- " + $0 }
            + right.subtracting(left).sorted().map { "+ " + $0 }
    }

    // MARK: Model

    /// Relationships of most kinds, with the delete rules that change anything.
    static func model() -> NSManagedObjectModel {
        let parent = NSEntityDescription("Parent")
        let child = NSEntityDescription("Child")
        let special = NSEntityDescription("Special")
        let tag = NSEntityDescription("Tag")
        for entity in [parent, child, tag] {
            entity.properties = [
                NSAttributeDescription("name", .string), NSAttributeDescription("number", .integer32),
            ]
        }
        child.subentities = [special]
        NSRelationshipDescription.connect(
            parent, "kids", .many, child, "parent", .one, rule: .cascadeDeleteRule)
        NSRelationshipDescription.connect(parent, "row", .ordered, child, "line", .one)
        NSRelationshipDescription.connect(parent, "tags", .many, tag, "parents", .many)
        NSRelationshipDescription.connect(tag, "labelled", .many, child, "labels", .many)
        NSRelationshipDescription.connect(parent, "partner", .one, parent, "partnerOf", .one)
        let friends = NSRelationshipDescription("friends", to: parent, .many)
        friends.inverseRelationship = friends
        parent.properties += [friends, NSRelationshipDescription("loose", to: tag, .many)]
        let model = NSManagedObjectModel()
        model.entities = [parent, child, special, tag]
        return model
    }
}
