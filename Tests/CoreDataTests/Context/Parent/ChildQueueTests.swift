import CoreData
import CoreDataTestSupport
import Dispatch
import Foundation
import Testing

/// Contexts on contexts where each runs somewhere else.
@Suite(.timeLimit(.minutes(20))) struct ChildQueueTests {
    /// The places in which a parent and its child run.
    enum Places: String, CaseIterable, Sendable {
        case childOnExecutor, parentOnExecutor, bothOnOne, childOnQueue
    }

    private func pair(_ places: Places) throws -> (
        StoreContainer, NSManagedObjectContext, NSManagedObjectContext
    ) {
        let container = try StoreKind.sqlite.makeContainer()
        let executor = QueueExecutor()
        let (parent, child): (NSManagedObjectContext, NSManagedObjectContext) =
            switch places {
            case .childOnExecutor: (.init(.privateQueue), .init(executor: .executor(executor)))
            case .parentOnExecutor: (.init(executor: .executor(executor)), .init(.privateQueue))
            case .bothOnOne: (.init(executor: .executor(executor)), .init(executor: .executor(executor)))
            case .childOnQueue:
                (.init(.privateQueue), .init(executor: .queue(DispatchQueue(label: "child"))))
            }
        parent.persistentStoreCoordinator = container.persistentStoreCoordinator
        child.parent = parent
        parent.userInfo["folder"] = container.folder
        return (container, parent, child)
    }

    private func names(_ context: NSManagedObjectContext) throws -> [String] {
        try context.run { try context.all("Company").compactMap { $0["name"] as? String }.sorted() }
    }

    @Test(arguments: Places.allCases) func workReachesTheStore(_ places: Places) async throws {
        let (container, parent, child) = try pair(places)
        try await child.perform {
            _ = child.make("Company", ["name": "A"])
            try child.save()
        }
        try await parent.perform {
            try expect(parent.all("Company").count, equals: 1)
            _ = parent.make("Company", ["name": "B"])
            try parent.save()
        }
        try expect(names(child), equals: ["A", "B"])
        try expect(names(container.newBackgroundContext()), equals: ["A", "B"])
    }

    /// A block of the parent's waits for one of the child's, which asks the parent.
    @Test(arguments: Places.allCases) func aParentMayWaitForItsChild(_ places: Places) async throws {
        let (_, parent, child) = try pair(places)
        @Sendable func work() throws {
            let mine = parent.make("Company", ["name": "A"])
            let id = mine.objectID
            try child.run { () throws in
                let company = try child.existingObject(with: id)
                company["name"] = "B"
                _ = child.make("Person", ["name": "Ada", "company": company])
                try child.save()
            }
            #expect(mine.text("name") == "B" && mine.names("people") == ["Ada"])
            try parent.save()
        }
        try parent.run { try work() }
        try await parent.perform { try work() }
        try expect(names(child), equals: ["B", "B"])
    }

    @Test(arguments: Places.allCases) func nothingIsUsedOnAWrongQueue(_ places: Places) async {
        await #expect(processExitsWith: .success) { [places = places.rawValue as String] in
            ConcurrencyDebug.turnOn()
            guard let places = Places(rawValue: places) else { exit(1) }
            let (_, parent, child) = try ChildQueueTests().pair(places)
            try child.run { () throws in
                let company = child.make("Company", ["name": "A"])
                for name in ["Ada", "Bob"] { _ = child.make("Person", ["name": name, "company": company]) }
                try child.save()
                try parent.run { try parent.save() }
                child.refresh(company, mergeChanges: false)
                guard company.names("people") == ["Ada", "Bob"] else { exit(2) }
                let new = child.make("Company", ["name": "B"])
                try child.obtainPermanentIDs(for: [new])
                child.delete(company)
                try child.save()
            }
            try parent.run { () throws in
                try child.run { guard try child.all("Company").count == 1 else { exit(3) } }
                try parent.save()
            }
            exit(0)
        }
    }

    @Test func storesOfClientsAreAskedOnTheRightQueue() async {
        await #expect(processExitsWith: .success) {
            ConcurrencyDebug.turnOn()
            let tree = try ContextTree(.incremental)
            try tree.leaf.run { () throws in
                let company = tree.leaf.make("Company", ["name": "A"])
                let person = tree.leaf.make("Person", ["name": "Ada", "company": company])
                try tree.leaf.obtainPermanentIDs(for: [company, person])
                guard !company.objectID.isTemporaryID else { exit(1) }
                try tree.leaf.save()
            }
            try tree.middle.run { try tree.middle.save() }
            try tree.root.run { try tree.root.save() }
            try tree.leaf.run { () throws in
                tree.leaf.reset()
                guard try tree.leaf.all("Company").first?.names("people") == ["Ada"] else { exit(2) }
            }
            exit(0)
        }
    }
}
