// Version hashes through the model classes, on real models with hashes that Apple's tools wrote.

import CoreData
import CoreDataFiles
import CoreDataSchema
import CoreDataTestSupport
import Testing

@Suite struct NSManagedObjectModelVersionsTests {
    @Test func everyEntityHasAHash() throws {
        let model = SampleModel.make()
        #expect(Set(model.entityVersionHashesByName.keys) == ["Vehicle", "Car", "Owner"])
        #expect(model.entityVersionHashesByName.values.allSatisfy { $0.count == 32 })
        let owner = try #require(model.entitiesByName["Owner"])
        #expect(owner.versionHash == model.entityVersionHashesByName["Owner"])
        #expect(owner.propertiesByName["name"]?.versionHash.count == 32)
        #expect(owner.propertiesByName["bigCars"]?.versionHash.isEmpty == true)
        #expect(Data(base64Encoded: model.versionChecksum)?.count == 32)
    }

    @Test func hashesFollowTheDeclaration() throws {
        let model = SampleModel.make()
        let before = model.entityVersionHashesByName
        let owner = try #require(model.entitiesByName["Owner"])
        owner.userInfo?["note"] = "free"
        owner.renamingIdentifier = "Person"
        #expect(model.entityVersionHashesByName == before)
        owner.attributesByName["name"]?.isOptional = false
        #expect(model.entityVersionHashesByName["Owner"] != before["Owner"])
        #expect(model.entityVersionHashesByName["Vehicle"] == before["Vehicle"])
    }

    @Test func anEntityWithoutAModelHasItsHash() {
        let entity = NSEntityDescription("Lone")
        entity.properties = [NSAttributeDescription("a", .string)]
        let alone = entity.versionHash
        let model = NSManagedObjectModel()
        model.entities = [entity]
        #expect(alone.count == 32)
        #expect(model.entityVersionHashesByName["Lone"] == alone)
    }

    @Test func theHashesInUseAreTheSame() {
        let model = SampleModel.make()
        let before = model.entityVersionHashesByName
        model.freeze()
        #expect(model.entityVersionHashesByName == before)
    }

    @Test func compatibilityIsOfTheConfigurationsEntities() {
        let model = SampleModel.make()
        let hashes = model.entityVersionHashesByName
        let whole: [String: Any] = [NSStoreModelVersionHashesKey: hashes]
        #expect(model.isConfiguration(withName: nil, compatibleWithStoreMetadata: whole))
        #expect(!model.isConfiguration(withName: "Machines", compatibleWithStoreMetadata: whole))
        let machines = hashes.filter { $0.key != "Owner" }
        let part: [String: Any] = [NSStoreModelVersionHashesKey: machines]
        #expect(model.isConfiguration(withName: "Machines", compatibleWithStoreMetadata: part))
        #expect(!model.isConfiguration(withName: nil, compatibleWithStoreMetadata: part))
        #expect(!model.isConfiguration(withName: "Nobody", compatibleWithStoreMetadata: part))
        #expect(!model.isConfiguration(withName: nil, compatibleWithStoreMetadata: [:]))
    }
}
