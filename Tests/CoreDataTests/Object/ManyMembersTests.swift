import CoreData
import Testing

/// Additions and removals of many members, quietly and by either side, in relationships that were not read.
@Suite struct ManyMembersTests {
    @Test(arguments: [StoreKind.sqlite, .inMemory]) func manyMembersComeAndGo(kind: StoreKind) throws {
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
            #expect(hub.labels("friendOf") == expected)
            hub.setValue(NSSet(array: nodes), forKey: "members")
            hub.setValue(NSSet(array: Array(nodes.suffix(7))), forKey: "members")
            #expect(nodes[0].value(forKey: "group") == nil)
            try context.save()
            context.refreshAllObjects()
            #expect(hub.labels("members") == nodes.suffix(7).map(\.label).sorted())
        }
    }
}
