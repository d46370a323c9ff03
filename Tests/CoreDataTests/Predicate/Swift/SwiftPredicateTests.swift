// Swift predicates: what they say as formats, in SQL and in memory.

import CoreData
import CoreDataTestSupport
import Testing

@Suite struct SwiftPredicateTests {
    private let crowd: Crowd

    init() throws {
        crowd = try Crowd()
    }

    /// Expects a format, and that a store finds the same objects as the predicate itself.
    private func expect(
        _ format: String, _ predicate: Predicate<Champion>, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(NSPredicate(predicate).formatString == format, sourceLocation: sourceLocation)
        try crowd.expectSame(predicate, sourceLocation: sourceLocation)
    }

    @Test func comparisons() throws {
        let (now, id) = (Date(timeIntervalSinceReferenceDate: 1000), UUID())
        try expect(#"name == "a""#, #Predicate { $0.name == "a" })
        try expect(#"name != "a""#, #Predicate { $0.name != "a" })
        try expect("name == nil", #Predicate { $0.name == nil })
        try expect(#"nick > "b""#, #Predicate { $0.nick > "b" })
        try crowd.expectSame(#Predicate { $0.badge != id })
        try crowd.expectSame(#Predicate { $0.born != now })
        try crowd.expectSame(#Predicate { $0.born != nil && $0.born! > now })
        try crowd.expectSame(#Predicate { $0.seen > 500 })
        try expect("level == 2", #Predicate { $0.level == 2 })
    }

    @Test func numbersWithoutOptionalReadNilAsZero() throws {
        try expect("age > 3", #Predicate { $0.age > 3 })
        try expect("age < 3 OR age == nil", #Predicate { $0.age < 3 })
        try expect("age == 0 OR age == nil", #Predicate { $0.age == 0 })
        try expect("age != 0 AND NOT age == nil", #Predicate { $0.age != 0 })
        try expect("age != 3", #Predicate { $0.age != 3 })
        try expect("isActive == 1", #Predicate { $0.isActive })
        try expect("NOT isActive == 1", #Predicate { !$0.isActive })
        try expect("NOT isActive == 1", #Predicate { $0.isActive == false })
        try expect("age IN {0, 1} OR age == nil", #Predicate { [0, 1].contains($0.age) })
        try expect("age IN {1, 2}", #Predicate { [1, 2].contains($0.age) })
        try crowd.expectSame(#Predicate { $0.age + 1 == 1 })
        try crowd.expectSame(#Predicate { $0.age == $0.age * 2 })
    }

    @Test func optionals() throws {
        try expect(#"name == "a" OR name == nil"#, #Predicate { ($0.name ?? "a") == "a" })
        try expect(#"name == "a""#, #Predicate { ($0.name ?? "b") == "a" })
        try expect(#"boss.name == "a""#, #Predicate { $0.boss?.name == "a" })
        try expect("boss.age == 3", #Predicate { $0.boss?.age == 3 })
        try expect("boss.boss.name == nil", #Predicate { $0.boss?.boss?.name == nil })
        try crowd.expectSame(#Predicate { $0.boss!.nick == "a" })
        try expect("boss == nil", #Predicate { $0.boss == nil })
        try crowd.expectSame(#Predicate { $0.boss?.age == 0 })
        try crowd.expectSame(#Predicate { ($0.boss?.age ?? 0) < 2 })
        try crowd.expectSame(#Predicate { ($0.boss?.age ?? 7) > 2 })
        try crowd.expectSame(#Predicate { $0.boss?.age != 0 })
        try crowd.expectSame(#Predicate { $0.boss?.age == nil })
        try crowd.expectSame(#Predicate { !($0.name! == "a") })
        try crowd.expectSame(#Predicate { $0.age == 0 || $0.name! == "a" })
        try crowd.expectSame(#Predicate { !($0.name != nil && $0.name! == "a") })
        try crowd.expectSame(#Predicate { $0.activity == nil })
        try crowd.expectSame(#Predicate { $0.activity != true })
        try crowd.expectSame(#Predicate { $0.activity ?? true })
        try crowd.expectSame(#Predicate { $0.name.flatMap { $0 == "a" } == false })
        try crowd.expectSame(#Predicate { $0.name?.contains("a") ?? true })
        try crowd.expectSame(#Predicate { if let boss = $0.boss { boss.age == 1 } else { true } })
    }

    @Test func strings() throws {
        try expect(#"nick CONTAINS "1""#, #Predicate { $0.nick.contains("1") })
        try expect(#"nick BEGINSWITH "b""#, #Predicate { $0.nick.starts(with: "b") })
        try expect(#"characters:(nick) > 2"#, #Predicate { $0.nick.count > 2 })
        try expect(#"nick == """#, #Predicate { $0.nick.isEmpty })
        try expect(
            #"nick CONTAINS[cd] "É""#, #Predicate { $0.nick.localizedStandardContains("É") })
        let same = ComparisonResult.orderedSame
        let descending = ComparisonResult.orderedDescending
        try expect(#"nick ==[c] "B1""#, #Predicate { $0.nick.caseInsensitiveCompare("B1") == same })
        try expect(#"nick >[l] "b""#, #Predicate { $0.nick.localizedCompare("b") == descending })
        try crowd.expectSame(#Predicate { $0.nick.contains("") })
        try crowd.expectSame(#Predicate { $0.nick.contains($0.name ?? "") })
        try crowd.expectSame(#Predicate { $0.nick.starts(with: $0.name ?? "b") })
        let pattern = try Regex("b[0-9]")
        try crowd.expectSame(#Predicate { $0.nick.contains(pattern) })
    }

    @Test func relationships() throws {
        try crowd.expectSame(#Predicate { $0.talents.contains { $0.force == 3 } })
        try crowd.expectSame(#Predicate { $0.talents.contains { $0.title == "a" } })
        try crowd.expectSame(
            #Predicate { champion in champion.talents.contains { $0.title == champion.name } })
        try crowd.expectSame(#Predicate { $0.talents.allSatisfy { $0.force > 1 } })
        try crowd.expectSame(#Predicate { $0.talents.filter { $0.force > 1 }.count == 2 })
        try expect("NOT ANY talents != nil", #Predicate { $0.talents.isEmpty })
        try expect("talents.@count > 1", #Predicate { $0.talents.count > 1 })
        try crowd.expectSame(#Predicate { ($0.minions ?? []).count > 1 })
        try crowd.expectSame(#Predicate { $0.minions?.isEmpty == true })
        try crowd.expectSame(
            #Predicate { $0.minions?.contains { $0.talents.contains { $0.force == 1 } } == true })
        try crowd.expectSame(#Predicate { $0.boss?.talents.isEmpty == false })
        try crowd.expectSame(#Predicate { $0.trophies.first?.year == 1 })
        try crowd.expectSame(#Predicate { $0.trophies.last?.year == 2 })
        #expect(
            try crowd.fetch(NSPredicate(#Predicate<Champion> { $0.trophies[1].year == 2 }))
                == crowd.fetch(NSPredicate(format: "trophies[1].year == 2")))
    }

    @Test func rangesChoicesAndArithmetic() throws {
        let ages = 1...Int64(3)
        try crowd.expectSame(#Predicate { ages.contains($0.age) })
        try crowd.expectSame(#Predicate { (0..<2).contains($0.age) })
        try crowd.expectSame(#Predicate { ($0.age...9).contains(2) })
        try crowd.expectSame(#Predicate { $0.isActive ? $0.age == 1 : $0.name == nil })
        try crowd.expectSame(#Predicate { ($0.isHuman ? $0.age : 7) == 7 })
        try crowd.expectSame(#Predicate { $0.age / 2 == 1 })
        try crowd.expectSame(#Predicate { $0.age % 2 == 1 })
        try crowd.expectSame(#Predicate { $0.rate / 2 >= 1 })
        try crowd.expectSame(#Predicate { -$0.age < -1 })
        try crowd.expectSame(#Predicate { $0.age - 1 > 1 })
        let wanted: Set<String> = ["b1", "b2"]
        try crowd.expectSame(#Predicate { wanted.contains($0.nick) })
        try crowd.expectSame(#Predicate { champion in wanted.contains { $0 == champion.nick } })
        let numbers: [Int64] = [1, 2]
        try crowd.expectSame(#Predicate { champion in numbers.allSatisfy { $0 < champion.age } })
        try crowd.expectSame(#Predicate { _ in true })
    }

    @Test func objectsAndTheirIDs() throws {
        let boss = try crowd.champion("b1")
        let id = boss.objectID
        let few = [boss]
        try crowd.expectSame(#Predicate { $0.boss == boss })
        try crowd.expectSame(#Predicate { $0.boss != boss })
        try crowd.expectSame(#Predicate { $0.objectID == id })
        try crowd.expectSame(#Predicate { few.contains($0) })
        try crowd.expectSame(#Predicate { $0.minions?.contains(boss) == true })
        #expect(try crowd.fetch(NSPredicate(#Predicate<Champion> { $0.objectID == id })) == ["b1"])
    }

    @Test func theSQLIsWhatAFormatWouldGive() throws {
        func sql(_ predicate: NSPredicate) throws -> String? {
            try crowd.stack.statements { _ = try crowd.fetch(predicate) }.first { $0.hasPrefix("SELECT") }
        }
        let path = #Predicate<Champion> { $0.boss?.nick == "b1" && $0.age > 2 }
        #expect(try sql(NSPredicate(path)) == sql(NSPredicate(format: "boss.nick == 'b1' AND age > 2")))
        #expect(
            try sql(NSPredicate(#Predicate<Champion> { $0.talents.contains { $0.title == "a" } }))
                == sql(NSPredicate(format: "ANY talents.title == 'a'")))
        let exists = try #require(
            try sql(NSPredicate(#Predicate<Champion> { $0.talents.contains { $0.force > 2 } })))
        #expect(exists.contains("EXISTS (SELECT 1 FROM ZTALENT"))
    }

    @Test func whatHasNoSQLIsNamed() throws {
        func reason(_ predicate: Predicate<Champion>) -> String {
            let error = #expect(throws: (any Error).self) { try crowd.fetch(NSPredicate(predicate)) }
            return error.map { ($0 as NSError).localizedDescription } ?? ""
        }
        let cases: [(Predicate<Champion>, String)] = [
            (#Predicate { $0.shout == "A" }, "not that of \"nick\" alone"),
            (#Predicate { $0.boss?.isMinor == true }, "not that of \"age\" alone"),
            (#Predicate { $0.stored == 3 }, "reads no property"),
            (#Predicate { $0.nick.first != nil }, "has no SQL form"),
            (#Predicate { $0.label == "a" }, "label"),
            (#Predicate { $0.tags?.contains("a") == true }, "tags"),
            (#Predicate { $0.talents.first?.force == 1 }, "Set<Talent>"),
        ]
        for (predicate, part) in cases {
            let text = reason(predicate)
            #expect(text.contains(part))
        }
    }

    @Test func inMemoryEverythingHasAnAnswer() throws {
        let predicate = NSPredicate(#Predicate<Champion> { $0.shout == "B1" })
        // Throws in Swift.
        let unwrapping = NSPredicate(#Predicate<Champion> { $0.boss!.nick == "b1" })
        let (first, second) = (try crowd.champion("b1"), try crowd.champion("b2"))
        crowd.stack.context.performAndWait {
            #expect(predicate.evaluate(with: first))
            #expect(!predicate.evaluate(with: second))
            #expect(!predicate.evaluate(with: "b1"))
            first.boss = nil
            #expect(!unwrapping.evaluate(with: first))
        }
        #expect(try crowd.stack.context.run { try predicate.matches(first) })
    }

    @Test func predicatesOfSwiftTakePartInCompounds() throws {
        let both = NSCompoundPredicate(andPredicateWithSubpredicates: [
            NSPredicate(#Predicate<Champion> { $0.age > 1 }), NSPredicate(format: "nick BEGINSWITH 'b'"),
        ])
        #expect(try crowd.fetch(both) == crowd.fetch(NSPredicate(format: "age > 1 AND nick BEGINSWITH 'b'")))
        #expect(NSPredicate(#Predicate<Champion> { $0.age > 1 }) == NSPredicate(format: "age > 1"))
        #expect(NSPredicate(#Predicate<Champion> { $0.age > 1 }).hash == NSPredicate(format: "age > 1").hash)
    }

    @Test func unsavedChangesCountAsSavedOnes() throws {
        try crowd.stack.context.run {
            for champion in try crowd.all() {
                champion.setValue(nil, forKey: "age")
                champion.boss = nil
            }
            let found = try crowd.all(NSPredicate(#Predicate<Champion> { $0.age < 1 && $0.boss == nil }))
            #expect(found.count == Crowd.size)
        }
    }

    @Test func storesInMemoryAnswerWhatHasNoSQL() throws {
        let container = try StoreKind.xml.makeContainer(ChampionModel.make())
        let context = container.newBackgroundContext()
        try context.run {
            let champion = Champion(context: context)
            champion.nick = "a"
            try context.save()
            let request = NSFetchRequest<Champion>(entityName: "Champion")
            request.predicate = NSPredicate(#Predicate<Champion> { $0.shout == "A" })
            #expect(try context.fetch(request) == [champion])
        }
    }
}
