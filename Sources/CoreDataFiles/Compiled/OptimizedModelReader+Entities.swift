// The entities of optimised models, and the record of the model itself.

import CoreDataSchema
import CoreDataSupport

/// ```
/// count; for each entity a mark DA ED FE EB and words, in the order of the names:
/// 0 bytes  1 0  2 hash, in data  3 name  4 name  5 flag: superentity, then its number
///   number of the root entity; flag: subentities, then a dictionary, 1, the subentity's number
///   dictionary of properties, zeros, a pair of words for each property: 0, number; or, if it is inherited,
///   1, its number in the superentity, its number here, zeros
///   18 ranges in the list of properties, of four words each: all; attributes; relationships; others that follow
///   0xC, and 0x1800 with uniqueness constraints; 18 zeros; class, UTF-16; 5 zeros
///   number of constraints; if there is one: 5 zeros, number of names, 0 and the name for each
///   0; number of entities in the family; 5 zeros; the same; 0 and the number for each; own number
///   dictionaries of attributes and relationships; mark DA ED FE EB
/// ```
/// Flags are one byte in front of three zeros, `0x0100_0000` as a word. The number of zeros between some of
/// the words varies, so that those are compared without their zeros.
extension OptimizedModelReader {
    private static let mark = 0xDAED_FEEB
    private static let flag = 0x0100_0000
    private static let rangeCount = 18
    /// Keeps walks over superentities short.
    private static let entityLimit = 1000

    mutating func readEntities() throws {
        let bytes = sections.bytes
        var place = sections.entities
        try Self.check(
            bytes.word(place) == sections.entityCount && sections.entityCount <= Self.entityLimit,
            part: "an entity")
        place += 4
        for _ in 0..<sections.entityCount {
            let size = try bytes.word(place + 4)
            try Self.check(bytes.word(place) == Self.mark && size >= 400 && size % 4 == 0, part: "an entity")
            let words = try bytes.words(place + 4, count: size / 4)
            try Self.check(
                words.last == Self.mark && words[1] == 0 && words[3] == words[4], part: "an entity")
            let flag = words[5]
            try Self.check(flag == 0 || flag == Self.flag, part: "an entity's flags")
            var entity = Entity(schema: EntitySchema(name: try text(words[3])), words: words)
            entity.parent = flag == 0 ? nil : words[6]
            entities.append(entity)
            place += 4 + size
        }
        let names = entities.map(\.schema.name)
        try Self.check(
            names == names.sorted { $0.utf16.lexicographicallyPrecedes($1.utf16) },
            part: "the order of entities")
        try Self.check(place == sections.model - 20, part: "the list of entities")
        try findFamilies()
        for number in entities.indices {
            try ModelFileError.locating("", entity: names[number]) { try readRest(of: number) }
        }
    }

    /// Superentities first, so that a property that is inherited has its number there.
    private mutating func findFamilies() throws {
        var chains: [[Int]] = []
        for start in entities.indices {
            var chain = [start]
            while let parent = entities[chain[chain.count - 1]].parent {
                try Self.check(
                    entities.indices.contains(parent) && chain.count <= entities.count, part: "a superentity")
                chain.append(parent)
            }
            chains.append(chain)
        }
        for (number, chain) in chains.enumerated() {
            entities[number].root = chain[chain.count - 1]
            for ancestor in chain { entities[ancestor].family.insert(number) }
            if let parent = entities[number].parent { entities[parent].children.append(number) }
        }
        for (number, _) in chains.enumerated().sorted(by: { $0.element.count < $1.element.count }) {
            let inherited = entities[number].parent.map { entities[$0].slots.indices } ?? 0..<0
            var slots: [Slot?] = Array(repeating: nil, count: inherited.count)
            let own = properties.indices.filter { properties[$0].entity == number }
            slots += own.map { _ in nil }
            for property in own {
                let slot = properties[property].slot
                guard slots.indices.contains(slot), slots[slot] == nil else {
                    throw Self.unknown("a property's number")
                }
                slots[slot] = .own(property)
            }
            var rest = inherited.makeIterator()
            entities[number].slots = try slots.map { slot in
                if let slot { return slot }
                guard let next = rest.next() else { throw Self.unknown("a property's number") }
                return .inherited(next)
            }
            try Self.check(slots.count <= entities[number].words.count, part: "a list of properties")
            try ModelFileError.locating("", entity: entities[number].schema.name) { try findTail(of: number) }
        }
    }

    private mutating func readRest(of number: Int) throws {
        let entity = entities[number]
        let (words, tail) = (entity.words, entity.tail)
        try checkFront(of: number, Array(words[5..<tail - 4 * Self.rangeCount]))
        try checkRanges(Array(words[tail - 4 * Self.rangeCount..<tail]), entity: entity)
        guard let className = try wideText(words[tail + 19]) else { throw Self.unknown("a class") }
        entities[number].schema.className = className == "NSManagedObject" ? nil : className
        let family = entity.family.count
        let end = words.count - 4 - 2 * family
        let pairs = stride(from: end, to: end + 2 * family, by: 2)
        try Self.check(
            pairs.allSatisfy { words[$0] == 0 } && Set(pairs.map { words[$0 + 1] }) == entity.family,
            part: "a family")
        try Self.check(words[words.count - 4] == number, part: "an entity's number")
        try Self.check(
            words[(words.count - 3)...].dropLast().allSatisfy { $0 < sections.dictionaryCount },
            part: "a dictionary")
    }

