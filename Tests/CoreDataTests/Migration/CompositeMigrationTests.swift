// Composite attributes in lightweight migrations: elements that are new, gone, renamed, in attributes that are renamed.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct CompositeMigrationTests {
    private static func model(_ address: NSCompositeAttributeDescription) -> NSManagedObjectModel {
        let place = NSEntityDescription(
            "Place", [NSAttributeDescription("name", .stringAttributeType), address])
        let model = NSManagedObjectModel()
        model.entities = [place, NSEntityDescription("Shop")]
        place.subentities = [model.entities[1]]
        return model
    }

    private static func older() -> NSManagedObjectModel {
        let position = NSCompositeAttributeDescription(
            "position", elements: [NSAttributeDescription("latitude", .doubleAttributeType)])
        return model(
            NSCompositeAttributeDescription(
                "address",
                elements: NSAttributeDescription.all(
                    ("city", .stringAttributeType), ("number", .integer32AttributeType))
                    + [position]))
    }

    private static func newer() -> NSManagedObjectModel {
        let position = NSCompositeAttributeDescription(
            "geo", elements: [NSAttributeDescription("north", .doubleAttributeType)])
        position.renamingIdentifier = "position"
        position.elements[0].renamingIdentifier = "latitude"
        let town = NSAttributeDescription("town", .stringAttributeType)
        town.renamingIdentifier = "city"
        let country = NSAttributeDescription("country", .stringAttributeType)
        country.defaultValue = "DE"
        let place = NSCompositeAttributeDescription("place", elements: [town, country, position])
        place.renamingIdentifier = "address"
        return model(place)
    }

    private func fill(_ url: URL, _ type: String) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.older())
        let store = try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url)
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let address: [String: Any] = ["city": "Ulm", "number": 7, "position": ["latitude": 48.5]]
        _ = context.make("Shop", ["name": "a", "address": address])
        _ = context.make("Place", ["name": "b"])
        try context.save()
        try coordinator.remove(store)
    }

    private func check(_ coordinator: NSPersistentStoreCoordinator) throws {
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let places = try context.all("Place", sort: "name")
        try #require(places.count == 2)
        expect(places[0].value(forKeyPath: "place.town") as? String, equals: "Ulm")
        expect(places[0].value(forKeyPath: "place.geo.north") as? Double, equals: 48.5)
        expect(places.map { $0.value(forKeyPath: "place.country") as? String }, equals: ["DE", "DE"])
        #expect(places[1].value(forKeyPath: "place.town") == nil)
        try expect(context.all("Place", "place.town == 'Ulm' AND place.geo.north > 48").count, equals: 1)
    }

    @Test func elementsKeepTheirValuesInPlace() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("Places.sqlite")
        try fill(url, NSSQLiteStoreType)
        let opened = try OpenStore(url, Self.newer(), options: .migrating)
        try expect(opened.coordinator.verify(opened.store), equals: [])
        try check(opened.coordinator)
    }

    @Test(arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType])
    func elementsKeepTheirValuesByAnInferredMapping(_ type: String) throws {
        let folder = try TemporaryFolder()
        let (url, target) = (folder.file("Old.store"), folder.file("New.store"))
        try fill(url, type)
        let (older, newer) = (Self.older(), Self.newer())
        let mapping = try NSMappingModel.inferredMappingModel(
            forSourceModel: older, destinationModel: newer)
        try NSMigrationManager(sourceModel: older, destinationModel: newer).migrateStore(
            from: url, sourceType: type, options: nil, with: mapping, toDestinationURL: target,
            destinationType: type, destinationOptions: nil)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: newer)
        try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: target)
        try check(coordinator)
    }

    @Test func anElementOfAnotherTypeIsRefused() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("Places.sqlite")
        try fill(url, NSSQLiteStoreType)
        let newer = Self.newer()
        let place =
            newer.entitiesByName["Place"]?.attributesByName["place"] as? NSCompositeAttributeDescription
        place?.elements[0].attributeType = .dateAttributeType
        let error = thrownError { _ = try OpenStore(url, newer, options: .migrating) }
        expect(error?.code, equals: NSMigrationMissingMappingModelError)
    }
}
