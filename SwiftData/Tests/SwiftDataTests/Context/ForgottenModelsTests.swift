// Models that were inserted and deleted, and never saved.

import Foundation
import SwiftData
import Testing

@Suite struct ForgottenModelsTests {
    private let container: ModelContainer
    private let context: ModelContext
    private let trip = Trip(name: "Ararat")

    init() throws {
        container = try makeContainer()
        context = ModelContext(container)
    }

    private func expectForgotten(_ place: SourceLocation = #_sourceLocation) throws {
        #expect(trip.modelContext == nil, sourceLocation: place)
        #expect(!trip.isDeleted && !trip.hasChanges && !context.hasChanges, sourceLocation: place)
        #expect(trip.name == "Ararat", sourceLocation: place)
        #expect(try context.fetchCount(FetchDescriptor<Trip>()) == 0, sourceLocation: place)
    }

    @Test func theyHaveNoContextAfterTheSave() throws {
        context.insert(trip)
        context.delete(trip)
        #expect(trip.isDeleted)
        try context.save()
        try expectForgotten()
        #expect(try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).isEmpty)
    }

    @Test func norAmongOtherChanges() throws {
        context.insert(trip)
        context.insert(Traveller(email: "ann@example.org"))
        context.delete(trip)
        try context.save()
        try expectForgotten()
        #expect(try context.fetchCount(FetchDescriptor<Traveller>()) == 1)
    }

    @Test func norAfterTheEndOfAnEvent() throws {
        context.insert(trip)
        context.delete(trip)
        context.processPendingChanges()
        try expectForgotten()
    }

    @Test func norThoseThatWentWithThem() throws {
        let stop = Stop(title: "Camp")
        trip.stops = [stop]
        context.insert(trip)
        context.delete(trip)
        try context.save()
        try expectForgotten()
        #expect(stop.modelContext == nil && !stop.isDeleted && stop.title == "Camp")
    }

    @Test func theyAreInsertedAgain() throws {
        context.insert(trip)
        context.delete(trip)
        try context.save()
        let other = ModelContext(container)
        other.insert(trip)
        #expect(trip.modelContext === other && trip.hasChanges && !trip.isDeleted)
        other.delete(trip)
        try other.save()
        context.insert(trip)
        try context.save()
        #expect(try ModelContext(container).fetch(FetchDescriptor<Trip>()).map(\.name) == ["Ararat"])
    }

    @Test func thoseOfTheStoreAreInsertedElsewhere() throws {
        context.insert(trip)
        try context.save()
        context.delete(trip)
        try context.save()
        let other = ModelContext(container)
        other.insert(trip)
        #expect(trip.modelContext === other)
        try other.save()
        #expect(try context.fetch(FetchDescriptor<Trip>()).map(\.name) == ["Ararat"])
    }

    @Test func nobodyKeepsThem() throws {
        weak var gone: Trip?
        do {
            let trip = Trip(name: "Elbrus")
            gone = trip
            context.insert(trip)
            context.delete(trip)
            try context.save()
        }
        #expect(gone == nil)
    }

    @Test func thoseOfTheStoreAreNotDeletedAfterTheSave() throws {
        context.insert(trip)
        try context.save()
        context.delete(trip)
        #expect(trip.isDeleted)
        try context.save()
        try expectForgotten()
    }

    @MainActor
    @Test func autosaveLetsThemGo() async throws {
        let context = container.mainContext
        weak var gone: Trip?
        do {
            let trip = Trip(name: "Elbrus")
            gone = trip
            context.insert(trip)
            context.delete(trip)
        }
        for _ in 0..<50 where gone != nil { try await Task.sleep(for: .milliseconds(10)) }
        #expect(gone == nil && !context.hasChanges)
    }
}
