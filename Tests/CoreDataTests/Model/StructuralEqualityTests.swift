// Descriptions are equal when they say the same, and their copies and archives say the same.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct StructuralEqualityTests {
    private func vehicle() throws -> NSEntityDescription {
        try #require(SampleModel.make().entitiesByName["Vehicle"])
    }

    /// Archives by hand, as a client's own coding does.
    private func archive(_ encode: (NSKeyedArchiver) -> Void) throws -> NSKeyedUnarchiver {
        let archiver = NSKeyedArchiver(requiringSecureCoding: false)
        encode(archiver)
        archiver.finishEncoding()
        let reader = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
        reader.requiresSecureCoding = false
        reader.decodingFailurePolicy = .setErrorAndReturn
        return reader
    }

    @Test func entities() throws {
        let (one, other) = (try vehicle(), try vehicle())
        #expect(one.isEqual(other) && one.hash == other.hash)
        other.versionHashModifier = "2"
        #expect(!one.isEqual(other) && !one.isEqual("Vehicle"))
        let copy = try #require(other.copy(with: nil) as? NSEntityDescription)
        expect(copy.versionHashModifier, equals: "2")
        expect(copy.attributesByName.keys.sorted(), equals: ["plate", "wheels"])
        copy.isAbstract = false
        #expect(other.isAbstract)
        let back = try #require(NSEntityDescription(coder: archive { other.encode(with: $0) }))
        #expect(back.name == "Vehicle" && back.versionHashModifier == "2" && back.isAbstract)
    }

    @Test func whatAnEntityKeepsForTheModelFile() throws {
        let entity = NSEntityDescription("Place")
        entity.compoundIndexes = [["a", "b"]]
        entity.coreSpotlightDisplayNameExpression = NSExpression(forKeyPath: "name")
        expect(entity.compoundIndexes as? [[String]], equals: [["a", "b"]])
        expect(entity.coreSpotlightDisplayNameExpression?.keyPath, equals: "name")
    }

    @Test func models() throws {
        let (one, other) = (SampleModel.make(), SampleModel.make())
        #expect(one.isEqual(other))
        let copy = try #require(one.copy(with: nil) as? NSManagedObjectModel)
        #expect(copy.isEqual(one) && copy !== one)
        copy.versionIdentifiers = ["2.0"]
        copy.entitiesByName["Owner"]?.versionHashModifier = "changed"
        #expect(!copy.isEqual(one))
        let back = try #require(NSManagedObjectModel(coder: archive { one.encode(with: $0) }))
        #expect(back.isEqual(one))
    }

    @Test func properties() throws {
        let plain = NSPropertyDescription()
        plain.name = "plate"
        #expect(plain.isOptional && !plain.isTransient)
        let attribute = try #require(try vehicle().attributesByName["plate"])
        let same = try #require(try vehicle().attributesByName["plate"])
        let property: NSPropertyDescription = attribute
        #expect(property.isEqual(same) && property.hash == same.hash)
        for change: (NSAttributeDescription) -> Void in [
            { $0.isIndexed = true }, { $0.isIndexedBySpotlight = true },
            { $0.isStoredInExternalRecord = true },
            { $0.versionHashModifier = "2" }, { $0.preservesValueInHistoryOnDeletion = true },
            { $0.allowsCloudEncryption = true }, { $0.isOptional = false },
        ] {
            let copy = try #require(property.copy(with: nil) as? NSAttributeDescription)
            #expect(copy.isEqual(property))
            change(copy)
            #expect(!copy.isEqual(property), "a change is seen")
            let again = try #require(copy.copy(with: nil) as? NSAttributeDescription)
            #expect(again.isEqual(copy), "a copy keeps what was changed")
            let archived: NSPropertyDescription = copy
            let back = NSAttributeDescription(coder: try archive { archived.encode(with: $0) })
            #expect(back?.isIndexed == copy.isIndexed && back?.isOptional == copy.isOptional)
            expect(back?.isIndexedBySpotlight, equals: copy.isIndexedBySpotlight)
            expect(back?.isStoredInExternalRecord, equals: copy.isStoredInExternalRecord)
            expect(back?.versionHashModifier, equals: copy.versionHashModifier)
            expect(back?.preservesValueInHistoryOnDeletion, equals: copy.preservesValueInHistoryOnDeletion)
            expect(back?.allowsCloudEncryption, equals: copy.allowsCloudEncryption)
        }
    }

    @Test func propertiesOfOtherKindsAreReadByTheirOwnClassOnly() throws {
        let model = SampleModel.make()
        let place = try #require(model.entitiesByName["Car"]?.propertiesByName["place"])
        let composite = NSCompositeAttributeDescription(coder: try archive { place.encode(with: $0) })
        expect(composite?.elements.map(\.name), equals: ["latitude", "longitude"])
        let fetched = try #require(model.entitiesByName["Owner"]?.propertiesByName["bigCars"])
        let property = NSFetchedPropertyDescription(coder: try archive { fetched.encode(with: $0) })
        expect(property?.fetchRequest?.entityName, equals: "Car")
        #expect(NSFetchedPropertyDescription(coder: try archive { place.encode(with: $0) }) == nil)
        let base = try #require(NSPropertyDescription(coder: try archive { place.encode(with: $0) }))
        expect(base.name, equals: "place")
    }

    @Test func indexes() throws {
        let (one, other) = (
            try #require(try vehicle().indexes.first), try #require(try vehicle().indexes.first)
        )
        #expect(one.isEqual(other) && one.hash == other.hash)
        let copy = try #require(one.copy(with: nil) as? NSFetchIndexDescription)
        #expect(copy.isEqual(one))
        copy.name = "other"
        #expect(!copy.isEqual(one) && one.name == "byPlate")
        let back = try #require(NSFetchIndexDescription(coder: archive { one.encode(with: $0) }))
        #expect(back.isEqual(one))
    }

    @Test func indexElements() throws {
        let one = try #require(try vehicle().indexes.first?.elements.first)
        let other = try #require(try vehicle().indexes.first?.elements.first)
        #expect(one.isEqual(other) && one.hash == other.hash)
        let copy = try #require(one.copy(with: nil) as? NSFetchIndexElementDescription)
        #expect(copy.isEqual(one) && !copy.isAscending)
        copy.collationType = .rTree
        #expect(!copy.isEqual(one))
        let back = try #require(NSFetchIndexElementDescription(coder: archive { copy.encode(with: $0) }))
        #expect(back.isEqual(copy) && back.collationType == NSFetchIndexElementType.rTree)
    }

    @Test func storeDescriptions() throws {
        let one = NSPersistentStoreDescription()
        #expect(one.url?.path == "/dev/null" && one.type == NSSQLiteStoreType)
        one.url = URL(fileURLWithPath: "/tmp/a.sqlite")
        let copy = try #require(one.copy(with: nil) as? NSPersistentStoreDescription)
        #expect(copy.isEqual(one) && copy.hash == one.hash)
        #expect(one.description.contains("a.sqlite") && one.description.contains("SQLite"))
        copy.shouldAddStoreAsynchronously = true
        #expect(!copy.isEqual(one))
    }

    @Test func attributeTypesHaveApplesNumbers() {
        typealias Kind = NSAttributeDescription.AttributeType
        let kinds: [Kind] = [.undefined, .integer16, .string, .objectID, .composite]
        let numbers: [Kind.RawValue] = [
            .undefinedAttributeType, .integer16AttributeType, .stringAttributeType, .objectIDAttributeType,
            .compositeAttributeType,
        ]
        expect(kinds.map(\.rawValue), equals: numbers)
        expect(kinds, equals: numbers.map(Kind.init(rawValue:)))
        expect(numbers.map(\.rawValue), equals: [0, 100, 700, 2000, 2100])
    }

    @Test func deleteRulesHaveApplesNumbers() {
        let rules: [NSDeleteRule] = [
            .noActionDeleteRule, .nullifyDeleteRule, .cascadeDeleteRule, .denyDeleteRule,
        ]
        expect(rules.map(\.rawValue), equals: [0, 1, 2, 3])
    }
}
