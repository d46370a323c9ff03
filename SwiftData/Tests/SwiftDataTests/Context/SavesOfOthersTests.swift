import Foundation
@testable import SwiftData
import Synchronization
import Testing

/// One context takes over what others of the container save.
@Suite struct SavesOfOthersTests {
    let container: ModelContainer
    let (context, other): (ModelContext, ModelContext)
    let trip: Trip
    /// The same trip in the other context.
    let same: Trip

    init() throws {
        container = try makeContainer()
        (context, other) = (ModelContext(container), ModelContext(container))
        trip = Trip(name: "Ararat")
        trip.stops = [Stop(title: "Camp")]
        context.insert(trip)
        try context.save()
        same = try #require(try other.fetch(FetchDescriptor<Trip>()).first)
        #expect(same.stops.map(\.title) == ["Camp"])
    }

    @Test func aFetchFindsWhatItsConditionSays() throws {
        same.days = 20
        try other.save()
        let found = try context.fetch(FetchDescriptor<Trip>(predicate: #Predicate { $0.days == 20 }))
        #expect(found.first === trip)
        #expect(trip.days == 20)
    }

    @Test func unsavedChangesOfAPropertyWin() throws {
        trip.name = "Etna"
        same.name = "Elbrus"
        same.days = 20
        try other.save()
        _ = try context.fetchCount(FetchDescriptor<Trip>())
        #expect(trip.name == "Etna")
        #expect(trip.days == 20)
        try context.save()
        #expect(other.model(for: trip.persistentModelID) === same)
        #expect(same.name == "Etna")
        #expect(same.days == 20)
    }

    @Test func noUpdateIsLost() throws {
        for _ in 0..<5 {
            (context.model(for: trip.persistentModelID) as? Trip)?.days += 1
            try context.save()
            (other.model(for: trip.persistentModelID) as? Trip)?.days += 1
            try other.save()
        }
        #expect(try ModelContext(container).fetch(FetchDescriptor<Trip>()).map(\.days) == [13])
    }

    @Test func relationshipsHaveTheNewMembers() throws {
        same.stops.append(Stop(title: "Summit"))
        try other.save()
        #expect(context.registeredModel(for: trip.persistentModelID) as Trip? === trip)
        #expect(Set(trip.stops.map(\.title)) == ["Camp", "Summit"])
        let stop = try #require(trip.stops.first { $0.title == "Camp" })
        context.delete(stop)
        try context.save()
        try other.enumerate(FetchDescriptor<Trip>()) { #expect($0.stops.map(\.title) == ["Summit"]) }
    }

    @Test func deletionCascadesToMembersThatAreNew() throws {
        same.stops.append(Stop(title: "Summit"))
        try other.save()
        context.delete(trip)
        try context.save()
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Stop>()) == 0)
    }

    @Test func aModelThatWasDeletedIsGone() throws {
        other.delete(same)
        try other.save()
        #expect(try context.fetch(FetchDescriptor<Trip>()).isEmpty)
        #expect(trip.modelContext == nil)
        #expect(trip.name == "Ararat")
        #expect(!context.hasChanges)
        trip.name = "Etna"
        #expect(!context.hasChanges)
        try context.save()
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Trip>()) == 0)
    }

    @Test func whileThereAreUnsavedChangesItStaysUntilTheSave() throws {
        let unsaved = Trip(name: "Etna")
        context.insert(unsaved)
        trip.days = 20
        other.delete(same)
        try other.save()
        #expect(try context.fetch(FetchDescriptor<Trip>()).map(\.name) == ["Etna"])
        #expect(trip.isDeleted)
        context.rollback()
        #expect(!context.hasChanges)
        context.insert(Trip(name: "Elbrus"))
        try context.save()
        #expect(try other.fetch(FetchDescriptor<Trip>()).map(\.name) == ["Elbrus"])
    }

    /// The save has taken over what others saved before.
    @Test func aDeletionDuringASaveWins() throws {
        nonisolated(unsafe) let (other, same) = (other, same)
        let token = NotificationCenter.default.addObserver(
            forName: ModelContext.willSave, object: context, queue: nil
        ) { _ in
            other.delete(same)
            try? other.save()
        }
        trip.days = 20
        context.insert(Trip(name: "Etna"))
        try context.save()
        NotificationCenter.default.removeObserver(token)
        #expect(!context.hasChanges && trip.modelContext == nil)
        #expect(try ModelContext(container).fetch(FetchDescriptor<Trip>()).map(\.name) == ["Etna"])
        #expect(try context.fetch(FetchDescriptor<Trip>()).map(\.name) == ["Etna"])
    }

    @Test func rollbackKeepsWhatOthersSaved() throws {
        trip.name = "Etna"
        same.days = 20
        try other.save()
        context.rollback()
        #expect(trip.name == "Ararat")
        #expect(trip.days == 20)
        #expect(!context.hasChanges)
    }

    @Test func observersAreTold() throws {
        let told = Mutex(0)
        withObservationTracking {
            _ = trip.days
        } onChange: {
            told.withLock { $0 += 1 }
        }
        same.days = 20
        try other.save()
        #expect(told.withLock { $0 } == 0)
        context.processPendingChanges()
        #expect(told.withLock { $0 } == 1)
        #expect(trip.days == 20)
    }

    @Test func contextsEndWithTheirInboxes() throws {
        weak var ended: ModelContext?
        do {
            let third = ModelContext(container)
            _ = try third.fetch(FetchDescriptor<Trip>())
            ended = third
        }
        #expect(ended == nil)
        same.days = 20
        try other.save()
    }

    /// Then all that the context has is looked at.
    @Test func moreRowsThanAreKeptAreNotMissed() throws {
        let gone = Trip(name: "Etna")
        context.insert(gone)
        try context.save()
        let all = Set(context.managed.registeredObjects.map(\.objectID))
        var rows = SavedRows()
        rows.add(SavedRows(updated: all), limit: all.count - 1)
        #expect(rows.areMany && rows.updated.isEmpty && !rows.isEmpty)
        let found = try #require(
            try other.fetch(FetchDescriptor<Trip>(predicate: #Predicate { $0.name == "Etna" })).first)
        other.delete(found)
        try other.save()
        let registered = context.registered(rows)
        #expect(registered.deleted.count == 1)
        #expect(registered.updated == all.subtracting(registered.deleted))
        #expect(try context.fetchCount(FetchDescriptor<Trip>()) == 1)
        #expect(gone.modelContext == nil)
    }

    @Test @MainActor func theMainContextTakesOverByItself() async throws {
        let shown = try #require(try container.mainContext.fetch(FetchDescriptor<Trip>()).first)
        let told = Mutex(false)
        withObservationTracking {
            _ = shown.name
        } onChange: {
            told.withLock { $0 = true }
        }
        let id = shown.persistentModelID
        try await TripActor(modelContainer: container).rename(id, to: "Elbrus")
        for _ in 0..<1000 where !told.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(5)) }
        #expect(told.withLock { $0 })
        #expect(shown.name == "Elbrus")
        #expect(!container.mainContext.hasChanges)
    }

    @Test func anActorsModelsAreFreshInEachJob() async throws {
        let (first, second) = (TripActor(modelContainer: container), TripActor(modelContainer: container))
        let id = trip.persistentModelID
        #expect(await first.name(id) == "Ararat")
        try await second.rename(id, to: "Elbrus")
        #expect(await first.name(id) == "Elbrus")
    }
}
