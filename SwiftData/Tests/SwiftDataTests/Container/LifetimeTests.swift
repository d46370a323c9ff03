// Contexts, containers and their stores end with the last one who uses them, whatever models were related.

import CoreData
import Foundation
import Observation
import Testing

@testable import SwiftData

@Suite struct LifetimeTests {
    private typealias Shelf = ShelvesV1.Shelf
    private typealias Volume = ShelvesV1.Volume
    private typealias Atlas = ShelvesV1.Atlas

    /// What ends with the last model and the last context.
    private final class Watch {
        weak var container: ModelContainer?
        weak var coordinator: NSPersistentStoreCoordinator?
        weak var context: ModelContext?
        weak var managed: ManagedContext?

        /// Waits for the end for up to ten seconds. Whoever opens a store, in another test, looks through the process's coordinators,
        /// and holds each of them while it does.
        var isOver: Bool {
            for _ in 0..<10_000 where !isGone { usleep(1000) }
            return isGone
        }
        private var isGone: Bool { container == nil && context == nil && isClosed }
        var isClosed: Bool { coordinator == nil && managed == nil }
    }

    private let folder: TemporaryFolder
    private let watch = Watch()

    init() throws { folder = try TemporaryFolder() }

    private var url: URL { folder.file("Shelves.store") }

    private func makeContext() throws -> ModelContext {
        let schema = Schema(versionedSchema: ShelvesV1.self)
        let container = try ModelContainer(
            for: schema, configurations: ModelConfiguration(schema: schema, url: url))
        let context = ModelContext(container)
        note(context)
        return context
    }

    private func note(_ context: ModelContext) {
        watch.container = context.container
        watch.coordinator = context.container.coordinator
        watch.context = context
        watch.managed = context.managed
    }

    /// A shelf with two volumes, which are related to it from either side.
    private func fill(_ context: ModelContext) -> Shelf {
        let shelf = Shelf(name: "Oak")
        context.insert(shelf)
        shelf.volumes.append(Volume(title: "Iliad"))
        context.insert(Volume(title: "Odyssey", shelf: shelf))
        return shelf
    }

    private func titles(_ shelf: Shelf) -> [String] { shelf.volumes.map(\.title).sorted() }

    @Test func savedModelsLetGo() throws {
        do {
            let context = try makeContext()
            let shelf = fill(context)
            try context.save()
            #expect(titles(shelf) == ["Iliad", "Odyssey"])
            #expect(shelf.volumes.allSatisfy { $0.shelf === shelf })
        }
        #expect(watch.isOver)
    }

    @Test func fetchedModelsLetGo() throws {
        do {
            let context = try makeContext()
            _ = fill(context)
            try context.save()
        }
        do {
            let context = try makeContext()
            let shelf = try #require(try context.fetch(FetchDescriptor<Shelf>()).first)
            #expect(shelf.volumes.allSatisfy { $0.shelf === shelf })
            shelf.name = "Elm"
            try context.save()
        }
        #expect(watch.isOver)
    }

    @Test func aStoreThatWasUsedIsMigrated() throws {
        do {
            let context = try makeContext()
            let shelf = fill(context)
            try context.save()
            #expect(shelf.volumes.count == 2)
        }
        let schema = Schema(versionedSchema: ShelvesV2.self)
        let container = try ModelContainer(
            for: schema, configurations: ModelConfiguration(schema: schema, url: url))
        let shelves = try ModelContext(container).fetch(FetchDescriptor<ShelvesV2.Shelf>())
        #expect(shelves.map(\.width) == [80])
        #expect(shelves.first?.volumes.map(\.title).sorted() == ["Iliad", "Odyssey"])
    }

    @Test func subclassesLetGo() throws {
        do {
            let context = try makeContext()
            let shelf = Shelf(name: "Oak")
            let atlas = Atlas(title: "World", maps: 90)
            atlas.shelf = shelf
            context.insert(atlas)
            try context.save()
            #expect(shelf.volumes == [atlas])
        }
        #expect(watch.isOver)
        do {
            let context = try makeContext()
            let atlas = try #require(try context.fetch(FetchDescriptor<Atlas>()).first)
            #expect(atlas.shelf?.volumes == [atlas] && atlas.maps == 90)
        }
        #expect(watch.isOver)
    }

