// Models of workouts, saved and read back.

import Foundation
import SwiftData
import Testing

@Suite("Workouts", .serialized)
@MainActor
struct WorkoutTests {
    let container: ModelContainer
    var context: ModelContext { container.mainContext }

    init() throws {
        container = try ModelContainer.inMemory()
    }

    private func reloaded() throws -> [Workout] {
        try context.save()
        return try ModelContext(container).fetch(FetchDescriptor<Workout>(sortBy: [SortDescriptor(\.title)]))
    }

    @Test func everyKindOfValue() throws {
        let workout = Workout(title: "Lift", kind: .lift(sets: 3, reps: [5, 5, 5]))
        context.insert(workout)
        workout.optionalStatus = .active
        workout.metrics = .init(heartRates: [100, 120], pace: 5.5, splits: ["a": 1.5], note: "fine")
        workout.previous = nil
        workout.history = [.init(), .init(heartRates: [1])]
        workout.byName = ["x": .init(note: "y")]
        workout.labels = ["a", "b"]
        workout.counts = [.done: 3, .planned: 1]
        workout.matrix = [[1, 2], [3]]
        workout.range = 1...4
        workout.duration = .seconds(5)
        workout.measurement = Measurement(value: 3, unit: .kilometers)
        workout.components = DateComponents(year: 2024, month: 2)
        workout.permissions = .admin
        workout.email = Email(rawValue: "a@b.c")
        workout.price = Money(amount: 12.5, currency: "EUR")
        let token = Identifier<Workout>()
        workout.token = token
        workout.photo = Data(repeating: 7, count: 200_000)
        workout.isSelected = true
        workout.cache["x"] = 1
        let again = try #require(try reloaded().first)
        #expect(again !== workout)
        #expect(again.kind == .lift(sets: 3, reps: [5, 5, 5]))
        #expect(again.optionalStatus == .active)
        #expect(again.metrics == .init(heartRates: [100, 120], pace: 5.5, splits: ["a": 1.5], note: "fine"))
        #expect(again.previous == nil)
        #expect(again.history == [.init(), .init(heartRates: [1])])
        #expect(again.byName == ["x": .init(note: "y")])
        #expect(again.labels == ["a", "b"])
        #expect(again.counts == [.done: 3, .planned: 1])
        #expect(again.matrix == [[1, 2], [3]])
        #expect(again.range == 1...4)
        #expect(again.duration == .seconds(5))
        #expect(again.measurement == Measurement(value: 3, unit: .kilometers))
        #expect(again.components == DateComponents(year: 2024, month: 2))
        #expect(again.permissions == .admin)
        #expect(again.permissions.contains(.write))
        #expect(again.email?.rawValue == "a@b.c")
        #expect(again.price == Money(amount: 12.5, currency: "EUR"))
        #expect(again.token == token)
        #expect(again.photo == Data(repeating: 7, count: 200_000))
        #expect(again.isSelected == false)
        #expect(again.cache.isEmpty)
        #expect(again.locale.identifier == "de_DE")
    }

    @Test func everyCase() throws {
        let kinds: [Workout.Kind] = [
            .run(distance: 5), .lift(sets: 1, reps: []), .custom(name: "x", details: nil),
            .custom(name: "y", details: .init(color: "red", tags: ["q"], scores: ["z": 1])), .rest,
        ]
        for (n, kind) in kinds.enumerated() { context.insert(Workout(title: "\(n)", kind: kind)) }
        #expect(try reloaded().map(\.kind) == kinds)
    }

    @Test func inPlaceChanges() throws {
        let workout = Workout(title: "A")
        context.insert(workout)
        try context.save()
        workout.metrics.heartRates.append(5)
        workout.metrics.splits["k"] = 2
        workout.metrics.note = "n"
        workout.history.append(.init(pace: 1))
        workout.history[0].pace = 2
        workout.byName["q", default: .init()].heartRates.append(1)
        workout.labels.insert("l")
        workout.counts[.done, default: 0] += 1
        workout.permissions.insert(.read)
        workout.price = Money(amount: 1, currency: "USD")
        workout.price?.amount += 1
        #expect(workout.hasChanges)
        #expect(context.hasChanges)
        let again = try reloaded()[0]
        #expect(again.metrics.heartRates == [5])
        #expect(again.metrics.splits == ["k": 2])
        #expect(again.history == [.init(pace: 2)])
        #expect(again.byName["q"]?.heartRates == [1])
        #expect(again.labels == ["l"])
        #expect(again.counts == [.done: 1])
        #expect(again.permissions == .read)
        #expect(again.price?.amount == 2)
    }

