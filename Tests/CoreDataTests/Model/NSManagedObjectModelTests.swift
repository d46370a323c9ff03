// The model as a whole: entities, configurations, templates, copying, equality, being in use.

import CoreData
import CoreDataPredicate
import CoreDataSchema
import CoreDataSupport
import CoreDataTestSupport
import Testing

@Suite struct NSManagedObjectModelTests {
    @Test func entitiesBelongToTheModelThatListsThem() throws {
        let model = SampleModel.make()
        let car = try #require(model.entitiesByName["Car"])
        #expect(car.managedObjectModel === model)
        expect(model.entities.map(\.name), equals: ["Vehicle", "Car", "Owner"])
        expect(model.entitiesByName.count, equals: 3)
    }

    @Test func configurationsNameEntities() throws {
        let model = SampleModel.make()
        expect(model.configurations, equals: ["Machines"])
        expect(model.entities(forConfigurationName: "Machines")?.map(\.name), equals: ["Vehicle", "Car"])
        expect(model.entities(forConfigurationName: nil)?.count, equals: 3)
        expect(model.entities(forConfigurationName: "PF_DEFAULT_CONFIGURATION_NAME")?.count, equals: 3)
        #expect(model.entities(forConfigurationName: "Nobody") == nil)
    }

    @Test func aConfigurationForgetsEntitiesThatLeaveTheModel() throws {
        let model = SampleModel.make()
        let car = try #require(model.entitiesByName["Car"])
        model.entities = model.entities.filter { $0 !== car }
        expect(model.entities(forConfigurationName: "Machines")?.map(\.name), equals: ["Vehicle"])
    }

    @Test func templatesAreKeptUnderNames() throws {
        let model = SampleModel.make()
        expect(model.fetchRequestTemplate(forName: "WithDoors")?.entityName, equals: "Car")
        #expect(model.fetchRequestTemplate(forName: "Nothing") == nil)
        model.setFetchRequestTemplate(nil, forName: "WithDoors")
        #expect(model.fetchRequestTemplatesByName.isEmpty)
    }

    @Test func templatesAreFilledIn() async throws {
        let model = SampleModel.make()
        model.freeze()
        let request = try #require(
            model.fetchRequestFromTemplate(withName: "WithDoors", substitutionVariables: ["COUNT": 3]))
        expect(
            request.predicate?.tree,
            equals: .comparison(.init(.keyPath("doors"), op: .greaterThan, right: .constant(.integer(3)))))
        #expect(request.entity === model.entitiesByName["Car"])
        request.fetchLimit = 1
        expect(model.fetchRequestTemplate(forName: "WithDoors")?.fetchLimit, equals: 0)
        #expect(model.fetchRequestFromTemplate(withName: "None", substitutionVariables: [:]) == nil)
        await #expect(processExitsWith: .failure) {
            _ = SampleModel.make().fetchRequestFromTemplate(withName: "WithDoors", substitutionVariables: [:])
        }
    }

    @Test func aCopyIsEqualAndApart() throws {
        let model = SampleModel.make()
        let copy = try #require(model.copy() as? NSManagedObjectModel)
        expect(copy, equals: model)
        expect(copy.hash, equals: model.hash)
        let car = try #require(copy.entitiesByName["Car"])
        #expect(car !== model.entitiesByName["Car"])
        #expect(car.superentity === copy.entitiesByName["Vehicle"])
        #expect(car.relationshipsByName["owner"]?.destinationEntity === copy.entitiesByName["Owner"])
        #expect(
            car.relationshipsByName["owner"]?.inverseRelationship
                === copy.entitiesByName["Owner"]?.relationshipsByName["cars"])
        #expect(copy.fetchRequestTemplate(forName: "WithDoors")?.entity === car)
        #expect(
            copy.entitiesByName["Vehicle"]?.indexes.first?.elements.first?.property
                === copy.entitiesByName["Vehicle"]?.propertiesByName["plate"])
        car.attributesByName["doors"]?.isOptional = false
        #expect(copy != model)
        expect(model.entitiesByName["Car"]?.attributesByName["doors"]?.isOptional, equals: true)
    }

    @Test func theOrderOfEntitiesDoesNotMatterForEquality() {
        let model = SampleModel.make()
        let other = SampleModel.make()
        other.entities = other.entities.reversed()
        other.setEntities(
            other.entities.filter { $0.name != "Owner" }, forConfigurationName: "Machines")
        expect(model, equals: other)
    }

    @Test func aModelInUseAnswersAsBefore() throws {
        let model = SampleModel.make()
        let before = model.schema
        model.freeze()
        model.freeze()
        expect(model.schema, equals: before)
        expect(model.index.entity("Car")?.ancestry, equals: ["Car", "Vehicle"])
        let car = try #require(model.entitiesByName["Car"])
        #expect(car.isFrozen)
        expect(
            Set(car.propertiesByName.keys),
            equals: [
                "plate", "wheels", "doors", "place", "plateForSearch", "owner",
            ])
        #expect(car.attributesByName["plate"]?.entity === model.entitiesByName["Vehicle"])
        #expect(car.isKindOf(entity: try #require(model.entitiesByName["Vehicle"])))
        #expect(!car.isKindOf(entity: try #require(model.entitiesByName["Owner"])))
    }

    @Test func aCopyOfAModelInUseCanBeChanged() throws {
        let model = SampleModel.make()
        model.freeze()
        let copy = try #require(model.copy() as? NSManagedObjectModel)
        copy.entitiesByName["Car"]?.isAbstract = true
        copy.fetchRequestTemplate(forName: "WithDoors")?.fetchLimit = 3
        expect(copy.entitiesByName["Car"]?.isAbstract, equals: true)
    }

    @Test func changingAModelInUseStopsTheProcess() async {
        await #expect(processExitsWith: .failure) {
            let model = SampleModel.make()
            model.freeze()
            model.entities = []
        }
        await #expect(processExitsWith: .failure) {
            let model = SampleModel.make()
            model.freeze()
            model.entitiesByName["Car"]?.name = "Bus"
        }
        await #expect(processExitsWith: .failure) {
            let model = SampleModel.make()
            model.freeze()
            model.entitiesByName["Car"]?.attributesByName["plate"]?.isOptional = false
        }
        await #expect(processExitsWith: .failure) {
            let model = SampleModel.make()
            model.freeze()
            model.entitiesByName["Vehicle"]?.indexes.first?.elements.first?.isAscending = true
        }
        await #expect(processExitsWith: .failure) {
            let model = SampleModel.make()
            model.freeze()
            model.fetchRequestTemplate(forName: "WithDoors")?.fetchLimit = 1
        }
    }

    @Test func configuringAForeignEntityStopsTheProcess() async {
        await #expect(processExitsWith: .failure) {
            SampleModel.make().setEntities([NSEntityDescription("Alien")], forConfigurationName: "Machines")
        }
    }

    @Test func entitiesCopiedOneByOneAreLinkedWhenTheModelComesIntoUse() throws {
        let model = SampleModel.make()
        let copies = model.entities.compactMap { $0.copy() as? NSEntityDescription }
        let other = NSManagedObjectModel()
        other.entities = copies
        other.freeze()
        let owner = try #require(other.entitiesByName["Owner"])
        #expect(owner.relationshipsByName["cars"]?.destinationEntity === other.entitiesByName["Car"])
        #expect(
            owner.relationshipsByName["cars"]?.inverseRelationship
                === other.entitiesByName["Car"]?.relationshipsByName["owner"])
    }
}
