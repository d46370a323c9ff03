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
                    if attribute.elements.isEmpty {
                        read.values[id] = ModelSketch.Attribute.text(object.value(forKey: attribute.name))
                    }
                    for element in attribute.elements {
                        let value = object.value(forKeyPath: "\(attribute.name).\(element.name)")
                        read.values[element.id] = ModelSketch.Attribute.text(value)
                    }
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
        for entity in sketch.entities where entity.parent == nil {
            for object in try context.all(entity.name, sort: "mark") {
                guard let own = sketch.entities.first(where: { $0.name == object.entity.name }) else {
                    continue
                }
                made.append((own.id, object))
            }
        }
        for _ in 0..<3 {
            for entity in sketch.entities where !entity.isAbstract {
                for _ in 0..<Int.random(in: 0..<3, using: &random) {
                    let object = context.make(entity.name, ["mark": mark])
                    mark += 1
                    set(object, sketch.attributes(entity.id), &random)
                    made.append((entity.id, object))
                }
            }
        }
        for (entity, object) in made where Int.random(in: 0..<4, using: &random) == 0 {
            set(object, sketch.attributes(entity), &random)
        }
        for _ in 0..<2 {
            for (entity, object) in made {
                for (_, relation) in sketch.relations(entity).sorted(by: { $0.key < $1.key }) {
                    // Apple's triggers count a new object twice that is its own parent.
                    let others = made.filter {
                        sketch.isKind($0.entity, of: relation.destination) && $0.object !== object
                    }.map(\.object)
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

    private static func set(
        _ object: NSManagedObject, _ attributes: [Int: ModelSketch.Attribute], _ random: inout SeededGenerator
    ) {
        for (_, attribute) in attributes.sorted(by: { $0.key < $1.key })
        where Int.random(in: 0..<4, using: &random) > 0 {
            let number = Int.random(in: 0..<9, using: &random)
            if attribute.isPlain {
                object.setValue(attribute.value(number), forKey: attribute.name)
            } else if !attribute.elements.isEmpty {
                let values = attribute.elements.dropFirst(number % 2).map { ($0.name, $0.value(number)) }
                object.setValue(Dictionary(values) { first, _ in first }, forKey: attribute.name)
            }
        }
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
            for attribute in new.attributes(object.entity).values
            where attribute.counted == nil && !attribute.isTransient {
                for field in attribute.elements.isEmpty ? [attribute] : attribute.elements {
                    let standard = ModelSketch.Attribute.text(field.standard.map(field.value))
                    let isKept = old.attributes(object.entity)[attribute.id]?.isTransient != true
                    let value = (isKept ? object.values[field.id] : nil) ?? standard
                    expected.values[field.id] = value == "-" && !field.isOptional ? standard : value
                }
            }
            for (id, relation) in new.relations(object.entity) {
                let had = object.members[id] ?? relation.inverse.map { owners(of: mark, by: $0) } ?? []
                let members = had.filter { other in
                    left[other].map { new.isKind($0.entity, of: relation.destination) } ?? false
                }
                switch change(relation, old, new) {
                case .none: expected.members[id] = members
                case .order:
                    expected.members[id] = members.sorted { (left[$0]?.key ?? 0) < (left[$1]?.key ?? 0) }
                case .disorder: expected.members[id] = members.sorted()
                case .loss(let keepsOne):
                    losses.append(
                        Loss(
                            mark: mark, relation: id, members: members, keepsOne: keepsOne && !members.isEmpty
                        ))
                }
            }
            graph.objects[mark] = expected
        }
        return (graph, losses)
    }

    /// Returns the objects that name one, in the order of their keys.
    private func owners(of mark: Int, by relation: Int) -> [Int] {
        objects.filter { $0.value.members[relation]?.contains(mark) == true }
            .sorted { $0.value.key < $1.value.key }.map(\.key)
    }

    private enum Change {
        case none, order, disorder
        case loss(keepsOne: Bool)
    }

    /// Returns what becomes of members by a change of counts.
    private func change(_ relation: ModelSketch.Relation, _ old: ModelSketch, _ new: ModelSketch) -> Change {
        let back = relation.inverse.flatMap(new.relation)
        let was = old.relation(relation.id)
        let backWas = (was == nil ? back?.id : was?.inverse).flatMap(old.relation)
        // A member of a to-many relationship without inverse has one owner, as if the inverse were to-one.
        let isShared = back.map { $0.count != .one } ?? (relation.count == .one)
        let wasShared = backWas.map { $0.count != .one } ?? (was?.count == .one)
        if wasShared, !isShared { return .loss(keepsOne: false) }
        if was?.count == relation.count { return .none }
        if relation.count == .one { return .loss(keepsOne: true) }
        return relation.count == .ordered ? .order : .disorder
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
            for attribute in sketch.attributes(object.entity).values {
                guard let counted = attribute.counted, let members = object.members[counted] else { continue }
                let count = object.values[attribute.id] ?? ""
                if count != "\(Double(members.count))" {
                    found.append("\(mark).\(attribute.name) is \(count) with \(members.count) members")
                }
            }
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
