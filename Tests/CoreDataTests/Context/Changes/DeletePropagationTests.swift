import CoreData
import CoreDataTestSupport
import Foundation
import Testing

/// Deletions of many objects: they cost what they change.
@Suite struct DeletePropagationTests {
    /// Nodes with parts and members, in levels.
    private func tree(_ context: NSManagedObjectContext, width: Int, depth: Int) -> Node {
        let root = context.node("root")
        var level = [root]
        for number in 1...depth {
            level = level.flatMap { parent in
                (0..<width).map { index in
                    let child = context.node("\(number).\(index)")
                    child.setValue(parent, forKey: "whole")
                    return child
                }
            }
        }
        return root
    }

    /// The SELECT statements that the deletion of a tree takes.
    private func selects(width: Int, depth: Int) throws -> Int {
        let stack = try TestStack(model: UndoModel.make())
        return try stack.context.run { () throws in
            _ = tree(stack.context, width: width, depth: depth)
            try stack.context.save()
            let context = stack.another()
            let root = try #require(try context.all("Node", "label = 'root'").first)
            let count = try stack.selects {
                context.delete(root)
                context.processPendingChanges()
            }
            let expected = (0...depth).reduce(0) { $0 + Int(pow(Double(width), Double($1))) }
            expect(context.deletedObjects.count, equals: expected)
            try context.save()
            #expect(try stack.another().all("Node").isEmpty)
            return count
        }
    }

    @Test func statementsFollowLevelsNotObjects() throws {
        // The last levels have 64 and 512 objects.
        let (small, large) = (try selects(width: 8, depth: 2), try selects(width: 8, depth: 3))
        #expect(large - small < 60 && small < 60)
    }

    @Test func objectsOnTheOtherSideAreReadTogetherAndOnce() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let companies = (0..<30).map { stack.context.make("Company", ["name": "C\($0)"]) }
            for number in 0..<300 {
                _ = stack.context.make("Person", ["company": companies[number % 30], "age": number])
            }
            try stack.context.save()
        }
        let context = stack.another()
        try context.run { () throws in
            let people = try context.all("Person", sort: "age")
            let selects = try stack.selects {
                for person in people.dropLast(30) { context.delete(person) }
                context.processPendingChanges()
            }
            #expect(selects < 10)
            #expect(context.updatedObjects.count == 30 && context.deletedObjects.count == 270)
            try context.save()
            // Deleted objects still say where they belonged.
            expect((people[0].value(forKey: "company") as? NSManagedObject)?.text("name"), equals: "C0")
            for company in try context.all("Company") {
                expect((company.value(forKey: "people") as? NSSet)?.count, equals: 1)
            }
        }
    }

    /// A new object that was deleted and comes back begins a new life, in which rules are yet to be applied.
    @Test func rulesApplyAgainToAnObjectThatIsInsertedAgain() throws {
        let stack = try TestStack(model: UndoModel.make())
        try stack.context.run {
            let whole = stack.context.node("whole")
            stack.context.delete(whole)
            stack.context.processPendingChanges()
            #expect(whole.managedObjectContext == nil)
            stack.context.insert(whole)
            stack.context.node("part").setValue(whole, forKey: "whole")
            stack.context.processPendingChanges()
            expect(stack.context.insertedObjects.count, equals: 2)
            stack.context.delete(whole)
            stack.context.processPendingChanges()
            #expect(stack.context.insertedObjects.isEmpty)
        }
    }

    /// What is at hand need not be read again, and what isn't is.
    @Test(arguments: [StoreKind.sqlite, .inMemory, .incremental] + StoreKind.onServers)
    func aWaveOfEverySort(_ kind: StoreKind) throws {
        let container = try kind.makeContainer(UndoModel.make())
        let context = container.newBackgroundContext()
        try context.run { () throws in
            let group = context.node("group")
            let nodes = (0..<40).map { context.node("\($0)") }
            for (number, node) in nodes.enumerated() {
                node.setValue(group, forKey: "group")
                node.setValue(nodes[(number + 1) % 40], forKey: "partner")
                node.setValue(NSSet(array: [nodes[(number + 2) % 40]]), forKey: "friends")
                node.setValue(NSSet(array: [nodes[(number + 3) % 40]]), forKey: "peers")
            }
            try context.save()
            context.refreshAllObjects()
            // Every other one goes, some read and some not, and new ones with them.
            let new = (0..<10).map { context.node("new \($0)") }
            for node in new { node.setValue(nodes[1], forKey: "group") }
            for number in stride(from: 0, to: 40, by: 4) { _ = nodes[number].labels("friends") }
            for number in stride(from: 0, to: 40, by: 2) { context.delete(nodes[number]) }
            for node in new { context.delete(node) }
            context.processPendingChanges()
            #expect(context.deletedObjects.count == 20 && context.insertedObjects.isEmpty)
            expect(group.labels("members").count, equals: 20)
            try context.save()
            context.refreshAllObjects()
            expect(group.labels("members").count, equals: 20)
            for number in stride(from: 1, to: 40, by: 2) {
                expect(nodes[number].labels("friends"), equals: ["\((number + 2) % 40)"])
                #expect(nodes[number].labels("partner").isEmpty && nodes[number].labels("peers").isEmpty)
            }
        }
    }

    /// A chain as long as the data: each level has one object.
    @Test func aLongChain() throws {
        let stack = try TestStack(type: NSInMemoryStoreType, model: UndoModel.make())
        try stack.context.run { () throws in
            var last = stack.context.node("0")
            let first = last
            for number in 1...rounds(5000, long: 20_000) {
                let next = stack.context.node("\(number)")
                next.setValue(last, forKey: "whole")
                last = next
            }
            try stack.context.save()
            stack.context.delete(first)
            try stack.context.save()
            #expect(try stack.context.all("Node").isEmpty)
        }
    }
}
