import CoreData
import CoreDataTestSupport
import Dispatch
import Foundation
import Testing

/// Additions and removals of many members, quietly and by either side, in relationships that were not read.
@Suite struct ManyMembersTests {
    @Test(arguments: [StoreKind.sqlite, .inMemory] + StoreKind.onServers) func manyMembersComeAndGo(
        kind: StoreKind
    ) throws {
        let container = try kind.makeContainer(UndoModel.make())
        let context = container.newBackgroundContext()
        try context.run { () throws in
            let hub = context.node("hub")
            let nodes = (0..<3000).map { context.node("n\($0)") }
            try context.save()
            context.refreshAllObjects()
            // Unread: the other side is set.
            for node in nodes { node.mutableSetValue(forKey: "friends").add(hub) }
            for node in nodes.prefix(2990) { node.mutableSetValue(forKey: "friends").remove(hub) }
            for node in nodes.prefix(5) { node.mutableSetValue(forKey: "friends").add(hub) }
            try context.save()
            context.refreshAllObjects()
            let expected = (nodes.prefix(5) + nodes.suffix(10)).map(\.label).sorted()
            expect(hub.labels("friendOf"), equals: expected)
            hub.setValue(NSSet(array: nodes), forKey: "members")
            hub.setValue(NSSet(array: Array(nodes.suffix(7))), forKey: "members")
            #expect(nodes[0].value(forKey: "group") == nil)
            try context.save()
            context.refreshAllObjects()
            expect(hub.labels("members"), equals: nodes.suffix(7).map(\.label).sorted())
        }
    }

    @Test(arguments: [UInt64](0..<UInt64(rounds(2, long: 4)))) func membersOfAnOrderLeaveOneByOne(
        _ seed: UInt64
    ) throws {
        let container = try StoreKind.inMemory.makeContainer(UndoModel.make())
        let context = container.newBackgroundContext()
        var random = SeededGenerator(seed: seed)
        try context.run { () throws in
            let hub = context.node("hub")
            var rest = (0..<3000).map { context.node("n\($0)") }
            hub.setValue(NSOrderedSet(array: rest), forKey: "parts")
            try context.save()
            var taken: [Node] = []
            for step in 0..<4000 where !rest.isEmpty {
                if step % 3 == 2, let node = taken.popLast() {
                    node.setValue(hub, forKey: "whole")
                    rest.append(node)
                } else {
                    let place: Int
                    switch seed {
                    case 0: place = 0
                    case 1: place = rest.count - 1
                    default: place = Int.random(in: 0..<rest.count, using: &random)
                    }
                    let node = rest.remove(at: place)
                    node.setValue(nil, forKey: "whole")
                    taken.append(node)
                }
                if step % 500 == 0 { expect(hub.labels("parts"), equals: rest.map(\.label)) }
            }
            expect(hub.labels("parts"), equals: rest.map(\.label))
            try context.save()
            context.refreshAllObjects()
            expect(hub.labels("parts"), equals: rest.map(\.label))
        }
    }

    /// The last to hold a set that a client changed may be another thread.
    @Test func aSetIsReleasedElsewhere() throws {
        let container = try StoreKind.inMemory.makeContainer(UndoModel.make())
        let context = container.newBackgroundContext()
        let hub = context.performAndWait { context.node("hub") }
        nonisolated(unsafe) var set: NSMutableOrderedSet? = context.performAndWait {
            hub.mutableOrderedSetValue(forKey: "parts")
        }
        set?.add(context.performAndWait { context.node("a") })
        let released = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            set = nil
            released.signal()
        }
        released.wait()
        context.performAndWait { expect(hub.labels("parts"), equals: ["a"]) }
    }
}
