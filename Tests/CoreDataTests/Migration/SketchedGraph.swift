// The objects of a sketched model as values: made at random, read from a store, and as a migration must leave them.

import CoreData
import CoreDataTestSupport
import Foundation

/// Objects by their marks.
struct SketchedGraph {
    struct Object: Equatable {
        let entity: Int
        let key: Int64
        var values: [Int: String] = [:]
        /// Marks of related objects, by relationship: in order if it has one, else ascending.
        var members: [Int: [Int]] = [:]
    }

    private(set) var objects: [Int: Object] = [:]

    private init() {}

    /// Reads all objects of a store.
    init(_ context: NSManagedObjectContext, _ sketch: ModelSketch) throws {
        for root in sketch.entities where root.parent == nil {
            for object in try context.all(root.name) {
                guard let entity = sketch.entities.first(where: { $0.name == object.entity.name }) else {
                    continue
                }
                var read = Object(entity: entity.id, key: InspectedKey(object.objectID).key)
                for (id, attribute) in sketch.attributes(entity.id) {
                    read.values[id] = ModelSketch.Attribute.text(object.value(forKey: attribute.name))
                }
                for (id, relation) in sketch.relations(entity.id) {
                    read.members[id] = Self.marks(object.value(forKey: relation.name))
                }
                objects[Self.mark(object)] = read
            }
        }
    }

    private static func mark(_ object: NSManagedObject) -> Int { object.value(forKey: "mark") as? Int ?? -1 }

    private static func marks(_ value: Any?) -> [Int] {
        switch value {
        case let set as NSOrderedSet: set.array.compactMap { ($0 as? NSManagedObject).map(mark) }
        case let set as Set<NSManagedObject>: set.map(mark).sorted()
        case let object as NSManagedObject: [mark(object)]
        default: []
        }
    }

    // MARK: Making

    /// Inserts objects, relates them and saves; then deletes a few, so that keys have gaps.
    static func fill(
        _ context: NSManagedObjectContext, _ sketch: ModelSketch, from first: Int = 1, seed: UInt64
    ) throws {
        var random = SeededGenerator(seed: seed &* 9973)
        var (made, mark) = ([(entity: Int, object: NSManagedObject)](), first)
        for _ in 0..<3 {
            for entity in sketch.entities where !entity.isAbstract {
                for _ in 0..<Int.random(in: 0..<3, using: &random) {
                    let object = context.make(entity.name, ["mark": mark])
                    mark += 1
                    for (id, attribute) in sketch.attributes(entity.id).sorted(by: { $0.key < $1.key })
                    where id != ModelSketch.mark && Int.random(in: 0..<4, using: &random) > 0 {
                        object.setValue(
                            attribute.value(Int.random(in: 0..<9, using: &random)), forKey: attribute.name)
                    }
                    made.append((entity.id, object))
                }
            }
        }
        for _ in 0..<2 {
            for (entity, object) in made {
                for (_, relation) in sketch.relations(entity).sorted(by: { $0.key < $1.key }) {
                    let others = made.filter { sketch.isKind($0.entity, of: relation.destination) }.map(
                        \.object)
                    guard let other = others.randomElement(using: &random) else { continue }
                    relate(object, relation, other)
                }
            }
        }
        try context.save()
        // A relationship without inverse would go on leading to an object that is deleted.
        let named = Set(sketch.entities.flatMap(\.relations).filter { $0.inverse == nil }.map(\.destination))
        for (entity, object) in made where Int.random(in: 0..<8, using: &random) == 0 {
            if !named.contains(where: { sketch.isKind(entity, of: $0) }) { context.delete(object) }
        }
        try context.save()
    }

    private static func relate(
        _ object: NSManagedObject, _ relation: ModelSketch.Relation, _ other: NSManagedObject
    ) {
        switch relation.count {
        case .one: object.setValue(other, forKey: relation.name)
        case .many: object.mutableSetValue(forKey: relation.name).add(other)
        case .ordered: object.mutableOrderedSetValue(forKey: relation.name).insert(other, at: 0)
        }
    }

    // MARK: Expectation

    /// A relationship whose counts or whose inverse's change may lose members: those that it had, of which it has some.
    struct Loss { let mark: Int, relation: Int, members: [Int], keepsOne: Bool }

