// Swift key paths in fetch requests.

import CoreData
import CoreDataTestSupport
import Testing

@Suite struct KeyPathRequestTests {
    private let stack: TestStack

    init() throws {
        stack = try TestStack(model: ChampionModel.make())
        let context = stack.context
        try context.run {
            let boss = Champion(context: context)
            boss.nick = "Zoe"
            boss.age = 0
            for (number, nick) in ["b10", "a", "b9", "C"].enumerated() {
                let champion = Champion(context: context)
                champion.nick = nick
                champion.age = Int64(number % 2)
                champion.boss = number == 3 ? nil : boss
            }
            try context.save()
            context.reset()
        }
    }

    private func nicks(_ descriptors: NSSortDescriptor...) throws -> [String] {
        let request = NSFetchRequest<Champion>(entityName: "Champion")
        request.sortDescriptors = descriptors
        return try stack.context.run { try stack.context.fetch(request).map(\.nick) }
    }

    @Test func storesSortByKeyPaths() throws {
        try expect(
            nicks(
                NSSortDescriptor(keyPath: \Champion.boss?.nick, ascending: false),
                NSSortDescriptor(keyPath: \Champion.nick, ascending: true)),
            equals: ["a", "b10", "b9", "C", "Zoe"])
        let sql = try stack.statements {
            _ = try nicks(NSSortDescriptor(keyPath: \Champion.age, ascending: false))
        }
        #expect(sql.contains { $0.contains("ORDER BY t0.ZAGE DESC") })
    }

    @Test func storesSortBySwiftsSortDescriptors() throws {
        try expect(
            nicks(NSSortDescriptor(SortDescriptor(\Champion.nick))), equals: ["a", "b9", "b10", "C", "Zoe"])
        try expect(
            nicks(NSSortDescriptor(SortDescriptor(\Champion.nick, comparator: .lexical, order: .reverse))),
            equals: ["b9", "b10", "a", "Zoe", "C"])
        let order = [SortDescriptor(\Champion.age, order: .reverse), SortDescriptor(\Champion.nick)]
        let request = NSFetchRequest<Champion>(entityName: "Champion")
        request.sortDescriptors = order.map(NSSortDescriptor.init)
        let sorted = try stack.context.run { try stack.context.fetch(request).map(\.nick) }
        expect(sorted, equals: ["a", "C", "b9", "b10", "Zoe"])
    }

    @Test func propertiesToFetchMayBeKeyPaths() throws {
        let request = NSFetchRequest<NSDictionary>(entityName: "Champion")
        request.resultType = .dictionaryResultType
        let count = NSExpressionDescription()
        count.name = "count"
        count.expression = NSExpression(
            forFunction: "count:", arguments: [NSExpression(forKeyPath: \Champion.nick)])
        count.resultType = .integer64
        request.propertiesToFetch = [\Champion.boss?.nick, count]
        request.propertiesToGroupBy = [\Champion.boss?.nick]
        request.sortDescriptors = [NSSortDescriptor(keyPath: \Champion.boss?.nick, ascending: true)]
        let rows = try stack.context.run { try stack.context.fetch(request) }
        expect(rows.map { $0["boss.nick"] as? String }, equals: [nil, "Zoe"])
        expect(rows.map { $0["count"] as? Int }, equals: [2, 3])
        request.propertiesToFetch = [\Champion.shout]
        request.propertiesToGroupBy = nil
        let error = #expect(throws: (any Error).self) {
            try stack.context.run { try stack.context.fetch(request) }
        }
        #expect("\(String(describing: error))".contains("nick"))
    }

    @Test func sectionsAndPrefetchingTakeTheNameOfAKeyPath() throws {
        let request = NSFetchRequest<Champion>(entityName: "Champion")
        request.sortDescriptors = [NSSortDescriptor(keyPath: \Champion.age, ascending: true)]
        request.relationshipKeyPathsForPrefetching = [NSExpression(forKeyPath: \Champion.boss).keyPath]
        try stack.context.run {
            let controller = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: stack.context,
                sectionNameKeyPath: NSExpression(forKeyPath: \Champion.age).keyPath, cacheName: nil)
            try controller.performFetch()
            expect(controller.sections?.map(\.name), equals: ["0", "1"])
        }
    }

    @Test func anArchiveOfARequestKeepsItsKeyPaths() throws {
        let request = NSFetchRequest<NSDictionary>(entityName: "Champion")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = [\Champion.boss?.nick]
        let data = try NSKeyedArchiver.archivedData(withRootObject: request, requiringSecureCoding: false)
        let reader = try NSKeyedUnarchiver(forReadingFrom: data)
        reader.requiresSecureCoding = false
        let read = reader.decodeObject(forKey: NSKeyedArchiveRootObjectKey)
        let again = try #require(read as? NSFetchRequest<any NSFetchRequestResult>)
        expect(again.propertiesToFetch?.first as? String, equals: "boss.nick")
    }
}
