// Undo in contexts that save by themselves.

import CoreData
import Foundation
import SwiftData
import Testing

@Suite struct UndoTests {
    private let container: ModelContainer

    init() throws { container = try makeContainer() }

    /// Waits until the main context has saved, in the turns of the main queue.
    @MainActor
    private func awaitSave() async throws {
        try await Task.sleep(for: .milliseconds(5))
        for _ in 0..<1000 where container.mainContext.hasChanges {
            try await Task.sleep(for: .milliseconds(5))
        }
        #expect(!container.mainContext.hasChanges)
    }

    private func savedNames() throws -> [String] {
        try ModelContext(container).fetch(FetchDescriptor<Trip>()).map(\.name)
    }

    @MainActor
    @Test func eachTurnIsUndoneAloneAndSaved() async throws {
        let main = container.mainContext
        let undo = UndoManager()
        main.undoManager = undo
        let trip = Trip(name: "Ararat")
        main.insert(trip)
        try await awaitSave()
        trip.name = "Elbrus"
        trip.days = 9
        try await awaitSave()
        #expect(try savedNames() == ["Elbrus"])
        undo.undo()
        #expect(trip.name == "Ararat" && trip.days == 3 && !trip.isDeleted)
        try await awaitSave()
        #expect(try savedNames() == ["Ararat"])
        undo.redo()
        #expect(trip.name == "Elbrus" && trip.days == 9)
        try await awaitSave()
        #expect(try savedNames() == ["Elbrus"])
        undo.undo()
        undo.undo()
        try await awaitSave()
        #expect(try savedNames() == [] && !undo.canUndo)
    }

    @MainActor
    @Test func aDeletionIsUndone() async throws {
        let main = container.mainContext
        let trip = Trip(name: "Ararat")
        main.insert(trip)
        try main.save()
        main.undoManager = UndoManager()
        main.delete(trip)
        try await awaitSave()
        #expect(try savedNames() == [])
        main.undoManager?.undo()
        try await awaitSave()
        #expect(try savedNames() == ["Ararat"])
    }

    @Test func eachJobOfAModelActorIsUndoneAlone() async throws {
        let editor = TripEditor(modelContainer: container)
        try await editor.begin()
        await editor.rename("Elbrus")
        await editor.rename("Sevan")
        await editor.undo()
        #expect(try await editor.names() == ["Elbrus"])
        await editor.undo()
        #expect(try await editor.names() == ["Ararat"])
    }
}

@ModelActor
private actor TripEditor {
    private var trip: Trip?

    func begin() throws {
        let trip = Trip(name: "Ararat")
        self.trip = trip
        modelContext.insert(trip)
        try modelContext.save()
        modelContext.undoManager = UndoManager()
    }

    func rename(_ name: String) { trip?.name = name }

    func undo() { modelContext.undoManager?.undo() }

    func names() throws -> [String] { try modelContext.fetch(FetchDescriptor<Trip>()).map(\.name) }
}
