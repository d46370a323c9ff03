import CoreData
import Foundation
import SwiftData
import Testing

@Suite struct MissingValuesTests {
    @Test func nilReadsAsTheDeclaredInitialValue() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("Trips.store")
        let types: [any PersistentModel.Type] = [Trip.self, BusinessTrip.self]
        do {
            let container = try ModelContainer(
                for: Schema(types), configurations: ModelConfiguration(url: file))
            let context = ModelContext(container)
            context.insert(Trip(name: "Ararat"))
            try context.save()
        }
        // Core Data's batches don't validate.
        let model = try #require(NSManagedObjectModel.makeManagedObjectModel(for: types))
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: file,
            options: [NSPersistentHistoryTrackingKey: true as NSNumber])
        let objects = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        objects.persistentStoreCoordinator = coordinator
        try objects.performAndWait {
            let attributes = model.entitiesByName["Trip"]?.attributesByName.keys.sorted() ?? []
            let request = NSBatchUpdateRequest(entityName: "Trip")
            request.propertiesToUpdate = Dictionary(
                uniqueKeysWithValues: attributes.map { ($0, NSExpression(forConstantValue: nil)) })
            request.resultType = .updatedObjectsCountResultType
            let result = try objects.execute(request) as? NSBatchUpdateResult
            #expect((result?.result as? NSNumber)?.intValue == 1)
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
