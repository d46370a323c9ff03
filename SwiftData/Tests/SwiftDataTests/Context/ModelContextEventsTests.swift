import CoreData
import Foundation
import SwiftData
import Synchronization
import Testing

@Suite struct ModelContextEventsTests {
    @Test func aTransactionSavesOrDropsEverything() throws {
        let container = try makeContainer()
        let context = ModelContext(container)
        try context.transaction { context.insert(Trip(name: "Ararat")) }
        #expect(!context.hasChanges)
        struct Refusal: Error {}
        #expect(throws: Refusal.self) {
            try context.transaction {
                context.insert(Trip(name: "Elbrus"))
                throw Refusal()
            }
        }
        #expect(!context.hasChanges)
        #expect(try ModelContext(container).fetch(FetchDescriptor<Trip>()).map(\.name) == ["Ararat"])
    }

    @Test func savesAreAnnounced() throws {
        let context = ModelContext(try makeContainer())
        let told = Mutex<[String: Int]>([:])
        let center = NotificationCenter.default
        let keys: [ModelContext.NotificationKey] = [
            .insertedIdentifiers, .updatedIdentifiers, .deletedIdentifiers,
        ]
        let tokens = [ModelContext.willSave, ModelContext.didSave].map { name in
            center.addObserver(forName: name, object: context, queue: nil) { notification in
                told.withLock { told in
                    told[name.rawValue, default: 0] += 1
                    for key in keys {
                        told[key.rawValue] =
                            (notification.userInfo?[key.rawValue] as? [PersistentIdentifier])?.count
                    }
                }
            }
        }
        defer { for token in tokens { center.removeObserver(token) } }
        let trip = Trip(name: "Ararat")
        context.insert(trip)
        try context.save()
        #expect(told.withLock { $0[ModelContext.willSave.rawValue] } == 1)
        #expect(told.withLock { $0[ModelContext.didSave.rawValue] } == 1)
        #expect(told.withLock { $0["insertedIdentifiers"] } == 1)
        trip.name = "Elbrus"
        try context.save()
        #expect(told.withLock { $0["updatedIdentifiers"] } == 1)
        context.delete(trip)
        try context.save()
        #expect(told.withLock { $0["deletedIdentifiers"] } == 1)
        #expect(ModelContext.NotificationKey.allCases.count == 6)
    }

    @Test func changesAreUndone() throws {
        let context = ModelContext(try makeContainer())
        context.undoManager = UndoManager()
        let trip = Trip(name: "Ararat")
        context.insert(trip)
        context.processPendingChanges()
        trip.name = "Elbrus"
        context.processPendingChanges()
        context.undoManager?.undo()
        #expect(trip.name == "Ararat")
        context.undoManager?.redo()
        #expect(trip.name == "Elbrus")
    }

    @Test func aModelKnowsItsContext() throws {
        let container = try makeContainer()
        let context = ModelContext(container)
        context.author = "ann"
        let trip = Trip(name: "Ararat")
        #expect(trip.modelContext == nil)
        context.insert(trip)
        #expect(trip.modelContext == context)
        #expect(trip.hasChanges)
        #expect(context.container == container)
        #expect(context.author == "ann")
        #expect(context.debugDescription.hasPrefix("ModelContext("))
        #expect(trip == trip && trip.hashValue == trip.hashValue)
    }

    @Test func anotherClassIsUnknown() throws {
        let context = ModelContext(try makeContainer())
        #expect(throws: SwiftDataError.unknownSchema) { try context.fetch(FetchDescriptor<Country>()) }
    }
}
