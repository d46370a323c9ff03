import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct AutomaticMergingTests {
    private static let types: [String] = {
        StoreKind.register()
        return StoreKind.allCases.map(\.type)
    }()

    /// Saves a person, and gives the follower's object of it.
    private func person(_ stack: TestStack, in follower: NSManagedObjectContext) throws -> NSManagedObject {
        try stack.context.run { () throws in
            // One for all followers: fetches that aren't sorted have no order in every store.
            guard try stack.context.all("Person").isEmpty else { return }
            _ = stack.context.make("Person", ["name": "Ada"])
            try stack.context.save()
        }
        return try follower.run { () throws in
            let ada = try follower.all("Person")[0]
            expect(ada.text("name"), equals: "Ada")
            return ada
        }
    }

    private func rename(_ name: String, in context: NSManagedObjectContext) throws {
        try context.run { () throws in
            try context.all("Person")[0].setValue(name, forKey: "name")
            try context.save()
        }
    }

    @Test(arguments: types) func savesArriveOnTheFollowersQueue(_ type: String) throws {
        let stack = try TestStack(type: type)
        let follower = stack.another()
        #expect(!follower.automaticallyMergesChangesFromParent)
        follower.automaticallyMergesChangesFromParent = true
        let ada = try person(stack, in: follower)
        let merged = Posted(.NSManagedObjectContextDidMergeChangesObjectIDs, follower)
        try rename("Eve", in: stack.context)
        follower.performAndWait {
            #expect(ada.text("name") == "Eve" && merged.all.count == 1 && !follower.hasChanges)
        }
        try stack.context.run { () throws in
            stack.context.delete(try stack.context.all("Person")[0])
            _ = stack.context.make("Person", ["name": "Joe"])
            try stack.context.save()
        }
        try follower.run { () throws in
            #expect(ada.isDeleted && ada.text("name") == "Eve")
            try expect(follower.all("Person").map { $0.text("name") }, equals: ["Joe"])
        }
    }

    @Test(arguments: types) func withoutItOldValuesStay(_ type: String) throws {
        let stack = try TestStack(type: type)
        let follower = stack.another()
        let ada = try person(stack, in: follower)
        try rename("Eve", in: stack.context)
        follower.performAndWait { expect(ada.text("name"), equals: "Ada") }
        follower.automaticallyMergesChangesFromParent = true
        try rename("Eva", in: stack.context)
        follower.performAndWait { expect(ada.text("name"), equals: "Eva") }
        follower.automaticallyMergesChangesFromParent = false
        try rename("Joe", in: stack.context)
        follower.performAndWait { expect(ada.text("name"), equals: "Eva") }
    }

    @Test func aMergeThatIsUnderWayIsDroppedWhenTurnedOff() throws {
        let stack = try TestStack()
        let follower = stack.another()
        follower.automaticallyMergesChangesFromParent = true
        let ada = try person(stack, in: follower)
        try follower.run { () throws in
            try rename("Eve", in: stack.context)
            follower.automaticallyMergesChangesFromParent = false
        }
        follower.performAndWait { expect(ada.text("name"), equals: "Ada") }
    }

    @Test(arguments: types) func everyFollowerMergesButNotTheSaver(_ type: String) throws {
        let stack = try TestStack(type: type)
        let followers = [stack.another(), stack.another()]
        for context in followers + [stack.context] { context.automaticallyMergesChangesFromParent = true }
        let people = try followers.map { try person(stack, in: $0) }
        let own = Posted(.NSManagedObjectContextDidMergeChangesObjectIDs, stack.context)
        try rename("Eve", in: stack.context)
        for (context, person) in zip(followers, people) {
            context.performAndWait { expect(person.objectID, equals: people[0].objectID) }
        }
        stack.context.performAndWait { #expect(own.all.isEmpty) }
        expect(followers[0].performAndWait { people[0].text("name") }, equals: "Eve")
        // The save of one of them reaches the others, the first saver among them.
        let mine = try stack.context.run { () throws in try stack.context.all("Person")[0] }
        try rename("Joe", in: followers[1])
        expect(stack.context.performAndWait { mine.text("name") }, equals: "Joe")
        expect(followers[0].performAndWait { people[0].text("name") }, equals: "Joe")
    }

    @Test func aCoordinatorThatComesLaterIsFollowed() throws {
        let stack = try TestStack()
        let follower = NSManagedObjectContext(.privateQueue)
        follower.automaticallyMergesChangesFromParent = true
        follower.persistentStoreCoordinator = stack.coordinator
        let ada = try person(stack, in: follower)
        try rename("Eve", in: stack.context)
        follower.performAndWait { expect(ada.text("name"), equals: "Eve") }
    }

    @Test func contextsThatDieAreForgotten() throws {
        let stack = try TestStack()
        weak var dead: NSManagedObjectContext?
        for _ in 0..<3 {
            let follower = stack.another()
            follower.automaticallyMergesChangesFromParent = true
            dead = follower
        }
        #expect(dead == nil)
        _ = try person(stack, in: stack.another())
        try rename("Eve", in: stack.context)
    }

    @Test func aContextInTheMemoryOfOneThatDiedDoesNotMergeOnItsQueue() throws {
        let stack = try TestStack()
        _ = try person(stack, in: stack.another())
        var isTried = false
        for number in 0..<1000 where !isTried {
            let queue = DispatchQueue(label: "follower")
            queue.suspend()
            let address = try addressOfFollower(on: queue, merging: "\(number)", in: stack)
            let next = stack.another()
            next.automaticallyMergesChangesFromParent = true
            isTried = ObjectIdentifier(next) == address
            let merged = Posted(.NSManagedObjectContextDidMergeChangesObjectIDs, next)
            queue.resume()
            queue.sync {}
            expect(merged.all.count, equals: 0)
        }
        // The address sanitizer gives nobody the memory of one that died.
        if ProcessInfo.processInfo.environment["ASAN_OPTIONS"] == nil { #expect(isTried) }
    }

    /// Has a follower on a queue that is suspended a merge to do, and lets it go.
    private func addressOfFollower(
        on queue: DispatchQueue, merging name: String, in stack: TestStack
    ) throws -> ObjectIdentifier {
        let follower = NSManagedObjectContext(executor: .queue(queue))
        follower.persistentStoreCoordinator = stack.coordinator
        follower.automaticallyMergesChangesFromParent = true
        try rename(name, in: stack.context)
        return ObjectIdentifier(follower)
    }

    @Test func contextsMayDieWhileOthersSave() async throws {
        let stack = try TestStack()
        _ = try person(stack, in: stack.another())
        let (coordinator, context) = (stack.coordinator, stack.context)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    for _ in 0..<200 {
                        let follower = NSManagedObjectContext(.privateQueue)
                        follower.persistentStoreCoordinator = coordinator
                        follower.automaticallyMergesChangesFromParent = true
                        follower.perform { _ = try? follower.all("Person") }
                    }
                }
            }
            group.addTask {
                for number in 0..<50 { try? rename("\(number)", in: context) }
            }
        }
        let last = try stack.context.run { () throws in try stack.context.all("Person")[0].text("name") }
        expect(last, equals: "49")
    }

    @Test func aSaveDuringAMergeIsMergedInTurn() throws {
        let stack = try TestStack()
        let (one, two) = (stack.another(), stack.another())
        for context in [one, two] { context.automaticallyMergesChangesFromParent = true }
        // The observer runs on the queue of the context that it observes.
        nonisolated(unsafe) let first = try person(stack, in: one)
        let second = try person(stack, in: two)
        // The observer saves from within the notification of the merge.
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidMergeChangesObjectIDs, object: one, queue: nil
        ) { _ in
            guard first.text("name") == "Eve" else { return }
            first.setValue("Eve!", forKey: "name")
            #expect(throws: Never.self) { try one.save() }
        }
        defer { NotificationCenter.default.removeObserver(token) }
        try rename("Eve", in: stack.context)
        one.performAndWait { expect(first.text("name"), equals: "Eve!") }
        two.performAndWait { expect(second.text("name"), equals: "Eve!") }
    }
}
