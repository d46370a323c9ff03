// Model actors as repositories, and what contexts tell.

import Foundation
import Observation
import SwiftData
import Testing

@ModelActor
actor WorkoutRepository {
    private(set) var saves = 0

    func add(_ titles: [String]) throws -> [PersistentIdentifier] {
        let models = titles.map { Workout(title: $0) }
        for model in models { modelContext.insert(model) }
        try modelContext.save()
        saves += 1
        return models.map(\.persistentModelID)
    }
    func rename(_ id: PersistentIdentifier, to title: String) throws {
        guard let workout = self[id, as: Workout.self] else { return }
        workout.title = title
        try modelContext.save()
    }
    func title(_ id: PersistentIdentifier) -> String? { (modelContext.model(for: id) as? Workout)?.title }
    func count(where predicate: Predicate<Workout>? = nil) throws -> Int {
        try modelContext.fetchCount(FetchDescriptor<Workout>(predicate: predicate))
    }
    func fetch<T: PersistentModel, R: Sendable>(_ descriptor: FetchDescriptor<T>, map: @Sendable (T) -> R)
        throws -> [R]
    {
        try modelContext.fetch(descriptor).map(map)
    }
    func deleteAll() throws {
        try modelContext.delete(model: Workout.self)
        try modelContext.save()
    }
    nonisolated func makeContext() -> ModelContext { ModelContext(modelContainer) }
}

extension ModelActor {
    func insert<T: PersistentModel>(_ make: @Sendable () -> T) throws -> PersistentIdentifier {
        let model = make()
        modelContext.insert(model)
        try modelContext.save()
        return model.persistentModelID
    }
}

@ModelActor
public actor CustomActor {
    var name = ""
    init(container: ModelContainer, name: String) {
        let context = ModelContext(container)
        context.autosaveEnabled = false
        context.author = name
        modelExecutor = DefaultSerialModelExecutor(modelContext: context)
        modelContainer = container
        self.name = name
    }
    func run() throws -> String? {
        modelContext.insert(Tag(name: name))
        try modelContext.save()
        return modelContext.author
    }
}

@Observable final class Selection {
    var workout: Workout?
    init() {}
}

