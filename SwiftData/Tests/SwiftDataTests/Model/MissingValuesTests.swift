import CoreData
import Foundation
import SwiftData
import Testing

@Suite struct MissingValuesTests {
    @Test func nilReadsAsTheDeclaredInitialValue() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("Trips.store")
        let types: [any PersistentModel.Type] = [Trip.self, BusinessTrip.self]
        // Another program's model, in which everything may be nil, with the same hashes as far as the store asks.
        let model = try #require(NSManagedObjectModel.makeManagedObjectModel(for: types))
        for entity in model.entities {
            for property in entity.properties { property.isOptional = true }
        }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: file)
        let objects = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        objects.persistentStoreCoordinator = coordinator
        try objects.performAndWait {
            let trip = NSEntityDescription.insertNewObject(forEntityName: "Trip", into: objects)
            for name in trip.entity.attributesByName.keys { trip.setValue(nil, forKey: name) }
            try objects.save()
        }
        for store in coordinator.persistentStores { try coordinator.remove(store) }

        let container = try ModelContainer(for: Schema(types), configurations: ModelConfiguration(url: file))
        let trip = try #require(try ModelContext(container).fetch(FetchDescriptor<Trip>()).first)
        #expect(trip.days == 3)
        #expect(trip.name == "")
        #expect(trip.isBooked == false)
        #expect(trip.weather == .sunny)
        #expect(trip.tags == [])
        #expect(trip.short == 1)
        #expect(trip.factor == 0.5)
        #expect(trip.place == nil)
        #expect(trip.rating == nil)
        #expect(trip.link == nil)
        _ = trip.code
    }
}
