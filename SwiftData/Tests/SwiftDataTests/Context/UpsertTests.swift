import Foundation
import SwiftData
import Synchronization
import Testing

/// Inserted models whose unique values are in the store already go on being used.
@Suite struct UpsertTests {
    let container: ModelContainer
    let context: ModelContext

    init() throws {
        container = try ModelContainer(
            for: Country.self, Trip.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        context = ModelContext(container)
    }

    @Test func theInsertedModelStandsForTheRow() throws {
        let first = Country(code: "AM", name: "Armenia")
        context.insert(first)
        try context.save()
        let second = Country(code: "AM", name: "Hayastan")
        context.insert(second)
        let temporary = second.persistentModelID
        try context.save()
        #expect(second.modelContext === context)
        #expect(second.persistentModelID == first.persistentModelID)
        #expect(context.model(for: temporary).persistentModelID == first.persistentModelID)
        #expect(first.name == "Hayastan")
        second.population = 3
        #expect(context.hasChanges)
        try context.save()
        let found = try ModelContext(container).fetch(FetchDescriptor<Country>())
        #expect(found.map(\.population) == [3])
        #expect(first.population == 3)
    }

    @Test func rowsThatNoModelShowsAreUpdated() throws {
        let other = ModelContext(container)
        other.insert(Country(code: "AM", name: "Armenia"))
        try other.save()
        let country = Country(code: "AM", name: "Hayastan")
        context.insert(country)
        try context.save()
        #expect(try context.fetch(FetchDescriptor<Country>()).first === country)
        country.name = "Armenia"
        try context.save()
        #expect(try other.fetch(FetchDescriptor<Country>()).map(\.name) == ["Armenia"])
        context.delete(country)
        try context.save()
        #expect(try other.fetchCount(FetchDescriptor<Country>()) == 0)
    }

    @Test func itIsRelatedToOthers() throws {
        context.insert(Traveller(email: "ann@example.org"))
        try context.save()
        let ann = Traveller(email: "ann@example.org")
        context.insert(ann)
        try context.save()
        let trip = Trip(name: "Ararat")
        trip.traveller = ann
        try context.save()
        let found = try #require(try ModelContext(container).fetch(FetchDescriptor<Traveller>()).first)
        #expect(found.trips.map(\.name) == ["Ararat"])
    }

    @Test func ofSeveralNewOnesAllStandForOneRow() throws {
        let (first, second) = (Country(code: "AM", name: "a"), Country(code: "AM", name: "b"))
        context.insert(first)
        context.insert(second)
        try context.save()
        #expect(first.modelContext === context && second.modelContext === context)
        #expect(first.persistentModelID == second.persistentModelID)
        #expect(try context.fetchCount(FetchDescriptor<Country>()) == 1)
    }

    @Test func theSaveTellsOfAnUpdate() throws {
        let first = Country(code: "AM", name: "Armenia")
        context.insert(first)
        try context.save()
        let told = Mutex<(inserted: Int, updated: [PersistentIdentifier])>((0, []))
        let token = NotificationCenter.default.addObserver(
            forName: ModelContext.didSave, object: context, queue: nil
        ) { note in
            func ids(_ key: ModelContext.NotificationKey) -> [PersistentIdentifier] {
                note.userInfo?[key.rawValue] as? [PersistentIdentifier] ?? []
            }
            told.withLock { $0 = (ids(.insertedIdentifiers).count, ids(.updatedIdentifiers)) }
        }
        defer { NotificationCenter.default.removeObserver(token) }
        context.insert(Country(code: "AM", name: "Hayastan"))
        try context.save()
        #expect(told.withLock { $0.inserted } == 0)
        #expect(told.withLock { $0.updated } == [first.persistentModelID])
    }
}