    @Test func unsavedModelsLetGo() throws {
        do {
            let context = try makeContext()
            let shelf = fill(context)
            #expect(titles(shelf) == ["Iliad", "Odyssey"])
        }
        #expect(watch.isOver)
    }

    @Test func changedModelsLetGo() throws {
        do {
            let context = try makeContext()
            let shelf = fill(context)
            try context.save()
            shelf.name = "Elm"
            shelf.volumes.removeLast()
        }
        #expect(watch.isOver)
    }

    @Test func deletedModelsLetGo() throws {
        do {
            let context = try makeContext()
            let shelf = fill(context)
            try context.save()
            context.delete(shelf)
        }
        #expect(watch.isOver)
        do {
            let context = try makeContext()
            let shelf = try #require(try context.fetch(FetchDescriptor<Shelf>()).first)
            #expect(shelf.volumes.count == 2)
            context.delete(shelf)
            try context.save()
            #expect(try context.fetchCount(FetchDescriptor<Volume>()) == 0)
        }
        #expect(watch.isOver)
    }

    @Test func modelsThatWereRolledBackLetGo() throws {
        do {
            let context = try makeContext()
            let shelf = fill(context)
            try context.save()
            shelf.volumes = []
            _ = fill(context)
            context.rollback()
            #expect(titles(shelf) == ["Iliad", "Odyssey"])
        }
        #expect(watch.isOver)
    }

    @Test func observedModelsLetGo() throws {
        do {
            let context = try makeContext()
            let observer = try ResultsObserver<Shelf, Never>(sortBy: [], modelContext: context)
            let shelf = fill(context)
            withObservationTracking {
                #expect(titles(shelf) == ["Iliad", "Odyssey"])
            } onChange: {
            }
            try context.save()
            #expect(observer.results.first === shelf && observer.results.count == 1)
        }
        #expect(watch.isOver)
    }

    @Test func modelsWhoseChangesCanBeUndoneLetGo() throws {
        do {
            let context = try makeContext()
            context.undoManager = UndoManager()
            let shelf = fill(context)
            try context.save()
            shelf.volumes = []
            context.processPendingChanges()
            context.undoManager?.undo()
            #expect(titles(shelf) == ["Iliad", "Odyssey"])
        }
        #expect(watch.isOver)
    }

    // MARK: Main contexts

    @MainActor private func makeMainContext() throws -> ModelContext {
        let schema = Schema(versionedSchema: ShelvesV1.self)
        let container = try ModelContainer(
            for: schema, configurations: ModelConfiguration(schema: schema, url: url))
        #expect(container.mainContext.container === container)
        note(container.mainContext)
        return container.mainContext
    }

    /// Waits for the end of the main queue's turn, at which a main context saves.
    @MainActor private func endOfTurn() async {
        await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
    }

    @MainActor @Test func theMainContextLetsGo() async throws {
        do {
            let context = try makeMainContext()
            let shelf = fill(context)
            try context.save()
            #expect(shelf.volumes.count == 2)
        }
        await endOfTurn()
        #expect(watch.isOver)
    }

    @MainActor @Test func aMainContextThatOutlivesItsContainerIsUsed() async throws {
        do {
            let context = try makeMainContext()
            #expect(watch.container == nil)
            #expect(context.container.mainContext === context)
            #expect(context.container.configurations.map(\.url) == [url])
            #expect(try context.fetchCount(FetchDescriptor<Shelf>()) == 0)
            _ = fill(context)
        }
        await endOfTurn()
        #expect(watch.isOver)
        // What nobody held any more was saved by itself.
        #expect(try makeContext().fetchCount(FetchDescriptor<Volume>()) == 2)
    }
}

extension LifetimeTests {
    // MARK: Models that outlive their container