    @Test func optionalToMany() throws {
        let workout = Workout(draft: "A")
        context.insert(workout)
        workout.comments?.append(Comment("one", position: 2))
        workout.comments?.append(Comment("two", position: 1))
        workout.comments = (workout.comments ?? []) + [Comment("three", position: 0)]
        #expect(workout.sortedComments.map(\.text) == ["three", "two", "one"])
        #expect(workout.first?.text == "three")
        let again = try reloaded()[0]
        #expect(again.sortedComments.map(\.text) == ["three", "two", "one"])
        #expect(again.comments?.count == 3)
        #expect(again.comments?.sorted().first?.workout === again)
        workout.comments?.removeAll { $0.text == "two" }
        #expect(workout.comments?.count == 2)
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Comment>()) == 3)
        context.delete(workout)
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Comment>()) == 1)
    }

    @Test func tooManyFail() throws {
        let workout = Workout(title: "A")
        context.insert(workout)
        workout.comments = (0..<4).map { Comment("\($0)", position: $0) }
        #expect(throws: (any Error).self) { try context.save() }
        workout.comments?.removeLast()
        try context.save()
    }

    @Test func manyToMany() throws {
        let (a, b) = (Workout(title: "A"), Workout(title: "B"))
        context.insert(a)
        context.insert(b)
        let red = try Tag.named("red", in: context)
        let blue = try Tag.named("blue", in: context)
        a.tags = [red, blue]
        b.tags.append(red)
        #expect(Set(red.workouts.map(\.title)) == ["A", "B"])
        #expect(blue.workouts == [a])
        try context.save()
        #expect(try Tag.named("red", in: context) === red)
        #expect(a[tag: "blue"] === blue)
        red.workouts.removeAll { $0 === a }
        #expect(a.tags == [blue])
        try context.save()
        context.delete(red)
        try context.save()
        #expect(b.tags.isEmpty)
        #expect(try Tag.all(in: context).map(\.name) == ["blue"])
    }

    @Test func selfReferences() throws {
        let (ann, bob, cid) = (Athlete(name: "Ann"), Athlete(name: "Bob"), Athlete(name: "Cid"))
        context.insert(ann)
        ann.pupils = [bob, cid]
        #expect(bob.coach === ann)
        #expect(bob.modelContext === context)
        ann.friends.append(bob)
        #expect(bob.friendOf.contains(ann))
        #expect(bob.friends.isEmpty)
        cid.coach = bob
        #expect(ann.pupils == [bob])
        try context.save()
        let id = ann.persistentModelID
        let other = ModelContext(container)
        let again = try #require(other.model(for: id) as? Athlete)
        #expect(again.pupils.first?.pupils.first?.name == "Cid")
        #expect(again.friends.map(\.name) == ["Bob"])
    }

    @Test func oneToOne() throws {
        let ann = Athlete(name: "Ann")
        let profile = Profile(bio: "b", website: URL(string: "https://example.com/a?b=c")!)
        context.insert(profile)
        profile.athlete = ann
        #expect(ann.profile === profile)
        let second = Profile()
        ann.profile = second
        #expect(profile.athlete == nil)
        #expect(second.athlete === ann)
        try context.save()
        let other = ModelContext(container)
        let all = try other.fetch(FetchDescriptor<Profile>(sortBy: [SortDescriptor(\.bio)]))
        #expect(all.map(\.bio) == [nil, "b"])
        #expect(all.first?.athlete?.name == "Ann")
        #expect(all.last?.website?.query() == "b=c")
    }

    @Test func upsertWithRelationships() throws {
        let id = UUID()
        let first = Athlete(name: "Ann", id: id)
        context.insert(first)
        let workout = Workout(title: "A", athlete: first)
        context.insert(workout)
        try context.save()
        let second = Athlete(name: "Anne", id: id)
        context.insert(second)
        try context.save()
        let all = try ModelContext(container).fetch(FetchDescriptor<Athlete>())
        #expect(all.map(\.name) == ["Anne"])
        #expect(try context.fetchCount(FetchDescriptor<Athlete>()) == 1)
        // compound
        let again = Workout(title: "A")
        again.slug = "other"
        again.status = .done
        context.insert(again)
        try context.save()
        let workouts = try ModelContext(container).fetch(FetchDescriptor<Workout>())
        #expect(workouts.count == 1)
        #expect(workouts[0].slug == "other")
        #expect(workouts[0].isDone)
    }

    @Test func codableModels() throws {
        let json = """
            [{"id": 1, "title": "One", "content": "b", "published_at": 10, "source": {"id": null, "name": "n"}},
             {"id": 2, "title": "Two", "published_at": 20, "keywords": ["k"], "source": {"id": "i", "name": "m"}}]
            """
        let articles = try JSONDecoder().decode([Article].self, from: Data(json.utf8))
        for article in articles { context.insert(article) }
        try context.save()
        let all = try ModelContext(container).fetch(
            FetchDescriptor<Article>(sortBy: [SortDescriptor(\Article.published, order: .reverse)]))
        #expect(all.map(\.id) == [2, 1])
        #expect(all[0].keywords == ["k"])
        #expect(all[1].source == Article.Source(id: nil, name: "n"))
        let data = try JSONEncoder().encode(all[1])
        let copy = try JSONDecoder().decode(Article.self, from: data)
        #expect(copy.title == "One")
        #expect(copy.body == "b")
        #expect(copy.modelContext == nil)
        let more = try JSONDecoder().decode(
            [Article].self, from: Data(json.replacingOccurrences(of: "One", with: "Uno").utf8))
        more.forEach(context.insert)
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Article>()) == 2)
        #expect(
            try context.fetch(FetchDescriptor<Article>(predicate: #Predicate { $0.id == 1 })).first?.title
                == "Uno")
    }

    @Test func hashingAndIdentity() throws {
        let (a, b) = (Workout(title: "A"), Workout(title: "B"))
        context.insert(a)
        context.insert(b)
        try context.save()
        let byID = Dictionary(uniqueKeysWithValues: [a, b].map { ($0.persistentModelID, $0.title) })
        #expect(byID[a.id] == "A")
        #expect(Set([a, b, a]).count == 2)
        let encoded = try JSONEncoder().encode(a.persistentModelID)
        let id = try JSONDecoder().decode(PersistentIdentifier.self, from: encoded)
        #expect(id == a.persistentModelID)
        #expect(id.hashValue == a.persistentModelID.hashValue)
        #expect(byID[id] == "A")
        #expect(id.entityName == "Workout")
        #expect((ModelContext(container).model(for: id) as? Workout)?.title == "A")
        let registered: Workout? = context.registeredModel(for: id)
        #expect(registered === a)
        let none: Workout? = ModelContext(container).registeredModel(for: id)
        #expect(none == nil)
        #expect([b.id, a.id].sorted().count == 2)
    }

    @Test func inheritance() throws {
        let keeper = Keeper(name: "K")
        context.insert(keeper)
        let cat = Cat(name: "Tom")
        let parrot = Parrot(name: "Polly", wingspan: 0.5)
        parrot.words = ["hello", "there"]
        keeper.animals = [cat, parrot, Animal(name: "Generic")]
        try context.save()
        let other = ModelContext(container)
        let all = try other.fetch(FetchDescriptor<Animal>(sortBy: [SortDescriptor(\.name)]))
        #expect(all.map(\.name) == ["Generic", "Polly", "Tom"])
        #expect(all.map { $0.sound() } == ["", "hello there", "meow"])
        #expect(all.compactMap { $0 as? Cat }.map(\.lives) == [9])
        #expect(try other.fetch(FetchDescriptor<Parrot>()).map(\.wingspan) == [0.5])
        let cats = try other.fetch(FetchDescriptor<Animal>(predicate: #Predicate { $0 is Cat }))
        #expect(cats.map(\.name) == ["Tom"])
        let nine = try other.fetch(
            FetchDescriptor<Animal>(
                predicate: #Predicate { animal in
                    if let cat = animal as? Cat { cat.lives == 9 } else { false }
                }))
        #expect(nine.count == 1)
        let name = "K"
        let owned = try other.fetch(FetchDescriptor<Cat>(predicate: #Predicate { $0.owner?.name == name }))
        #expect(owned.count == 1)
        let aged = try other.fetch(
            FetchDescriptor<Animal>(predicate: #Predicate { $0.age >= 3 || $0 is Cat }))
        #expect(aged.count == 2)
        let ids = try other.fetchIdentifiers(FetchDescriptor<Animal>())
        #expect(ids.count == 3)
        #expect(Set(ids.map(\.entityName)) == ["Animal", "Cat", "Parrot"])
    }

    @Test func genericHelpers() throws {
        func count<T: PersistentModel>(_ type: T.Type) throws -> Int {
            try context.fetchCount(FetchDescriptor<T>())
        }
        func first<T: PersistentModel>(
            _ type: T.Type, where predicate: Predicate<T>? = nil, by sort: SortDescriptor<T>...
        ) throws -> T? {
            var descriptor = FetchDescriptor<T>(predicate: predicate, sortBy: sort)
            descriptor.fetchLimit = 1
            return try context.fetch(descriptor).first
        }
        func deleteAll(_ types: [any PersistentModel.Type]) throws {
            for type in types { try context.delete(model: type) }
        }
        func save<S: Storable>(_ values: [S]) throws {
            for value in values { context.insert(value.makeModel()) }
        }
        try save([TagValue(name: "x"), TagValue(name: "y")])
        #expect(try count(Tag.self) == 2)
        #expect(
            try first(Tag.self, where: #Predicate { $0.name > "x" }, by: SortDescriptor(\.name))?.name == "y")
        try context.save()
        #expect(try context.fetch(FetchDescriptor<Tag>()).map(TagValue.init).contains(TagValue(name: "x")))
        try deleteAll([Tag.self, Workout.self])
        try context.save()
        #expect(try count(Tag.self) == 0)
        let models: [any PersistentModel] = [Tag(name: "q"), Keeper(name: "z")]
        for model in models { context.insert(model) }
        try context.save()
        #expect(try count(Tag.self) == 1)
        #expect(models.allSatisfy { $0.modelContext === context })
        for model in models { context.delete(model) }
        try context.save()
        #expect(try count(Keeper.self) == 0)
    }

    @Test func previewData() throws {
        let container = ModelContainer.preview
        let athletes = try container.mainContext.fetch(FetchDescriptor<Athlete>())
        #expect(athletes.first?.workouts.count == 5)
    }
}
