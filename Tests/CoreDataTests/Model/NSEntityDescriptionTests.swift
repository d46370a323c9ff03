// Entities: properties own and inherited, the tree, constraints, equality.

import CoreData
import CoreDataTestSupport
import Testing

@Suite struct NSEntityDescriptionTests {
    @Test func propertiesIncludeInheritedOnesFirst() throws {
        let model = SampleModel.make()
        let car = try #require(model.entitiesByName["Car"])
        expect(car.properties.prefix(2).map(\.name), equals: ["plate", "wheels"])
        expect(
            Set(car.attributesByName.keys), equals: ["plate", "wheels", "doors", "place", "plateForSearch"])
        expect(Set(car.relationshipsByName.keys), equals: ["owner"])
        expect(car.propertiesByName.count, equals: car.properties.count)
    }

    @Test func settingPropertiesPassesOverInheritedOnes() throws {
        let model = SampleModel.make()
        let car = try #require(model.entitiesByName["Car"])
        let plate = try #require(car.propertiesByName["plate"])
        car.properties += [NSAttributeDescription("colour", .string)]
        expect(car.properties.filter { $0.name == "plate" }.count, equals: 1)
        #expect(plate.entity === model.entitiesByName["Vehicle"])
        #expect(car.propertiesByName["colour"]?.entity === car)
    }

    @Test func theTreeOfEntities() throws {
        let model = SampleModel.make()
        let vehicle = try #require(model.entitiesByName["Vehicle"])
        let car = try #require(model.entitiesByName["Car"])
        #expect(car.superentity === vehicle)
        #expect(vehicle.subentitiesByName["Car"] === car)
        #expect(car.isKindOf(entity: car))
        #expect(car.isKindOf(entity: vehicle))
        #expect(!vehicle.isKindOf(entity: car))
        let other = NSEntityDescription("Machine")
        other.subentities = [car]
        #expect(vehicle.subentities.isEmpty)
        #expect(car.superentity === other)
        other.subentities = []
        #expect(car.superentity == nil)
    }

    @Test func predicatesReadKeys() throws {
        let model = SampleModel.make()
        let vehicle = try #require(model.entitiesByName["Vehicle"])
        let car = try #require(model.entitiesByName["Car"])
        #expect(NSPredicate(format: "superentity == %@", vehicle).evaluate(with: car))
        #expect(NSPredicate(format: "superentity == nil AND superentity.name == nil").evaluate(with: vehicle))
        #expect(NSPredicate(format: "superentity.name == 'Vehicle' AND isAbstract == NO").evaluate(with: car))
        vehicle.isAbstract = true
        #expect(NSPredicate(format: "abstract == YES").evaluate(with: vehicle))
    }

    @Test func entitiesOfEqualModelsAreOfAKind() throws {
        let (left, right) = (SampleModel.make(), SampleModel.make())
        let car = try #require(left.entitiesByName["Car"])
        #expect(car.isKindOf(entity: try #require(right.entitiesByName["Car"])))
        #expect(car.isKindOf(entity: try #require(right.entitiesByName["Vehicle"])))
        #expect(!car.isKindOf(entity: try #require(right.entitiesByName["Owner"])))
    }

    @Test func inheritingFromItselfStopsTheProcess() async {
        await #expect(processExitsWith: .failure) {
            let entity = NSEntityDescription("Snake")
            entity.subentities = [entity]
        }
    }

    @Test func askingForAMissingModelStopsTheProcess() async {
        await #expect(processExitsWith: .failure) { _ = NSEntityDescription("Alone").managedObjectModel }
        await #expect(processExitsWith: .failure) { _ = NSAttributeDescription("alone", .string).entity }
    }

    @Test func anExpressionDescriptionIsNoProperty() async {
        await #expect(processExitsWith: .failure) {
            NSEntityDescription("E").properties = [NSExpressionDescription()]
        }
    }

    @Test func relationshipsByDestination() throws {
        let model = SampleModel.make()
        let owner = try #require(model.entitiesByName["Owner"])
        let car = try #require(model.entitiesByName["Car"])
        expect(owner.relationships(forDestination: car).map(\.name), equals: ["cars"])
        #expect(car.relationships(forDestination: car).isEmpty)
    }

    @Test func namesAndClasses() {
        let entity = NSEntityDescription("Book")
        expect(entity.managedObjectClassName, equals: "NSManagedObject")
        entity.managedObjectClassName = "Library.Book"
        expect(entity.managedObjectClassName, equals: "Library.Book")
        expect(entity.renamingIdentifier, equals: "Book")
        entity.renamingIdentifier = "Volume"
        expect(entity.renamingIdentifier, equals: "Volume")
        entity.renamingIdentifier = nil
        expect(entity.renamingIdentifier, equals: "Book")
    }

    @Test func constraintsTakeNamesAndDescriptions() async throws {
        let entity = NSEntityDescription("Book")
        let isbn = NSAttributeDescription("isbn", .string)
        entity.properties = [isbn]
        entity.uniquenessConstraints = [[isbn, "edition"]]
        expect(entity.uniquenessConstraints as? [[String]], equals: [["isbn", "edition"]])
        await #expect(processExitsWith: .failure) {
            NSEntityDescription("Book").uniquenessConstraints = [[1]]
        }
    }

    @Test func equalityIsOfWhatEntitiesSay() throws {
        let left = try #require(SampleModel.make().entitiesByName["Owner"])
        let other = SampleModel.make()
        let right = try #require(other.entitiesByName["Owner"])
        expect(left, equals: right)
        expect(left.hash, equals: right.hash)
        right.userInfo?["icon"] = "person"
        #expect(left != right)
    }

    @Test func aCopyHasItsOwnProperties() throws {
        let model = SampleModel.make()
        let owner = try #require(model.entitiesByName["Owner"])
        let copy = try #require(owner.copy() as? NSEntityDescription)
        expect(copy, equals: owner)
        #expect(copy.propertiesByName["name"] !== owner.propertiesByName["name"])
        #expect(copy.propertiesByName["name"]?.entity === copy)
        #expect(copy.relationshipsByName["cars"]?.destinationEntity === model.entitiesByName["Car"])
    }
}
