// The properties of optimised models.

import CoreDataSchema
import CoreDataSupport

/// ```
/// five counts: attributes, ?, relationships, ?, ?; then a record of words for each property, entity by entity
///  0 bytes  1 kind: 2 attribute, 4 relationship  2 flags  3 0  4 hash, in data  5 entity  6 name  7-9 0
/// 10 number in its entity
/// attribute:    11 transformer, UTF-16  12 type  13 class of values  14 1 if a default value follows
///               15 16 if the value is preserved after deletion  16… default value
/// relationship: 11 destination  12 1  13 inverse, a property  14 max. count  15 min. count  16 1
/// ```
/// One of words 12 and 16 of a relationship is its delete rule, as both are 1 for Nullify.
extension OptimizedModelReader {
    private enum Flag {
        static let (transient, optional, preserved) = (0x2, 0x4, 0x1000)
    }

    mutating func readProperties() throws {
        var place = sections.properties
        let counts = try sections.bytes.words(place, count: 5)
        try Self.check(
            counts == sections.propertyCounts && counts[1] == 0 && counts[3...4] == [0, 0], part: "a property"
        )
        place += 20
        let end = sections.entities - 8
        var kinds = [0, 0]
        while place < end {
            let size = try sections.bytes.word(place)
            try Self.check(
                size >= 64 && size <= 72 && size % 4 == 0 && size <= end - place, part: "a property")
            let words = try sections.bytes.words(place, count: size / 4)
            let property = try property(words)
            kinds[property.schema.relationship == nil ? 0 : 1] += 1
            properties.append(property)
            place += size
        }
        try Self.check(kinds == [counts[0], counts[2]], part: "the list of properties")
    }

    private func property(_ words: [Int]) throws -> Property {
        let name = try text(words[6])
        return try ModelFileError.locating("", property: name) {
            try Self.check(words[3] == 0 && words[7...9].allSatisfy { $0 == 0 }, part: "a property")
            let flags = words[2]
            var property = PropertySchema(name: name, kind: .attribute(.init(.undefined)))
            property.isOptional = flags & Flag.optional != 0
            property.isTransient = flags & Flag.transient != 0
            var read = Property(schema: property, entity: words[5], slot: words[10], hash: try data(words[4]))
            try Self.check(words[5] < sections.entityCount, part: "a property's entity")
            switch words[1] {
            case 2:
                let known = Flag.optional | Flag.transient | Flag.preserved
                try Self.check(flags & ~known == 0, part: "an attribute's flags")
                read.schema.kind = .attribute(try attribute(words))
            case 4:
                try Self.check(flags & ~Flag.optional == 0, part: "a relationship's flags")
                try Self.check(words.count == 17 && words[12] == 1 && words[16] == 1, part: "a relationship")
                var traits = RelationshipTraits(destinationEntityName: "", maxCount: words[14])
                traits.minCount = words[15]
                read.schema.kind = .relationship(traits)
                (read.destination, read.inverse) = (words[11], words[13])
            default: throw Self.unknown("a property")
            }
            return read
        }
    }

    private func attribute(_ words: [Int]) throws -> AttributeTraits {
        guard let type = AttributeType(rawValue: UInt(words[12])), type != .undefined, type != .composite
        else {
            throw Self.unknown("an attribute's type")
        }
        var traits = AttributeTraits(type)
        traits.valueTransformerName = try wideText(words[11])
        let className = words[13] == 0 ? nil : try text(words[13])
        try Self.check(className == type.valueClassName, part: "a class of values")
        try Self.check(words[11] == 0 || type == .transformable, part: "a transformer")
        traits.preservesValueInHistoryOnDeletion = words[2] & Flag.preserved != 0
        try Self.check(words[15] == (words[2] & Flag.preserved != 0 ? 16 : 0), part: "an attribute's flags")
        // Of default values NO and a 64-bit 0 are all that was ever seen.
        switch (words[14], type, Array(words[16...])) {
        case (0, _, []): break
        case (1, .boolean, [0]): traits.defaultValue = .bool(false)
        case (1, .integer64, [0, 0]): traits.defaultValue = .integer(0)
        default: throw Self.unknown("a default value")
        }
        return traits
    }
}
