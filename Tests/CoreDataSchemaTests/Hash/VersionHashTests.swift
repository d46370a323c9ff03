// The formulas on small models, written out by hand; the real models' hashes are checked with the files.

import CoreDataSchema
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct VersionHashTests {
    private func attribute(
        _ name: String, edit: (inout PropertySchema, inout AttributeTraits) -> Void = { _, _ in }
    )
        -> PropertySchema
    {
        var traits = AttributeTraits(.string)
        var property = PropertySchema(name: name, kind: .attribute(traits))
        edit(&property, &traits)
        property.kind = .attribute(traits)
        return property
    }

    private func hash(_ entity: EntitySchema) throws -> EntityHash {
        try #require(VersionHash.hashes(of: ModelIndex(ModelSchema(entities: [entity])))[entity.name])
    }

    @Test func anAttributesLayout() {
        let base = SHA256.hash(Array("name".utf8) + [1, 0])
        expect(VersionHash.hash(of: attribute("name")), equals: SHA256.hash(Array(base) + [0xBC, 2, 0, 0]))
    }

    @Test func aRelationshipsLayout() {
        var traits = RelationshipTraits(destinationEntityName: "B", inverseName: "a", maxCount: 3)
        traits.minCount = 1
        traits.isOrdered = true
        var property = PropertySchema(name: "bs", kind: .relationship(traits))
        property.isOptional = false
        let base = SHA256.hash(Array("bs".utf8) + [0, 0])
        let expected = SHA256.hash(Array(base) + Array("Ba".utf8) + [3, 0, 0, 0, 1, 0, 0, 0, 1, 0])
        expect(VersionHash.hash(of: property), equals: expected)
    }

    @Test func anEntitysLayout() throws {
        var entity = EntitySchema(name: "E", properties: [attribute("b"), attribute("a")])
        entity.isAbstract = true
        entity.uniquenessConstraints = [["b"], ["a"]]
        let properties = try ["a", "b"].flatMap { try Array(#require(VersionHash.hash(of: attribute($0)))) }
        try expect(hash(entity).data, equals: SHA256.hash([0x45, 1] + properties + Array("ab".utf8)))
        #expect(try hash(entity).isCertain)
    }

    @Test func aParentsHashIsPartOfAChilds() throws {
        var child = EntitySchema(name: "C")
        child.superentityName = "P"
        let hashes = VersionHash.hashes(
            of: ModelIndex(ModelSchema(entities: [child, EntitySchema(name: "P")])))
        let parent = try #require(hashes["P"])
        expect(hashes["C"]?.data, equals: SHA256.hash([0x43, 0] + parent.data))
    }

    @Test func transientPropertiesDontCount() throws {
        let plain = EntitySchema(name: "E", properties: [attribute("a")])
        let other = EntitySchema(
            name: "E",
            properties: [attribute("a"), attribute("t") { property, _ in property.isTransient = true }])
        try expect(hash(plain), equals: hash(other))
    }

    @Test func whatHasNoEffect() throws {
        let plain = EntitySchema(name: "E", properties: [attribute("a")])
        var other = EntitySchema(
            name: "E",
            properties: [
                attribute("a") { property, traits in
                    property.renamingIdentifier = "z"
                    property.userInfo = [.string("k"): .string("v")]
                    traits.defaultValue = .string("d")
                }
            ])
        other.className = "Other"
        try expect(hash(plain), equals: hash(other))
    }

    @Test func openCasesAreUncertainUnlessRecorded() throws {
        let modified = attribute("a") { _, traits in
            traits.allowsExternalBinaryDataStorage = true
            traits.preservesValueInHistoryOnDeletion = true
        }
        var entity = EntitySchema(name: "E", properties: [modified])
        try expect(hash(entity).isCertain, equals: false)
        try expect(hash(entity).reason?.hasPrefix("a: "), equals: true)
        entity.recordedVersionHash = Data(repeating: 7, count: 32)
        try expect(hash(entity).data, equals: Data(repeating: 7, count: 32))
        #expect(try hash(entity).isCertain)
    }

    @Test func aRecordedHashNeverReplacesASettledOne() throws {
        var entity = EntitySchema(name: "E", properties: [attribute("a")])
        let computed = try hash(entity)
        entity.recordedVersionHash = Data(repeating: 7, count: 32)
        try expect(hash(entity), equals: computed)
    }

    @Test func sumsIgnoreTheOrderOfADictionary() {
        let hashes = ["B": Data([2]), "A": Data([1])]
        expect(VersionHash.digest(of: hashes), equals: SHA512.hash([0x41, 1, 0x42, 2]).base64EncodedString())
        expect(VersionHash.checksum(of: hashes), equals: SHA256.hash([1, 2]).base64EncodedString())
    }
}
