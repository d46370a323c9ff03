// Models and their parts in words.

import CoreData
import CoreDataTestSupport
import Testing

@Suite struct NSManagedObjectModelTextTests {
    @Test func partsTellTheirNames() {
        let owner = NSEntityDescription("Owner", [NSAttributeDescription("name", .string)])
        let pet = NSEntityDescription("Pet", [NSAttributeDescription("age", .integer16)])
        NSRelationshipDescription.connect(owner, "pets", .many, pet, "owner", .one)
        let model = NSManagedObjectModel()
        model.entities = [owner, pet]
        model.versionIdentifiers = ["3"]
        #expect(model.description.contains("versionIdentifiers (3), entities (Owner, Pet)"))
        #expect(owner.description.contains("name Owner"))
        #expect(owner.description.contains("properties (name, pets)"))
        let name = owner.attributesByName["name"]?.description ?? ""
        #expect(name.contains("name name, isOptional true, isTransient false, entity Owner"))
        #expect(name.contains("attributeType 700, defaultValue none"))
        let pets = owner.relationshipsByName["pets"]?.description ?? ""
        #expect(pets.contains("destination entity Pet, inverse owner, minCount 0, maxCount 0"))
        #expect(NSAttributeDescription().description.contains("entity none"))
        let fetched = NSFetchedPropertyDescription()
        fetched.fetchRequest = NSFetchRequest(entityName: "Pet")
        #expect(fetched.description.contains("entity: Pet"))
    }
}