    /// Finds the words behind the ranges, counted from the end, and with them the entity's constraint.
    private mutating func findTail(of number: Int) throws {
        let (words, family) = (entities[number].words, entities[number].family.count)
        let isInherited = entities[number].parent.map { entities[$0].hasConstraint } ?? false
        for names in 0...entities[number].slots.count {
            let tail = words.count - 38 - 2 * family - (names == 0 ? 0 : 6 + 2 * names)
            guard tail >= 4 * Self.rangeCount + 8 else { break }
            if names > 0, words[tail + 31] != names { continue }
            var expected = [0xC | (names > 0 || isInherited ? 0x1800 : 0)] + Array(repeating: 0, count: 18)
            expected += [words[tail + 19], 0, 0, 0, 0, 0, names == 0 ? 0 : 1]
            if names > 0 {
                expected += [0, 0, 0, 0, 0, names]
                expected += (0..<names).flatMap { [0, words[tail + 33 + 2 * $0]] }
            }
            expected += [0, family, 0, 0, 0, 0, 0, family]
            guard words[tail...].starts(with: expected) else { continue }
            entities[number].tail = tail
            entities[number].hasConstraint = names > 0 || isInherited
            if names > 0 {
                let constraint = try (0..<names).map { try text(words[tail + 33 + 2 * $0]) }
                entities[number].schema.uniquenessConstraints = [constraint]
            }
            return
        }
        throw Self.unknown("an entity")
    }

    /// From the superentity to the ranges, without zeros.
    private func checkFront(of number: Int, _ words: [Int]) throws {
        let entity = entities[number]
        var rest = words.filter { $0 != 0 }[...]
        func dictionary() throws -> Int {
            try rest.first.map { $0 } ?? { throw Self.unknown("a dictionary") }()
        }
        var expected: [Int] = []
        if let parent = entity.parent { expected += [Self.flag, parent] }
        expected.append(entity.root)
        if !entity.children.isEmpty {
            try Self.check(entity.children.count == 1, part: "a list of subentities")
            expected.append(Self.flag)
        }
        expected.removeAll { $0 == 0 }
        try Self.check(rest.starts(with: expected), part: "a superentity")
        rest = rest.dropFirst(expected.count)
        if let child = entity.children.first {
            let list = [try dictionary(), 1, child].filter { $0 != 0 }
            try Self.check(
                rest.starts(with: list) && list[0] < sections.dictionaryCount, part: "a list of subentities")
            rest = rest.dropFirst(list.count)
        }
        try Self.check(dictionary() < sections.dictionaryCount, part: "a dictionary")
        let slots = entity.slots.enumerated().flatMap { slot, property in
            switch property {
            case .own(let property): [property]
            case .inherited(let there): [1, there, slot]
            }
        }
        try Self.check(rest.dropFirst().elementsEqual(slots.filter { $0 != 0 }), part: "a list of properties")
    }

    private func checkRanges(_ words: [Int], entity: Entity) throws {
        let count = entity.slots.count
        var ranges: [(start: Int, length: Int)] = []
        for place in stride(from: 0, to: words.count, by: 4) {
            try Self.check(words[place] == 0 && words[place + 2] == 0, part: "a range")
            ranges.append((words[place + 1], words[place + 3]))
        }
        try Self.check(ranges.allSatisfy { $0.start + $0.length <= count }, part: "a range")
        let relationships = relationshipCount(entity)
        let attributes = count - relationships
        let first = ranges[0] == (0, count) && ranges[1] == (0, attributes)
        try Self.check(first && ranges[2] == (attributes, relationships), part: "a range")
    }

    private func relationshipCount(_ entity: Entity) -> Int {
        let own = entity.slots.count {
            if case .own(let property) = $0 { properties[property].schema.relationship != nil } else { false }
        }
        return own + (entity.parent.map { relationshipCount(entities[$0]) } ?? 0)
    }

    // MARK: The model

    /// Checks the model's record.
    ///
    /// ```
    /// ?  number of entities  0  1  version identifier, in data  5 zeros  number of entities, 0 and the number for each
    /// 5 zeros  1  0  1  5 zeros, two for each entity
    /// for each entity: number of columns, 0 and the name for each, 5 zeros; only two behind the last
    /// ```
    func versionIdentifier() throws -> String? {
        let (bytes, count) = (sections.bytes, entities.count)
        let words = try bytes.words(sections.model, count: (bytes.count - sections.model) / 4)
        try Self.check(
            (bytes.count - sections.model) % 4 == 0 && words.count > 21 + 4 * count, part: "the model")
        var expected = [words[0], count, 0, 1, 1, 0, 0, 0, 0, 0, count]
        expected += (0..<count).flatMap { [0, $0] }
        expected += [0, 0, 0, 0, 0, 1, 0, 1] + Array(repeating: 0, count: 5 + 2 * count)
        try Self.check([7, 15].contains(words[0]) && words.starts(with: expected), part: "the model")
        var place = expected.count
        for number in 0..<count {
            guard place < words.count, words[place] < words.count / 2 else { throw Self.unknown("the model") }
            let (start, end) = (place + 1, place + 1 + 2 * words[place])
            let gap = number == count - 1 ? 2 : 5
            guard end + gap <= words.count else { throw Self.unknown("the model") }
            let pairs = stride(from: start, to: end, by: 2)
            try Self.check(
                pairs.allSatisfy { words[$0] == 0 && words[$0 + 1] < sections.texts.count }, part: "a column")
            try Self.check(words[end..<end + gap].allSatisfy { $0 == 0 }, part: "the model")
            place = end + gap
        }
        try Self.check(place == words.count, part: "the model")
        return try KeyedArchive(data(1)).node().text
    }
}