    /// Returns the objects as the next version must have them, and the relationships that may lose members.
    func migrated(from old: ModelSketch, to new: ModelSketch) -> (graph: SketchedGraph, losses: [Loss]) {
        var (graph, losses) = (SketchedGraph(), [Loss]())
        let left = objects.filter { new.has($0.value.entity) }
        for (mark, object) in left {
            var expected = Object(entity: object.entity, key: object.key)
            for (id, attribute) in new.attributes(object.entity) {
                let standard = ModelSketch.Attribute.text(attribute.standard.map(attribute.value))
                let value = object.values[id] ?? standard
                expected.values[id] = value == "-" && !attribute.isOptional ? standard : value
            }
            for (id, relation) in new.relations(object.entity) {
                let members = (object.members[id] ?? []).filter { other in
                    left[other].map { new.isKind($0.entity, of: relation.destination) } ?? false
                }
                let back = relation.inverse.flatMap(new.relation)
                let (was, backWas) = (old.relation(id), back.flatMap { old.relation($0.id) })
                if was?.count == relation.count, backWas?.count == back?.count {
                    expected.members[id] = members
                } else if relation.count != .one, back?.count != .one,
                    was?.count != .ordered || relation.count != .ordered
                {
                    // Those that get an order have that of their keys.
                    expected.members[id] =
                        relation.count == .ordered
                        ? members.sorted { (left[$0]?.key ?? 0) < (left[$1]?.key ?? 0) } : members.sorted()
                } else {
                    let keepsOne = !members.isEmpty && back?.count != .one
                    losses.append(Loss(mark: mark, relation: id, members: members, keepsOne: keepsOne))
                }
            }
            graph.objects[mark] = expected
        }
        return (graph, losses)
    }

    /// Returns how the objects differ from those that a migration must leave.
    func faults(_ expected: SketchedGraph, _ losses: [Loss], _ sketch: ModelSketch, keepsKeys: Bool)
        -> [String]
    {
        var found: [String] = []
        for mark in Set(objects.keys).union(expected.objects.keys).sorted() {
            guard let own = objects[mark], let other = expected.objects[mark], own.entity == other.entity
            else {
                let entity = (expected.objects[mark] ?? objects[mark]).map { sketch[$0.entity].name } ?? ""
                found.append(
                    "object \(mark) of \(entity) is \(objects[mark] == nil ? "gone" : "new or another's")")
                continue
            }
            if keepsKeys, own.key != other.key {
                found.append("object \(mark) had the key \(other.key), now \(own.key)")
            }
            for (id, value) in other.values where own.values[id] != value {
                found.append(
                    "\(mark).\(sketch.attributes(own.entity)[id]?.name ?? ""): \(own.values[id] ?? ""), not \(value)"
                )
            }
            for (id, members) in other.members {
                let now = own.members[id] ?? []
                if keepsKeys ? now != members : Set(now) != Set(members) {
                    found.append("\(mark).\(sketch.relation(id)?.name ?? ""): \(now), not \(members)")
                }
            }
        }
        for loss in losses {
            let now = objects[loss.mark]?.members[loss.relation] ?? []
            if !Set(now).isSubset(of: loss.members) || (loss.keepsOne && now.isEmpty) {
                found.append(
                    "\(loss.mark).\(sketch.relation(loss.relation)?.name ?? ""): \(now) of \(loss.members)")
            }
        }
        return found + contradictions(sketch)
    }

    /// The relationships that their inverses contradict, and members that are there twice.
    func contradictions(_ sketch: ModelSketch) -> [String] {
        var found: [String] = []
        for (mark, object) in objects.sorted(by: { $0.key < $1.key }) {
            for (id, members) in object.members {
                let name = "\(mark).\(sketch.relation(id)?.name ?? "")"
                if Set(members).count < members.count {
                    found.append("\(name) has members twice: \(members)")
                }
                guard let inverse = sketch.relation(id)?.inverse else { continue }
                for other in members where objects[other]?.members[inverse]?.contains(mark) != true {
                    found.append(
                        "\(name) has \(other), whose \(sketch.relation(inverse)?.name ?? "") hasn't \(mark)")
                }
            }
        }
        return found
    }
}
