// Changes of a sketched model's relationships.

import CoreData
import CoreDataTestSupport

extension ModelEvolution {
    mutating func count() -> NSRelationshipDescription.Count {
        pick(of: [.one, .many, .ordered]) ?? .one
    }

    mutating func addRelation() {
        let (owner, destination) = (anyEntity(), anyEntity())
        let (id, name) = name("r")
        var relation = ModelSketch.Relation(id: id, name: name, destination: destination, count: count())
        if pick(4) > 0 {
            let (back, backName) = self.name("r")
            relation.inverse = back
            sketch[destination].relations.append(
                ModelSketch.Relation(
                    id: back, name: backName, destination: owner, count: count(), inverse: id))
        }
        sketch[owner].relations.append(relation)
        log.append("add \(sketch[owner].name).\(name)")
    }

    mutating func anyRelation() -> ModelSketch.Relation? {
        pick(of: sketch.entities.flatMap(\.relations))
    }

    mutating func remove(relation id: Int) {
        let inverse = sketch.relation(id)?.inverse
        for gone in [id, inverse].compactMap(\.self) { removeCounts(of: gone) }
        for entity in sketch.entities.indices {
            sketch.entities[entity].relations.removeAll { $0.id == id || $0.id == inverse }
        }
    }

    mutating func removeRelation() {
        guard let relation = anyRelation() else { return }
        remove(relation: relation.id)
        log.append("remove \(relation.name) and its inverse")
    }

    mutating func renameRelation() {
        guard let relation = anyRelation(), relation.formerName == nil else { return }
        let name = name("r").1
        sketch.change(relation: relation.id) { ($0.formerName, $0.name) = (relation.name, name) }
        log.append("call \(relation.name) \(name)")
    }

    mutating func changeCount() {
        guard let relation = anyRelation() else { return }
        let count = count()
        if count == .one { removeCounts(of: relation.id) }
        sketch.change(relation: relation.id) { $0.count = count }
        log.append("\(relation.name) is \(count)")
    }

    mutating func moveRelationUp() {
        guard let (relation, owner) = movableRelation(), let parent = sketch[owner].parent else { return }
        move(relation, from: owner, to: parent)
    }

    mutating func moveRelationDown() {
        guard let (relation, owner) = movableRelation(), let child = pick(of: sketch.children(owner)) else {
            return
        }
        move(relation, from: owner, to: child)
    }

    /// A relationship with the entity that declares it; nil where an entity has left its hierarchy in the same version.
    private mutating func movableRelation() -> (ModelSketch.Relation, owner: Int)? {
        guard let relation = anyRelation(), let owner = sketch.owner(ofRelation: relation.id),
            !log.contains(where: { $0.hasPrefix("take") })
        else { return nil }
        return (relation, owner)
    }

    private mutating func move(_ relation: ModelSketch.Relation, from owner: Int, to entity: Int) {
        removeCounts(of: relation.id)
        sketch[owner].relations.removeAll { $0.id == relation.id }
        sketch[entity].relations.append(relation)
        if let inverse = relation.inverse { sketch.change(relation: inverse) { $0.destination = entity } }
        log.append("move \(relation.name) from \(sketch[owner].name) to \(sketch[entity].name)")
    }

    mutating func addInverse() {
        guard let relation = anyRelation(), relation.inverse == nil,
            let owner = sketch.owner(ofRelation: relation.id)
        else { return }
        let (id, name) = name("r")
        // Members of a to-many relationship without inverse have one owner.
        let count = relation.count == .one ? count() : .one
        sketch.change(relation: relation.id) { $0.inverse = id }
        sketch[relation.destination].relations.append(
            ModelSketch.Relation(id: id, name: name, destination: owner, count: count, inverse: relation.id))
        log.append("add \(name), the inverse of \(relation.name)")
    }

    mutating func removeInverse() {
        guard let relation = anyRelation(), let inverse = relation.inverse, inverse != relation.id else {
            return
        }
        removeCounts(of: inverse)
        sketch.change(relation: relation.id) { $0.inverse = nil }
        for entity in sketch.entities.indices {
            sketch.entities[entity].relations.removeAll { $0.id == inverse }
        }
        log.append("remove the inverse of \(relation.name)")
    }

    // MARK: Derived attributes

    mutating func addCount() {
        guard let relation = anyRelation(), relation.count != .one,
            let owner = sketch.owner(ofRelation: relation.id)
        else { return }
        let (id, name) = name("c")
        var attribute = ModelSketch.Attribute(id: id, name: name, type: .integer64AttributeType)
        attribute.counted = relation.id
        sketch[owner].attributes.append(attribute)
        log.append("count \(sketch[owner].name).\(relation.name)")
    }

    /// The counts of a relationship that goes elsewhere.
    private mutating func removeCounts(of relation: Int) {
        for entity in sketch.entities.indices {
            sketch.entities[entity].attributes.removeAll { $0.counted == relation }
        }
    }
}
