import Foundation
import SwiftData
import Testing

/// Contexts that apps make themselves and that save by themselves.
@Suite struct AutosaveTests {
    private func names(_ container: ModelContainer) throws -> [String] {
        try ModelContext(container).fetch(FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name)])).map(\.name)
    }

    /// Lets the main thread end its turn.
    @MainActor private func endTurn() async {
        await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
    }

    @Test @MainActor func aContextSavesAtTheEndOfTheTurn() async throws {
        let container = try makeContainer()
        let context = ModelContext(container)
        #expect(!context.autosaveEnabled)
        context.autosaveEnabled = true
        let trip = Trip(name: "Ararat")
        context.insert(trip)
        #expect(try names(container) == [])
        await endTurn()
        #expect(try names(container) == ["Ararat"] && !context.hasChanges)
        trip.name = "Elbrus"
        await endTurn()
        #expect(try names(container) == ["Elbrus"])
        context.delete(trip)
        await endTurn()
        #expect(try names(container) == [])
    }

    @Test @MainActor func changesBeforeItIsEnabledAreSavedToo() async throws {
        let container = try makeContainer()
        let context = ModelContext(container)
        context.insert(Trip(name: "Ararat"))
        await endTurn()
        #expect(try names(container) == [])
        context.autosaveEnabled = true
        await endTurn()
        #expect(try names(container) == ["Ararat"])
    }

    @Test func aContextOfAnotherThreadSavesWhenItEnds() async throws {
        let container = try makeContainer()
        await Task.detached {
            do {
                let context = ModelContext(container)
                context.autosaveEnabled = true
                context.insert(Trip(name: "Ararat"))
            }
            do {
                let context = ModelContext(container)
                context.insert(Trip(name: "Elbrus"))
            }
        }.value
        #expect(try names(container) == ["Ararat"])
    }

    @Test @MainActor func aContextThatIsSavedCanEndBeforeTheTurn() async throws {
        weak var context: ModelContext?
        do {
            let container = try makeContainer()
            context = container.mainContext
            container.mainContext.insert(Trip(name: "Ararat"))
            try container.mainContext.save()
        }
        #expect(context == nil)
        do {
            let container = try makeContainer()
            context = container.mainContext
            container.mainContext.insert(Trip(name: "Ararat"))
            try container.mainContext.save()
            container.mainContext.insert(Trip(name: "Elbrus"))
        }
        #expect(context?.hasChanges == true)
        await endTurn()
        #expect(context == nil)
    }
}
