// Version hashes through the model classes, on real models with hashes that Apple's tools wrote.

import CoreData
import CoreDataFiles
import CoreDataSchema
import CoreDataTestSupport
import Testing

@Suite struct NSManagedObjectModelVersionsTests {
    @Test func everyEntityHasAHash() throws {
        let model = SampleModel.make()
        expect(Set(model.entityVersionHashesByName.keys), equals: ["Vehicle", "Car", "Owner"])
        #expect(model.entityVersionHashesByName.values.allSatisfy { $0.count == 32 })
        let owner = try #require(model.entitiesByName["Owner"])
        expect(owner.versionHash, equals: model.entityVersionHashesByName["Owner"])
        expect(owner.propertiesByName["name"]?.versionHash.count, equals: 32)
        expect(owner.propertiesByName["bigCars"]?.versionHash.isEmpty, equals: true)
        expect(Data(base64Encoded: model.versionChecksum)?.count, equals: 32)
    }

    @Test func hashesFollowTheDeclaration() throws {
        let model = SampleModel.make()
        let before = model.entityVersionHashesByName
        let owner = try #require(model.entitiesByName["Owner"])
        owner.userInfo?["note"] = "free"
        owner.renamingIdentifier = "Person"
        expect(model.entityVersionHashesByName, equals: before)
        owner.attributesByName["name"]?.isOptional = false
        #expect(model.entityVersionHashesByName["Owner"] != before["Owner"])
        expect(model.entityVersionHashesByName["Vehicle"], equals: before["Vehicle"])
    }

    /// Hashes are kept from call to call until something changes, wherever in the model.
    @Test func everyChangeIsSeenAfterHashesWereRead() throws {
        let model = SampleModel.make()
        let owner = try #require(model.entitiesByName["Owner"])
        let name = try #require(owner.attributesByName["name"])
        let other = NSEntityDescription("Extra", [NSAttributeDescription("a", .string)])
        let relation = try #require(owner.relationshipsByName.values.first)
        let changes: [(String, () -> Void)] = [
            ("name", { name.name = "title" }), ("optional", { name.isOptional.toggle() }),
            ("type", { name.attributeType = .binaryDataAttributeType }),
            ("modifier", { name.versionHashModifier = "2" }), ("entity", { owner.versionHashModifier = "3" }),
            ("abstract", { owner.isAbstract.toggle() }),
            ("added", { owner.properties.append(NSAttributeDescription("more", .date)) }),
            ("removed", { owner.properties.removeAll { $0.name == "more" } }),
            ("counts", { relation.maxCount += 5 }), ("new entity", { model.entities.append(other) }),
            ("its property", { other.attributesByName["a"]?.isTransient = true }),
            ("hierarchy", { owner.subentities = [other] }),
            ("constraint", { owner.uniquenessConstraints = [["title"]] }),
        ]
        for (what, change) in changes {
            let before = model.entityVersionHashesByName
            expect(model.entityVersionHashesByName, equals: before)
            change()
            let after = model.entityVersionHashesByName
            let copy = try #require(model.copy() as? NSManagedObjectModel)
            expect(after, equals: copy.entityVersionHashesByName, "\(what)")
            expect(owner.versionHash, equals: after["Owner"])
        }
        let first = model.entityVersionHashesByName
        name.isOptional.toggle()
        #expect(model.entityVersionHashesByName["Owner"] != first["Owner"])
    }

    @Test func anEntityWithoutAModelHasItsHash() {
        let entity = NSEntityDescription("Lone")
        entity.properties = [NSAttributeDescription("a", .string)]
        let alone = entity.versionHash
        let model = NSManagedObjectModel()
        model.entities = [entity]
        expect(alone.count, equals: 32)
        expect(model.entityVersionHashesByName["Lone"], equals: alone)
    }

    @Test func theHashesInUseAreTheSame() {
        let model = SampleModel.make()
        let before = model.entityVersionHashesByName
        model.freeze()
        expect(model.entityVersionHashesByName, equals: before)
    }

    @Test func compatibilityIsOfTheConfigurationsEntities() {
        let model = SampleModel.make()
        let hashes = model.entityVersionHashesByName
        let whole: [String: Any] = [NSStoreModelVersionHashesKey: hashes]
        #expect(model.isConfiguration(withName: nil, compatibleWithStoreMetadata: whole))
        #expect(model.isConfiguration(withName: "Machines", compatibleWithStoreMetadata: whole))
        let machines = hashes.filter { $0.key != "Owner" }
        let part: [String: Any] = [NSStoreModelVersionHashesKey: machines]
        #expect(model.isConfiguration(withName: "Machines", compatibleWithStoreMetadata: part))
        #expect(!model.isConfiguration(withName: nil, compatibleWithStoreMetadata: part))
        var other = hashes
        other["Owner"] = Data(count: 32)
        #expect(
            model.isConfiguration(
                withName: "Machines", compatibleWithStoreMetadata: [NSStoreModelVersionHashesKey: other]))
        other["Car"] = Data(count: 32)
        #expect(
            !model.isConfiguration(
                withName: "Machines", compatibleWithStoreMetadata: [NSStoreModelVersionHashesKey: other]))
        #expect(!model.isConfiguration(withName: "Nobody", compatibleWithStoreMetadata: part))
        #expect(!model.isConfiguration(withName: nil, compatibleWithStoreMetadata: [:]))
    }
}