    @Test func aSavedModelThatOutlivesItsContainerIsRead() throws {
        do {
            let shelf: Shelf
            do {
                let context = try makeContext()
                shelf = fill(context)
                try context.save()
            }
            #expect(watch.container == nil && watch.context == nil && shelf.modelContext == nil)
            #expect(shelf.name == "Oak" && titles(shelf) == ["Iliad", "Odyssey"])
        }
        #expect(watch.isOver)
    }

    @Test func aFetchedModelThatOutlivesItsContainerIsRead() throws {
        do {
            let context = try makeContext()
            _ = fill(context)
            try context.save()
        }
        do {
            let shelf = try #require(try makeContext().fetch(FetchDescriptor<Shelf>()).first)
            #expect(titles(shelf) == ["Iliad", "Odyssey"])
            #expect(shelf.volumes.allSatisfy { $0.shelf === shelf })
            #expect(!watch.isClosed)
        }
        #expect(watch.isOver)
    }

    @Test func modelsWithChangesThatOutliveTheirContainerAreRead() throws {
        do {
            let shelf: Shelf
            do {
                let context = try makeContext()
                _ = fill(context)
                try context.save()
            }
            do {
                let context = try makeContext()
                shelf = try #require(try context.fetch(FetchDescriptor<Shelf>()).first)
                shelf.name = "Elm"
            }
            #expect(watch.container == nil && watch.context == nil)
            #expect(shelf.name == "Elm" && titles(shelf) == ["Iliad", "Odyssey"])
            shelf.name = "Ash"
            #expect(shelf.name == "Ash" && shelf.hasChanges)
        }
        #expect(watch.isOver)
    }

    @Test func anUnsavedModelThatOutlivesItsContainerIsRead() throws {
        do {
            let shelf = fill(try makeContext())
            #expect(watch.container == nil && watch.context == nil)
            #expect(shelf.name == "Oak" && titles(shelf) == ["Iliad", "Odyssey"])
        }
        #expect(watch.isOver)
    }

    @Test func aDeletedModelThatOutlivesItsContainerIsRead() throws {
        do {
            let shelf: Shelf
            do {
                let context = try makeContext()
                shelf = fill(context)
                try context.save()
                context.delete(shelf)
                try context.save()
            }
            #expect(watch.container == nil && watch.context == nil)
            #expect(shelf.name == "Oak")
        }
        #expect(watch.isOver)
    }

    @Test func aChangedModelThatWasRelatedBeforeItWasInsertedIsHeldUntilTheSave() throws {
        let context = try makeContext()
        weak var volume: Volume?
        do {
            let (made, shelf) = (Volume(title: "Iliad"), Shelf(name: "Oak"))
            shelf.volumes = [made]
            context.insert(shelf)
            try context.save()
            made.title = "Odyssey"
            volume = made
        }
        #expect(volume?.title == "Odyssey")
        try context.save()
        #expect(volume == nil)
    }

    @Test func aModelThatItsInitializerRelatedIsRead() throws {
        do {
            let atlas: Atlas
            do {
                let context = try makeContext()
                let shelf = fill(context)
                atlas = Atlas(title: "World", maps: 90, supplement: shelf.volumes[0])
                try context.save()
            }
            #expect(watch.container == nil && watch.context == nil)
            #expect(atlas.supplement?.shelf.map(titles) == ["Iliad", "Odyssey"])
        }
        #expect(watch.isOver)
    }

    @Test func aModelThatWasRelatedBeforeItWasInsertedIsRead() throws {
        do {
            let volume = Volume(title: "Iliad")
            do {
                let context = try makeContext()
                let shelf = Shelf(name: "Oak")
                shelf.volumes = [volume, Volume(title: "Odyssey")]
                context.insert(shelf)
                try context.save()
            }
            #expect(watch.container == nil && watch.context == nil)
            #expect(volume.shelf.map(titles) == ["Iliad", "Odyssey"])
        }
        #expect(watch.isOver)
    }
}
