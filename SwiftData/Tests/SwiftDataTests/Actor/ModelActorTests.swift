import SwiftData
import Testing

@ModelActor
actor TripActor {
    func add(_ name: String) throws -> PersistentIdentifier {
        let trip = Trip(name: name)
        modelContext.insert(trip)
        try modelContext.save()
        return trip.persistentModelID
    }

    func rename(_ id: PersistentIdentifier, to name: String) throws {
        self[id, as: Trip.self]?.name = name
        try modelContext.save()
    }

    func change(_ id: PersistentIdentifier, to name: String) {
        modelContext.autosaveEnabled = true
        self[id, as: Trip.self]?.name = name
    }

    func name(_ id: PersistentIdentifier) -> String? { self[id, as: Trip.self]?.name }

    func stop(_ id: PersistentIdentifier) -> Bool { self[id, as: Stop.self] == nil }
}

@Suite struct ModelActorTests {
    @Test func actorsShareModelsByIdentifiers() async throws {
        let container = try makeContainer()
        let (first, second) = (TripActor(modelContainer: container), TripActor(modelContainer: container))
        let id = try await first.add("Ararat")
        try await second.rename(id, to: "Elbrus")
        let names = try ModelContext(container).fetch(FetchDescriptor<Trip>()).map(\.name)
        #expect(names == ["Elbrus"])
        #expect(await second.stop(id))
        #expect(first.modelContainer === container)
    }

    @Test func aContextThatSavesByItselfIsSavedAfterTheJob() async throws {
        let container = try makeContainer()
        let actor = TripActor(modelContainer: container)
        let id = try await actor.add("Ararat")
        await actor.change(id, to: "Etna")
        // The next job runs after the save.
        #expect(await actor.name(id) == "Etna")
        #expect(try ModelContext(container).fetch(FetchDescriptor<Trip>()).map(\.name) == ["Etna"])
    }

    @Test @MainActor func theMainContextSavesAtTheEndOfTheTurn() async throws {
        let container = try makeContainer()
        let context = container.mainContext
        #expect(context.autosaveEnabled)
        #expect(container.mainContext === context)
        context.insert(Trip(name: "Ararat"))
        for _ in 0..<1000 where context.hasChanges { await Task.yield() }
        #expect(!context.hasChanges)
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Trip>()) == 1)
    }
}
