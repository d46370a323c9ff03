// Contexts whose blocks wait for each other while one asks its parent.

import CoreData
import CoreDataTestSupport
import Dispatch
import Foundation
import Synchronization
import Testing

@Suite(.serialized, .timeLimit(.minutes(20))) struct WaitingContextsTests {
    /// The place in which a context runs.
    enum Place: String, CaseIterable, Sendable {
        case main, own, queue, executor

        func make() -> NSManagedObjectContext {
            switch self {
            case .main: NSManagedObjectContext(.mainQueue)
            case .own: NSManagedObjectContext(.privateQueue)
            case .queue: NSManagedObjectContext(executor: .queue(DispatchQueue(label: "client's")))
            case .executor: NSManagedObjectContext(executor: .executor(QueueExecutor()))
            }
        }
    }

    /// A root, its child and its grandchild.
    private struct Family: @unchecked Sendable {
        let container: StoreContainer
        let root, child, grandchild: NSManagedObjectContext

        init(_ root: Place, _ child: Place, _ grandchild: Place) throws {
            container = try StoreKind.sqlite.makeContainer()
            self.root = root.make()
            self.child = child.make()
            self.grandchild = grandchild.make()
            self.root.persistentStoreCoordinator = container.persistentStoreCoordinator
            self.child.parent = self.root
            self.grandchild.parent = self.child
        }
    }

    private func count(_ context: NSManagedObjectContext) -> Int {
        do {
            return try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Company"))
        } catch {
            Issue.record(error)
            return -1
        }
    }

    private func save(_ context: NSManagedObjectContext) {
        do { try context.save() } catch { Issue.record(error) }
    }

    /// Waits for something that may never happen.
    private func isSignalled(_ semaphore: DispatchSemaphore) -> Bool {
        semaphore.wait(timeout: .now() + 20) == .success
    }

    private static let pairs = Place.allCases.flatMap { root in Place.allCases.map { (root, $0) } }

    @Test(arguments: pairs)
    func aParentWaitsForAChildThatAsksIt(_ root: Place, _ child: Place) throws {
        let family = try Family(root, child, .own)
        let done = DispatchSemaphore(value: 0)
        let counts = Mutex<[Int]>([])
        family.root.perform {
            _ = family.root.make("Company", ["name": "A"])
            if child == .main && root == .main {
                counts.withLock { $0.append(count(family.child)) }
            } else {
                let started = DispatchSemaphore(value: 0)
                family.child.perform {
                    started.signal()
                    let found = count(family.child)
                    counts.withLock { $0.append(found) }
                }
                started.wait()
            }
            family.child.performAndWait {
                let found = count(family.child)
                counts.withLock { $0.append(found) }
            }
            save(family.root)
            done.signal()
        }
        #expect(isSignalled(done))
        expect(counts.withLock { $0 }, equals: [1, 1])
    }

    @Test(arguments: pairs)
    func aGrandparentWaitsForAGrandchildThatAsksIt(_ root: Place, _ child: Place) throws {
        for grandchild in Place.allCases where grandchild != .main {
            let family = try Family(root, child, grandchild)
            let done = DispatchSemaphore(value: 0)
            let counts = Mutex<[Int]>([])
            family.root.perform {
                _ = family.root.make("Company", ["name": "A"])
                let started = DispatchSemaphore(value: 0)
                family.grandchild.perform {
                    started.signal()
                    _ = family.grandchild.make("Company", ["name": "B"])
                    save(family.grandchild)
                    let found = count(family.grandchild)
                    counts.withLock { $0.append(found) }
                }
                started.wait()
                family.child.performAndWait {
                    family.grandchild.performAndWait {
                        let found = count(family.grandchild)
                        counts.withLock { $0.append(found) }
                    }
                }
                done.signal()
            }
            #expect(isSignalled(done), "\(grandchild)")
            expect(counts.withLock { $0 }, equals: [2, 2], "\(grandchild)")
        }
    }

    @Test(arguments: pairs)
    func aParentWaitsForAChildThatMerges(_ root: Place, _ child: Place) throws {
        let family = try Family(root, child, .own)
        for context in [family.child, family.grandchild] {
            context.automaticallyMergesChangesFromParent = true
        }
        let done = DispatchSemaphore(value: 0)
        let counts = Mutex<[Int]>([])
        family.root.perform {
            for round in 0..<50 {
                let company = family.root.make("Company", ["name": "\(round)"])
                save(family.root)
                family.child.performAndWait { _ = try? family.child.all("Company").map { $0["name"] } }
                company["name"] = "changed"
                save(family.root)
                let found = family.grandchild.performAndWait { count(family.grandchild) }
                counts.withLock { $0.append(found) }
            }
            done.signal()
        }
        #expect(isSignalled(done))
        expect(counts.withLock { $0 }, equals: Array(1...50))
    }

    @Test func blocksOfOthersDontRunInsideAWaitingBlock() throws {
        let family = try Family(.own, .own, .own)
        let done = DispatchSemaphore(value: 0)
        let events = Mutex<[String]>([])
        family.root.performAndWait {
            let started = DispatchSemaphore(value: 0)
            let asked = DispatchSemaphore(value: 0)
            family.child.perform {
                started.signal()
                asked.wait()
                Thread.sleep(forTimeInterval: 0.05)
            }
            started.wait()
            DispatchQueue.global().async {
                family.grandchild.performAndWait {
                    asked.signal()
                    family.root.performAndWait { events.withLock { $0.append("other") } }
                }
                done.signal()
            }
            family.child.performAndWait {}
            events.withLock { $0.append("root") }
        }
        #expect(isSignalled(done))
        expect(events.withLock { $0 }, equals: ["root", "other"])
    }
}
