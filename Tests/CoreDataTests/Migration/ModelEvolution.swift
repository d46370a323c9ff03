// Changes of a sketched model that a lightweight migration can follow.

import CoreData
import CoreDataTestSupport

/// Makes first versions and the next ones, by a seed.
struct ModelEvolution {
    private var random: SeededGenerator
    var sketch = ModelSketch()
    var log: [String] = []
    private var swaps = false

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed &* 6151)
        for _ in 0..<2 + pick(3) { addRoot() }
        for _ in 0..<pick(3) { addChild() }
        for _ in 0..<4 + pick(6) { addAttribute() }
        for _ in 0..<pick(3) { addComposite() }
        for _ in 0..<2 + pick(5) { addRelation() }
        for _ in 0..<pick(3) { addCount() }
        log = []
    }

    mutating func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    mutating func pick<T>(of things: [T]) -> T? { things.isEmpty ? nil : things[pick(things.count)] }

    mutating func anyEntity() -> Int { sketch.entities[pick(sketch.entities.count)].id }

    mutating func name(_ stem: String) -> (Int, String) {
        let number = sketch.number()
        return (number, "\(stem)\(number)")
    }

    /// Makes the next version: names of now are former ones, and a few things change.
    ///
    /// - Parameter swaps: whether names may change places. A version after that one would have to keep both identifiers.
    mutating func evolve(swaps: Bool) {
        (log, self.swaps) = ([], swaps)
        for entity in sketch.entities.indices {
            sketch.entities[entity].formerName = nil
            for place in sketch.entities[entity].attributes.indices {
                sketch.entities[entity].attributes[place].formerName = nil
                for element in sketch.entities[entity].attributes[place].elements.indices {
                    sketch.entities[entity].attributes[place].elements[element].formerName = nil
                }
            }
            for place in sketch.entities[entity].relations.indices {
                sketch.entities[entity].relations[place].formerName = nil
            }
        }
        for _ in 0..<1 + pick(6) { change() }
    }

    private mutating func change() {
        switch pick(27) {
        case 0: renameEntity()
        case 1: renameAttribute()
        case 2: renameRelation()
        case 3: addAttribute()
        case 4: removeAttribute()
        case 5: changeOptionality()
        case 6: changeNumber()
        case 7: pick(2) == 0 ? addRoot() : addChild()
        case 8: removeEntity()
        case 9: addRelation()
        case 10: removeRelation()
        case 11, 12: changeCount()
        case 13: moveAttributeUp()
        case 14: moveAttributeDown()
        case 15: addParent()
        case 16: leaveParent()
        case 17: moveUnderSibling()
        case 18: moveRelationUp()
        case 19: moveRelationDown()
        case 20: addInverse()
        case 21: removeInverse()
        case 22: addCount()
        case 23: addComposite()
        case 24: changeElements()
        case 25: changeTransience()
        default: changeStorage()
        }
    }

    // MARK: Entities

    private mutating func addRoot() {
        let (id, name) = name("E")
        let mark = ModelSketch.Attribute(id: ModelSketch.mark, name: "mark", type: .integer64AttributeType)
        sketch.entities.append(ModelSketch.Entity(id: id, name: name, attributes: [mark]))
        log.append("add \(name)")
    }

    private mutating func addChild() {
        let parent = anyEntity()
        let (id, name) = name("E")
        sketch.entities.append(ModelSketch.Entity(id: id, name: name, parent: parent))
        log.append("add \(name) under \(sketch[parent].name)")
    }

    private mutating func renameEntity() {
        let id = anyEntity()
        guard sketch[id].formerName == nil, !log.contains("add \(sketch[id].name)") else { return }
        let former = sketch[id].name
        sketch[id].formerName = former
        sketch[id].name = pick(4) == 0 ? former.uppercased() + "x" : name("E").1
        log.append("call \(former) \(sketch[id].name)")
    }

    private mutating func removeEntity() {
        guard sketch.entities.count > 2,
            let id = pick(of: sketch.entities.map(\.id).filter { sketch.children($0).isEmpty })
        else { return }
        for relation in sketch.entities.flatMap(\.relations)
        where relation.destination == id || sketch.owner(ofRelation: relation.id) == id {
            remove(relation: relation.id)
        }
        log.append("remove \(sketch[id].name)")
        sketch.entities.remove(at: sketch.place(id))
    }

    /// Puts a new root above one.
    private mutating func addParent() {
        guard let id = pick(of: sketch.entities.filter { $0.parent == nil }.map(\.id)) else { return }
        let (parent, name) = name("E")
        let mark = sketch[id].attributes.removeFirst()
        sketch.entities.append(
            ModelSketch.Entity(
                id: parent, name: name, isAbstract: pick(2) == 0, attributes: [mark],
                isUnique: sketch[id].isUnique))
        sketch[id].isUnique = false
        sketch[id].parent = parent
        log.append("put \(name) above \(sketch[id].name)")
    }

    private mutating func leaveParent() {
        guard let id = pick(of: sketch.entities.filter { $0.parent != nil }.map(\.id)),
            let mark = sketch[sketch.root(id)].attributes.first,
            // Whoever leaves can't have its relationships lead to the entity that it leaves in one go.
            !log.contains(where: { $0.hasPrefix("move r") })
        else { return }
        sketch[id].parent = nil
        sketch[id].attributes.insert(mark, at: 0)
        log.append("take \(sketch[id].name) out of its hierarchy")
    }

    private mutating func moveUnderSibling() {
        guard let id = pick(of: sketch.entities.filter { $0.parent != nil }.map(\.id)) else { return }
        let others = sketch.entities.map(\.id).filter {
            sketch.root($0) == sketch.root(id) && !sketch.isKind($0, of: id) && $0 != sketch[id].parent
        }
        guard let parent = pick(of: others) else { return }
        sketch[id].parent = parent
        log.append("move \(sketch[id].name) under \(sketch[parent].name)")
    }

    private mutating func changeStorage() {
        let id = anyEntity()
        switch pick(3) {
        case 0:
            let root = sketch.root(id)
            sketch[root].isUnique.toggle()
            log.append("\(sketch[root].isUnique ? "unique" : "any") marks in \(sketch[root].name)")
        case 1:
            let indexable = sketch[id].attributes.filter { $0.isPlain && !$0.isTransient }
            sketch[id].indexed = sketch[id].indexed == nil ? pick(of: indexable)?.id : nil
            log.append("index \(sketch[id].name) by \(String(describing: sketch[id].indexed))")
        default:
            for place in sketch[id].attributes.indices
            where sketch[id].attributes[place].type == .binaryDataAttributeType {
                sketch[id].attributes[place].isExternal.toggle()
                log.append("store \(sketch[id].name).\(sketch[id].attributes[place].name) elsewhere")
            }
        }
    }

    // MARK: Attributes

    private mutating func addAttribute() {
        let entity = anyEntity()
        guard let type = pick(of: ModelSketch.Attribute.types) else { return }
        let (id, name) = name("a")
        var attribute = ModelSketch.Attribute(id: id, name: name, type: type)
        if pick(2) == 0 { attribute.standard = pick(9) }
        if attribute.standard != nil, pick(2) == 0 { attribute.isOptional = false }
        sketch[entity].attributes.append(attribute)
        log.append("add \(sketch[entity].name).\(name)")
    }

    /// An attribute other than the mark, as its entity and place.
    private mutating func anyAttribute() -> (entity: Int, place: Int)? {
        pick(
            of: sketch.entities.flatMap { entity in
                entity.attributes.indices.filter {
                    entity.attributes[$0].id != ModelSketch.mark && entity.attributes[$0].counted == nil
                }.map { (entity.id, $0) }
            })
    }

    private mutating func removeAttribute() {
        guard let (entity, place) = anyAttribute() else { return }
        let removed = sketch[entity].attributes.remove(at: place)
        if sketch[entity].indexed == removed.id { sketch[entity].indexed = nil }
        log.append("remove \(sketch[entity].name).\(removed.name)")
    }

    private mutating func renameAttribute() {
        guard let (entity, place) = anyAttribute() else { return }
        let attribute = sketch[entity].attributes[place]
        guard attribute.formerName == nil else { return }
        let others = sketch[entity].attributes.indices.filter {
            let other = sketch[entity].attributes[$0]
            return other.id != ModelSketch.mark && other.counted == nil && $0 != place
                && other.formerName == nil
                && other.type == attribute.type
        }
        sketch[entity].attributes[place].formerName = attribute.name
        if swaps, let other = pick(of: others) {
            let otherName = sketch[entity].attributes[other].name
            sketch[entity].attributes[other].formerName = otherName
            sketch[entity].attributes[other].name = attribute.name
            sketch[entity].attributes[place].name = otherName
        } else {
            sketch[entity].attributes[place].name = pick(4) == 0 ? attribute.name + "X" : name("a").1
        }
        log.append("call \(sketch[entity].name).\(attribute.name) \(sketch[entity].attributes[place].name)")
    }

    private mutating func changeOptionality() {
        guard let (entity, place) = anyAttribute(), sketch[entity].attributes[place].isPlain else { return }
        sketch[entity].attributes[place].isOptional.toggle()
        if !sketch[entity].attributes[place].isOptional, sketch[entity].attributes[place].standard == nil {
            sketch[entity].attributes[place].standard = pick(9)
        }
        log.append("\(sketch[entity].name).\(sketch[entity].attributes[place].name) optional or not")
    }

    private mutating func changeNumber() {
        guard let (entity, place) = anyAttribute() else { return }
        let numbers = ModelSketch.Attribute.numbers
        let attribute = sketch[entity].attributes[place]
        // Whole numbers become all others, floating-point ones each other and decimals.
        guard let from = numbers.firstIndex(of: attribute.type), from < 5 else { return }
        let to = from < 3 ? pick(numbers.count) : 3 + pick(numbers.count - 3)
        sketch[entity].attributes[place].type = numbers[to]
        log.append("\(sketch[entity].name).\(attribute.name) of another type")
    }

    private mutating func moveAttributeUp() {
        guard let (entity, place) = anyAttribute(), let parent = sketch[entity].parent else { return }
        let moved = sketch[entity].attributes.remove(at: place)
        if sketch[entity].indexed == moved.id { sketch[entity].indexed = nil }
        sketch[parent].attributes.append(moved)
        log.append("move \(moved.name) from \(sketch[entity].name) up to \(sketch[parent].name)")
    }

    private mutating func moveAttributeDown() {
        guard let (entity, place) = anyAttribute(), let child = pick(of: sketch.children(entity)) else {
            return
        }
        let moved = sketch[entity].attributes.remove(at: place)
        if sketch[entity].indexed == moved.id { sketch[entity].indexed = nil }
        sketch[child].attributes.append(moved)
        log.append("move \(moved.name) from \(sketch[entity].name) down to \(sketch[child].name)")
    }

    private mutating func addComposite() {
        let entity = anyEntity()
        let (id, name) = name("a")
        var composite = ModelSketch.Attribute(id: id, name: name, type: .compositeAttributeType)
        composite.elements = [element(), element()]
        sketch[entity].attributes.append(composite)
        log.append("add \(sketch[entity].name).\(name) of \(composite.elements.map(\.name))")
    }

    private mutating func element() -> ModelSketch.Attribute {
        let (id, name) = name("e")
        return ModelSketch.Attribute(
            id: id, name: name, type: pick(2) == 0 ? .stringAttributeType : .integer32AttributeType)
    }

    private mutating func changeElements() {
        guard let (entity, place) = anyAttribute(), !sketch[entity].attributes[place].elements.isEmpty else {
            return
        }
        let element = element()
        switch pick(3) {
        case 0: sketch[entity].attributes[place].elements.append(element)
        case 1: sketch[entity].attributes[place].elements[0] = element
        default:
            guard sketch[entity].attributes[place].elements[0].formerName == nil else { return }
            sketch[entity].attributes[place].elements[0].formerName =
                sketch[entity].attributes[place].elements[0].name
            sketch[entity].attributes[place].elements[0].name = element.name
        }
        log.append(
            "\(sketch[entity].attributes[place].name) of \(sketch[entity].attributes[place].elements.map(\.name))"
        )
    }

    private mutating func changeTransience() {
        guard let (entity, place) = anyAttribute() else { return }
        let attribute = sketch[entity].attributes[place]
        guard attribute.isPlain, attribute.isOptional, sketch[entity].indexed != attribute.id else { return }
        sketch[entity].attributes[place].isTransient.toggle()
        log.append("\(sketch[entity].name).\(attribute.name) transient or not")
    }
}