@Suite(.serialized)
struct ContextTests {
    @Test func repository() async throws {
        let container = try ModelContainer.inMemory()
        let repository = WorkoutRepository(modelContainer: container)
        let ids = try await repository.add(["A", "B", "C"])
        #expect(ids.count == 3)
        try await repository.rename(ids[0], to: "Z")
        #expect(await repository.title(ids[0]) == "Z")
        #expect(try await repository.count() == 3)
        #expect(try await repository.count(where: #Predicate { $0.title == "Z" }) == 1)
        #expect(
            try await repository.fetch(
                FetchDescriptor<Workout>(sortBy: [SortDescriptor(\.title)]), map: \.title) == ["B", "C", "Z"])
        let id = try await repository.insert { Tag(name: "t") }
        let context = repository.makeContext()
        #expect((context.model(for: id) as? Tag)?.name == "t")
        await withTaskGroup(of: Void.self) { group in
            for n in 0..<10 { group.addTask { _ = try? await repository.add(["\(n)"]) } }
        }
        #expect(try await repository.count() == 13)
        try await repository.deleteAll()
        #expect(try await repository.count() == 0)
        #expect(await repository.saves == 11)
        #expect(try await CustomActor(container: container, name: "me").run() == "me")
    }

    @Test @MainActor func mainSeesActors() async throws {
        let container = try ModelContainer.inMemory()
        let repository = WorkoutRepository(modelContainer: container)
        let ids = try await repository.add(["A"])
        let workout = try #require(container.mainContext.model(for: ids[0]) as? Workout)
        #expect(workout.title == "A")
        try await repository.rename(ids[0], to: "B")
        #expect(try container.mainContext.fetch(FetchDescriptor<Workout>()).map(\.title) == ["B"])
        #expect(workout.title == "B")
    }

    @Test func notifications() async throws {
        let container = try ModelContainer.inMemory()
        let context = ModelContext(container)
        final class Box: @unchecked Sendable {
            var will = 0; var infos: [[AnyHashable: Any]] = []; var objects: [Any?] = []
        }
        let box = Box()
        let will = NotificationCenter.default.addObserver(
            forName: ModelContext.willSave, object: context, queue: nil
        ) { _ in box.will += 1 }
        let did = NotificationCenter.default.addObserver(
            forName: ModelContext.didSave, object: context, queue: nil
        ) {
            box.infos.append($0.userInfo ?? [:])
            box.objects.append($0.object)
        }
        defer { for token in [will, did] { NotificationCenter.default.removeObserver(token) } }
        let (a, b) = (Workout(title: "A"), Workout(title: "B"))
        context.insert(a)
        context.insert(b)
        try context.save()
        a.title = "C"
        context.delete(b)
        let deleted = b.persistentModelID
        try context.save()
        #expect(box.will == 2)
        #expect(box.infos.count == 2)
        #expect(box.objects.first.flatMap { $0 as? ModelContext } === context)
        let inserted =
            box.infos[0][ModelContext.NotificationKey.insertedIdentifiers.rawValue] as? [PersistentIdentifier]
        #expect(inserted.map { Set($0) } == [a.persistentModelID, deleted])
        let updated =
            box.infos[1][ModelContext.NotificationKey.updatedIdentifiers.rawValue] as? [PersistentIdentifier]
        #expect(updated?.contains(a.persistentModelID) == true)
        let gone =
            box.infos[1][ModelContext.NotificationKey.deletedIdentifiers.rawValue] as? [PersistentIdentifier]
        #expect(gone == [deleted])
        #expect(ModelContext.NotificationKey.invalidatedAllIdentifiers.rawValue.isEmpty == false)
        #expect(ModelContext.NotificationKey.queryGeneration.rawValue.isEmpty == false)
    }

    @Test func changes() throws {
        let context = ModelContext(try ModelContainer.inMemory())
        #expect(context.autosaveEnabled == false)
        #expect(!context.hasChanges)
        let (a, b) = (Tag(name: "a"), Tag(name: "b"))
        context.insert(a)
        context.insert(b)
        #expect(context.insertedModelsArray.count == 2)
        #expect(a.persistentModelID.storeIdentifier == nil)
        try context.save()
        #expect(a.persistentModelID.storeIdentifier != nil)
        #expect(context.insertedModelsArray.isEmpty)
        a.colorHex = "#fff"
        context.delete(b)
        #expect(context.changedModelsArray.map { ($0 as? Tag)?.name } == ["a"])
        #expect(context.deletedModelsArray.compactMap { ($0 as? Tag)?.name } == ["b"])
        #expect(b.isDeleted)
        #expect(a.hasChanges)
        context.rollback()
        #expect(a.colorHex == "#000000")
        #expect(!b.isDeleted)
        #expect(!context.hasChanges)
        try context.transaction {
            a.colorHex = "#111"
            context.insert(Tag(name: "c"))
        }
        #expect(!context.hasChanges)
        #expect(try ModelContext(context.container).fetchCount(FetchDescriptor<Tag>()) == 3)
        struct Failure: Error {}
        #expect(throws: Failure.self) {
            try context.transaction {
                context.insert(Tag(name: "d"))
                throw Failure()
            }
        }
        #expect(try context.fetchCount(FetchDescriptor<Tag>()) == 3)
    }

    @Test @MainActor func undo() throws {
        let container = try ModelContainer.inMemory()
        let context = container.mainContext
        let undo = UndoManager()
        undo.groupsByEvent = false
        context.undoManager = undo
        let tag = Tag(name: "a")
        undo.beginUndoGrouping()
        context.insert(tag)
        undo.endUndoGrouping()
        try context.save()
        undo.beginUndoGrouping()
        tag.name = "b"
        context.processPendingChanges()
        undo.endUndoGrouping()
        #expect(undo.canUndo)
        undo.undo()
        #expect(tag.name == "a")
        undo.redo()
        #expect(tag.name == "b")
        undo.undo()
        undo.undo()
        #expect(try context.fetchCount(FetchDescriptor<Tag>()) == 0)
    }

    @Test @MainActor func observation() async throws {
        let container = try ModelContainer.inMemory()
        let context = container.mainContext
        let workout = Workout(title: "A")
        final class Count: @unchecked Sendable { var n = 0 }
        let count = Count()
        withObservationTracking {
            _ = workout.title
        } onChange: {
            count.n += 1
        }
        workout.day = .now
        #expect(count.n == 0)
        workout.title = "B"
        #expect(count.n == 1)
        context.insert(workout)
        withObservationTracking {
            _ = workout.tags.count
        } onChange: {
            count.n += 1
        }
        let tag = Tag(name: "t")
        tag.workouts.append(workout)
        #expect(count.n == 2)
        withObservationTracking {
            _ = workout.metrics.note
        } onChange: {
            count.n += 1
        }
        workout.metrics.heartRates.append(1)
        #expect(count.n == 3)
        withObservationTracking {
            _ = workout.sortedComments
        } onChange: {
            count.n += 1
        }
        workout.comments?.append(Comment("x"))
        #expect(count.n == 4)
        let selection = Selection()
        selection.workout = workout
        withObservationTracking {
            _ = selection.workout?.isDone
        } onChange: {
            count.n += 1
        }
        workout.status = .done
        #expect(count.n == 5)
        withObservationTracking {
            _ = workout.loads
        } onChange: {
            count.n += 1
        }
    }

    @Test @MainActor func autosave() async throws {
        let container = try ModelContainer.inMemory()
        #expect(container.mainContext.autosaveEnabled)
        container.mainContext.insert(Tag(name: "x"))
        for _ in 0..<100 where container.mainContext.hasChanges {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Tag>()) == 1)
        container.mainContext.autosaveEnabled = false
        container.mainContext.insert(Tag(name: "y"))
        try await Task.sleep(for: .milliseconds(50))
        #expect(container.mainContext.hasChanges)
        container.mainContext.rollback()
    }

    @Test func erasing() throws {
        let url = URL.temporaryDirectory.appending(path: "\(UUID().uuidString).store")
        defer {
            for end in ["", "-shm", "-wal"] { try? FileManager.default.removeItem(atPath: url.path() + end) }
        }
        let container = try ModelContainer(
            for: Tag.self, Workout.self, configurations: ModelConfiguration(url: url))
        let context = ModelContext(container)
        context.insert(Tag(name: "x"))
        try context.save()
        container.deleteAllData()
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Tag>()) == 0)
        try container.erase()
    }

    @Test func configurations() throws {
        let folder = URL.temporaryDirectory.appending(path: UUID().uuidString, directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let people = ModelConfiguration(
            "People", schema: Schema([Keeper.self, Animal.self, Cat.self, Parrot.self]),
            url: folder.appending(path: "people.store"), allowsSave: true, cloudKitDatabase: .none)
        let articles = ModelConfiguration(
            "Articles", schema: Schema([Article.self]), url: folder.appending(path: "articles.store"))
        let container = try ModelContainer(
            for: Schema([Keeper.self, Animal.self, Cat.self, Parrot.self, Article.self]),
            configurations: people, articles)
        #expect(container.configurations.count == 2)
        #expect(Set(container.configurations.map(\.name)) == ["People", "Articles"])
        #expect(people.url.lastPathComponent == "people.store")
        #expect(
            container.schema.entities.map(\.name).sorted() == [
                "Animal", "Article", "Cat", "Keeper", "Parrot",
            ])
        let context = ModelContext(container)
        context.insert(Keeper(name: "k"))
        context.insert(
            Article(
                id: 1, title: "t", body: nil, published: .now, keywords: [], source: .init(id: nil, name: ""))
        )
        try context.save()
        #expect(ModelConfiguration(isStoredInMemoryOnly: true).isStoredInMemoryOnly)
        #expect(!ModelConfiguration("x").isStoredInMemoryOnly)
        #expect(ModelConfiguration("x", allowsSave: false).allowsSave == false)
        #expect(ModelConfiguration().url.lastPathComponent == "default.store")
        #expect(ModelConfiguration(for: Article.self).schema != nil)
    }

    @Test func schemas() throws {
        let schema = AppSchema.schema
        let workout = try #require(schema.entity(for: Workout.self))
        #expect(workout.name == "Workout")
        #expect(schema.entitiesByName["Tag"]?.attributesByName["name"]?.isUnique == true)
        #expect(workout.attributesByName["photo"]?.options.contains(.externalStorage) == true)
        #expect(workout.relationshipsByName["comments"]?.deleteRule == .cascade)
        #expect(workout.relationshipsByName["comments"]?.maximumModelCount == 3)
        #expect(workout.relationshipsByName["comments"]?.originalName == "remarks")
        #expect(workout.relationshipsByName["comments"]?.inverseName == "workout")
        #expect(workout.relationshipsByName["comments"]?.destination == "Comment")
        #expect(workout.relationshipsByName["comments"]?.isToOneRelationship == false)
        #expect(workout.relationshipsByName["comments"]?.isOptional == true)
        #expect(workout.relationshipsByName["athlete"]?.isToOneRelationship == true)
        #expect(workout.uniquenessConstraints.map { Set($0) }.contains(["day", "title"]))
        #expect(workout.attributesByName["cache"] == nil)
        #expect(workout.attributesByName["isSelected"]?.isTransient == true)
        #expect(workout.storedProperties.contains { $0.name == "title" })
        #expect(workout.properties.count == workout.attributes.count + workout.relationships.count)
        #expect(
            schema.entity(for: Athlete.self)?.attributesByName["birthYear"]?.originalName == "yearOfBirth")
        #expect(schema.entity(for: Cat.self)?.superentityName == "Animal")
        #expect(schema.entity(for: Animal.self)?.subentities.map(\.name).sorted() == ["Cat", "Parrot"])
        #expect(Schema.entityName(for: Tag.self) == "Tag")
        #expect(schema == Schema(AppSchema.models))
        #expect(Schema.Version(1, 2, 3) < Schema.Version(1, 3, 0))
        #expect("\(Schema.Version(1, 2, 3))".contains("1"))
        let data = try JSONEncoder().encode(schema)
        let back = try JSONDecoder().decode(Schema.self, from: data)
        #expect(back.entities.count == schema.entities.count)
    }
}
