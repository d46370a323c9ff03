// Eight contexts at once, doing whatever contexts do. Run under ThreadSanitizer (Docs/Concurrency.md says how).

import CoreData
import CoreDataTestSupport
import Dispatch
import Foundation
import Testing

@Suite(.timeLimit(.minutes(20))) struct ContextStressTests {
    private static let operations = rounds(150, long: 1000)

    @Test func eightContextsShareAStore() throws {
        let stack = try TestStack()
        let beside = NSPersistentStoreCoordinator(managedObjectModel: CompanyModel.make())
        try beside.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: stack.url, options: nil)
        let coordinators = [stack.coordinator, beside]
        let executors: [NSManagedObjectContext.Executor] = [
            .privateQueue, .privateQueue, .privateQueue, .privateQueue, .executor(QueueExecutor()),
            .executor(QueueExecutor()), .queue(DispatchQueue(label: "stress")), .privateQueue,
        ]
        let workers = executors.enumerated().map { number, executor in
            Racer(number, executor, coordinators[number % 2])
        }
        DispatchQueue.concurrentPerform(iterations: workers.count) { number in
            for _ in 0..<Self.operations { workers[number].step() }
        }
        let left = workers.map { $0.finish() }
        #expect(workers.flatMap(\.problems).isEmpty)
        for coordinator in coordinators { try expect(left, in: coordinator) }
    }

    /// Four children of two parents, and the parents themselves: what a child saved waits in its parent.
    @Test func childrenRaceBesideTheirParents() throws {
        let stack = try TestStack()
        let parents = [
            Racer(0, .privateQueue, stack.coordinator),
            Racer(1, .executor(QueueExecutor()), stack.coordinator),
        ]
        let children = (2..<6).map { Racer($0, .privateQueue, childOf: parents[$0 % 2]) }
        let workers = parents + children
        DispatchQueue.concurrentPerform(iterations: workers.count) { number in
            for _ in 0..<Self.operations { workers[number].step(rollingBack: number > 1) }
        }
        var left = children.map { $0.finish() }
        left = parents.map { $0.finish() } + left
        #expect(workers.flatMap(\.problems).isEmpty)
        try expect(left, in: stack.coordinator)
    }

    /// Expects the objects that each saved and didn't delete, whatever the others did.
    private func expect(_ left: [Set<String>], in coordinator: NSPersistentStoreCoordinator) throws {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.run {
            for (number, texts) in left.enumerated() {
                let notes = try context.all("Note", "text BEGINSWITH '\(number)-'")
                #expect(Set(notes.compactMap { $0.value(forKey: "text") as? String }) == texts)
                for note in notes {
                    let author = note.value(forKey: "author") as? NSManagedObject
                    let back = author?.value(forKey: "notes") as? NSOrderedSet
                    #expect(author == nil || back?.contains(note) == true)
                }
            }
        }
    }
}

/// One context with a row of random operations. Everybody writes notes of their own, and everybody changes the people.
///
/// Unchecked because each worker is used by one thread; its context's blocks run while that waits.
private final class Racer: @unchecked Sendable {
    private let number: Int
    private let context: NSManagedObjectContext
    private var random: SeededGenerator
    private var made = 0
    /// Texts of the notes that the store must have.
    private var saved: Set<String> = []
    /// And those that it will have after the next save.
    private var pending: Set<String> = []
    private(set) var problems: [String] = []

    init(
        _ number: Int, _ executor: NSManagedObjectContext.Executor,
        _ coordinator: NSPersistentStoreCoordinator
    ) {
        self.number = number
        random = SeededGenerator(seed: UInt64(number))
        context = NSManagedObjectContext(executor: executor)
        context.persistentStoreCoordinator = coordinator
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        context.automaticallyMergesChangesFromParent = number % 4 == 0
    }

    /// A worker that has no coordinator of its own.
    init(_ number: Int, _ executor: NSManagedObjectContext.Executor, childOf parent: Racer) {
        self.number = number
        random = SeededGenerator(seed: UInt64(number))
        context = NSManagedObjectContext(executor: executor)
        context.parent = parent.context
        context.automaticallyMergesChangesFromParent = number % 4 == 2
    }

    /// Parents don't roll back: they would lose what their children saved to them.
    func step(rollingBack: Bool = true) {
        var choice = random.next() % 12
        if choice == 10 && !rollingBack { choice = 6 }
        context.performAndWait {
            do { try act(choice) } catch { problems.append("\(number): \(error)") }
        }
        if choice == 11 {
            let context = context
            context.perform { context.processPendingChanges() }
        }
    }

    func finish() -> Set<String> {
        context.performAndWait {
            do { try save() } catch { problems.append("\(number) at the end: \(error)") }
        }
        return saved
    }

    private func act(_ choice: UInt64) throws {
        switch choice {
        case 0, 1, 2: try insert()
        case 3: try delete()
        case 4, 5: try save()
        case 6: try readAll()
        case 7: context.refreshAllObjects()
        case 8: try meet()
        case 9: releaseElsewhere(try context.all("Note", "text != nil"))
        case 10:
            context.rollback()
            pending = saved
        default: _ = context.registeredObjects.count
        }
    }

    private func insert() throws {
        let text = "\(number)-\(made)"
        made += 1
        let note = context.make("Note", ["text": text])
        pending.insert(text)
        if made % 3 == 0 { note.setValue(context.make("Person", ["name": "p\(text)"]), forKey: "author") }
    }

    private func delete() throws {
        guard let note = try context.all("Note", "text BEGINSWITH '\(number)-'", sort: "text").first else {
            return
        }
        if let text = note.value(forKey: "text") as? String { pending.remove(text) }
        context.delete(note)
    }

    private func save() throws {
        try context.save()
        saved = pending
    }

    private func readAll() throws {
        for person in try context.all("Person") {
            _ = person.value(forKey: "name")
            _ = (person.value(forKey: "notes") as? NSOrderedSet)?.count
        }
    }

    /// Changes a person that the others change too.
    private func meet() throws {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        request.fetchLimit = 1
        request.fetchOffset = Int(random.next() % 4)
        guard let person = try context.fetch(request).first else { return }
        let age = person.value(forKey: "age") as? Int ?? 0
        person.setValue((age + 1) % 1000, forKey: "age")
    }

    /// The last references to objects may go anywhere.
    private func releaseElsewhere(_ objects: [NSManagedObject]) {
        let parcel = Parcel(objects)
        DispatchQueue.global().async { parcel.drop() }
    }
}

/// Objects that are only released by who gets them.
private final class Parcel: @unchecked Sendable {
    // Unchecked: the objects are released, which may happen anywhere.
    private var objects: [NSManagedObject]

    init(_ objects: [NSManagedObject]) { self.objects = objects }

    func drop() { objects.removeAll() }
}
