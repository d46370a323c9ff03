// The file is as one for Apple's systems but for the name of the module, which `coredata port` would state.

import CombineShims
import CoreData
import Testing

@MainActor struct ManagedObjectPublisherTests {
    @Test func anObjectTellsBeforeItChanges() throws {
        let notes = Notes()
        let note = try notes.note("Tea")
        var seen: [String?] = []
        let cancellable = note.objectWillChange.sink { seen.append(note.title) }
        note.title = "Milk"
        #expect(seen == ["Tea"])
        note.setValue(3, forKey: "stars")
        #expect(seen == ["Tea", "Milk"])
        notes.context.rollback()
        #expect(seen == ["Tea", "Milk", "Milk"] && note.title == "Tea")
        #expect(note.objectWillChange === note.objectWillChange)
        cancellable.cancel()
        note.title = "Bread"
        #expect(seen.count == 3)
    }

    @Test func aDeletionIsTold() throws {
        let notes = Notes()
        let note = try notes.note("Tea")
        var count = 0
        let cancellable = note.objectWillChange.sink { count += 1 }
        notes.context.delete(note)
        #expect(count == 1)
        cancellable.cancel()
    }

    @Test func objectsAreObservable() throws {
        func publisher<Object: ObservableObject>(
            of object: Object
        ) -> Object.ObjectWillChangePublisher { object.objectWillChange }
        let note = try Notes().note("Tea")
        #expect(publisher(of: note) === note.objectWillChange)
    }

    @Test func valuesArePublished() throws {
        let notes = Notes()
        let note = try notes.note("Tea")
        var titles: [String?] = []
        var cancellables: Set<AnyCancellable> = []
        note.publisher(for: \.title).sink { titles.append($0) }.store(in: &cancellables)
        #expect(titles == ["Tea"])
        note.title = "Milk"
        note.title = nil
        #expect(titles == ["Tea", "Milk", nil])
        var stars: [Int] = []
        note.publisher(for: \.stars, options: .new).map { $0 * 2 }.removeDuplicates()
            .sink { stars.append($0) }.store(in: &cancellables)
        note.stars = 2
        note.stars = 2
        note.stars = 4
        #expect(stars == [4, 8])
        var prior: [String?] = []
        note.publisher(for: \.title, options: [.prior]).sink { prior.append($0) }
            .store(in: &cancellables)
        note.title = "Bread"
        #expect(prior == [nil, "Bread"])
        var deleted: [Bool] = []
        note.publisher(for: \.isDeleted).sink { deleted.append($0) }.store(in: &cancellables)
        notes.context.delete(note)
        #expect(deleted == [false, true])
        cancellables.removeAll()
        note.title = "Salt"
        #expect(titles == ["Tea", "Milk", nil, "Bread"])
    }

    @Test func aValueWaitsForDemand() throws {
        let note = try Notes().note("Tea")
        var titles: [String?] = []
        var subscription: (any Subscription)?
        note.publisher(for: \.title).subscribe(
            AnySubscriber(
                receiveSubscription: { subscription = $0 },
                receiveValue: {
                    titles.append($0)
                    return .none
                }))
        note.title = "Milk"
        #expect(titles.isEmpty)
        subscription?.request(.max(1))
        #expect(titles == ["Milk"])
        note.title = "Bread"
        #expect(titles == ["Milk"])
        subscription?.cancel()
        subscription?.request(.unlimited)
        #expect(titles == ["Milk"])
    }

    @Test func aSubscriberMayCancelAtOnce() throws {
        let note = try Notes().note("Tea")
        var titles: [String?] = []
        let cancellable = note.publisher(for: \.title).first().sink { titles.append($0) }
        note.title = "Milk"
        #expect(titles == ["Tea"])
        cancellable.cancel()
    }

    @Test func publishersAreEqual() throws {
        let notes = Notes()
        let (one, other) = (try notes.note("Tea"), try notes.note("Milk"))
        #expect(one.publisher(for: \.title) == one.publisher(for: \.title))
        #expect(one.publisher(for: \.title) != other.publisher(for: \.title))
        #expect(one.publisher(for: \.title) != one.publisher(for: \.title, options: .new))
        let publisher: NSObject.KeyValueObservingPublisher<Note, Int> = one.publisher(for: \.stars)
        #expect(publisher.object === one && publisher.keyPath == \Note.stars)
        #expect(publisher.options == [.initial, .new])
    }

    @Test func contextsPublishWhetherTheyHaveChanges() throws {
        let notes = Notes()
        var changes: [Bool] = []
        let cancellable = notes.context.publisher(for: \.hasChanges).sink { changes.append($0) }
        let note = try notes.note("Tea")
        #expect(changes == [false, true, false])
        note.title = "Milk"
        notes.context.rollback()
        #expect(changes == [false, true, false, true, false])
        cancellable.cancel()
    }
}
