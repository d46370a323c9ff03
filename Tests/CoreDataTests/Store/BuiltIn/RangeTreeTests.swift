// R-tree fetch indexes: fetches use them, every kind of write keeps them, and answers are those without.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct RangeTreeTests {
    private static let names = [
        "Z_Place_byHeight", "Z_Place_byPosition", "Z_Place_bySeen", "Z_Place_highOnes", "Z_Town_byPopulation",
    ]

    private static func index(
        _ name: String, _ entity: NSEntityDescription, _ properties: String..., where format: String? = nil
    ) -> NSFetchIndexDescription {
        let index = NSFetchIndexDescription(
            name: name,
            elements: properties.compactMap { entity.propertiesByName[$0] }.map {
                NSFetchIndexElementDescription(property: $0, collationType: .rTree)
            })
        index.partialIndexPredicate = format.map { NSPredicate(format: $0) }
        return index
    }

    private static func model(indexed: Bool = true, modifier: String? = nil) -> NSManagedObjectModel {
        let place = NSEntityDescription(
            "Place",
            NSAttributeDescription.all(
                ("name", .stringAttributeType), ("latitude", .doubleAttributeType),
                ("longitude", .doubleAttributeType), ("height", .integer64AttributeType),
                ("seen", .dateAttributeType), ("depth", .decimalAttributeType)))
        let town = NSEntityDescription(
            "Town", NSAttributeDescription.all(("population", .integer32AttributeType)))
        place.subentities = [town]
        place.versionHashModifier = modifier
        let model = NSManagedObjectModel()
        model.entities = [place, town]
        if indexed {
            place.indexes = [
                index("byPosition", place, "latitude", "longitude"), index("byHeight", place, "height"),
                index("bySeen", place, "seen"), index("highOnes", place, "longitude", where: "height > 100"),
            ]
            town.indexes = [index("byPopulation", town, "population")]
        }
        return model
    }

    // MARK: Random places

    private static let hugeDoubles: [Double] = [
        1e300, -1e300, .infinity, -.infinity, .greatestFiniteMagnitude, 1e-300, -1e-300,
        .leastNonzeroMagnitude, 1e-38,
        3.4028235e38, 3.5e38, 0, -0.0, 16_777_217, 0.1,
    ]
    private static let hugeIntegers: [Int64] = [
        .max, .min, 16_777_217, -16_777_217, 1 << 53, (1 << 53) + 1, -(1 << 53) - 1, 0, 100, 101,
    ]

    private func double(_ generator: inout SeededGenerator) -> Double? {
        switch Int.random(in: 0..<12, using: &generator) {
        case 0: nil
        case 1: Self.hugeDoubles.randomElement(using: &generator)
        case 2: Double(Int.random(in: -3...3, using: &generator))
        default: Double.random(in: -180...180, using: &generator)
        }
    }

    private func integer(_ generator: inout SeededGenerator) -> Int64? {
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: nil
        case 1: Self.hugeIntegers.randomElement(using: &generator)
        default: Int64.random(in: -5000...5000, using: &generator)
        }
    }

    private func values(_ number: Int, isTown: Bool, _ generator: inout SeededGenerator) -> [String: Any] {
        var values: [String: Any] = ["name": "place \(number)"]
        values["latitude"] = double(&generator)
        values["longitude"] = double(&generator)
        values["height"] = integer(&generator)
        values["depth"] = double(&generator).flatMap { abs($0) < 1000 ? Decimal($0) : nil }
        if number % 5 > 0 {
            values["seen"] = Date(
                timeIntervalSinceReferenceDate: Double.random(in: -1e9...1e9, using: &generator))
        }
        if isTown { values["population"] = Int.random(in: 0...1_000_000, using: &generator) }
        return values
    }

    private func range(_ key: String, _ generator: inout SeededGenerator) -> NSPredicate {
        func bound() -> NSNumber {
            if key == "height" { return NSNumber(value: integer(&generator) ?? 7) }
            return NSNumber(value: double(&generator) ?? 7)
        }
        let op = ["<", "<=", ">", ">=", "=="].randomElement(using: &generator) ?? "<"
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: return NSPredicate(format: "%K \(op) %@", key, bound())
        case 1: return NSPredicate(format: "%@ \(op) %K", bound(), key)
        default:
            let ends = [bound(), bound()].sorted { $0.doubleValue < $1.doubleValue }
            return NSPredicate(format: "%K BETWEEN %@", key, ends)
        }
    }

    private func filled(_ count: Int, seed: UInt64) throws -> (folder: TemporaryFolder, store: OpenStore) {
        let folder = try TemporaryFolder()
        let opened = try OpenStore(folder.file("Places.sqlite"), Self.model())
        var generator = SeededGenerator(seed: seed)
        for number in 0..<count {
            let isTown = number % 3 == 0
            _ = opened.context.make(
                isTown ? "Town" : "Place", values(number, isTown: isTown, &generator))
        }
        try #require(opened.save() == [])
        opened.context.reset()
        return (folder, opened)
    }

    private func plan(_ predicate: NSPredicate, _ opened: OpenStore, _ entity: String = "Place") throws
        -> String
    {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = predicate
        return try opened.coordinator.sqlDescription(for: request, in: opened.store).plan.joined(
            separator: "; ")
    }

    private func check(_ predicate: NSPredicate, _ opened: OpenStore, _ entity: String = "Place") throws {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = predicate
        let found = try opened.context.fetch(request)
        let expected = try opened.context.all(entity).filter(predicate.evaluate)
        expect(Set(found), equals: Set(expected), "\(predicate)")
        try expect(opened.context.count(for: request), equals: expected.count)
    }

    // MARK: Tests

    @Test func rangesUseThemAndAgree() throws {
        let (folder, opened) = try filled(3000, seed: 7)
        var generator = SeededGenerator(seed: 8)
        for _ in 0..<rounds(30, long: 150) {
            let keys = [["latitude"], ["latitude", "longitude"], ["height"], ["longitude", "height"]]
            let parts = (keys.randomElement(using: &generator) ?? []).map { range($0, &generator) }
            let predicate = NSCompoundPredicate(andPredicateWithSubpredicates: parts)
            try check(predicate, opened)
            let plan = try plan(predicate, opened)
            #expect(plan.contains("VIRTUAL TABLE INDEX"), "\(predicate): \(plan)")
        }
        withExtendedLifetime(folder) {}
    }

    @Test func plansNameTheTree() throws {
        let (folder, opened) = try filled(60, seed: 1)
        let box = NSPredicate(format: "latitude BETWEEN {10, 20} AND longitude >= 5 AND longitude < 7.5")
        let plan = try plan(box, opened)
        #expect(
            plan.contains("SCAN Z_Place_byPosition VIRTUAL TABLE INDEX 2:D") && plan.contains("PRIMARY KEY"))
        let since = NSPredicate(format: "seen > %@", Date(timeIntervalSinceReferenceDate: 10) as NSDate)
        #expect(try self.plan(since, opened).contains("Z_Place_bySeen"))
        try check(since, opened)
        let towns = NSPredicate(format: "population < 5000")
        #expect(try self.plan(towns, opened, "Town").contains("Z_Town_byPopulation"))
        try check(towns, opened, "Town")
        #expect(try self.plan(box, opened, "Town").contains("Z_Place_byPosition"), "an inherited index")
        try check(box, opened, "Town")
        // A part of the rows only, and what must not hold of every row.
        let high = NSPredicate(format: "height > 100 AND longitude > 0")
        #expect(try self.plan(high, opened).contains("Z_Place_"))
        try check(high, opened)
        #expect(try !self.plan(NSPredicate(format: "longitude > 0"), opened).contains("highOnes"))
        for format in [
            "latitude > 3 OR name == 'x'", "NOT latitude > 3", "noindex:(latitude) > 3", "name > 'a'",
        ] {
            let predicate = NSPredicate(format: format)
            #expect(try !self.plan(predicate, opened).contains("VIRTUAL TABLE"), "\(format)")
            try check(predicate, opened)
        }
        withExtendedLifetime(folder) {}
    }

    /// The function that Apple's framework wants in predicates that are to use such an index.
    @Test func indexesMayBeNamed() throws {
        let (folder, opened) = try filled(300, seed: 2)
        let format =
            "indexed:by:(latitude, 'byPosition') BETWEEN {-50, 50} AND indexed:by:(longitude, 'byPosition') < 9"
        let predicate = NSPredicate(format: format)
        try check(predicate, opened)
        #expect(try plan(predicate, opened).contains("Z_Place_byPosition"))
        expect(NSPredicate(format: predicate.formatString), equals: predicate)
        withExtendedLifetime(folder) {}
    }

    @Test func everyKindOfWriteKeepsThem() throws {
        let (folder, opened) = try filled(300, seed: 3)
        let context = opened.context
        var generator = SeededGenerator(seed: 4)
        for round in 0..<12 {
            for object in try context.all("Place") where Int.random(in: 0..<4, using: &generator) == 0 {
                let isTown = object.entity.name == "Town"
                if round % 3 == 0 && !isTown {
                    context.delete(object)
                } else {
                    object.setValuesForKeys(
                        ["latitude", "longitude", "height"].reduce(into: [:]) { $0[$1] = NSNull() })
                    object.setValuesForKeys(values(round, isTown: isTown, &generator))
                }
            }
            try #require(opened.save() == [])
            try context.batchInsert(
                "Town", (0..<20).map { values($0, isTown: true, &generator) })
            try context.batchUpdate(
                "Place", "latitude > 90", ["latitude": NSExpression(format: "latitude - 100")])
            try context.batchUpdate("Town", "longitude BETWEEN {0, 5}", ["longitude": NSNull(), "height": 5])
            try context.batchDelete("Place", "latitude BETWEEN {-5, -1}")
            context.reset()
            for key in ["latitude", "longitude", "height"] { try check(range(key, &generator), opened) }
        }
        try opened.close()
        let raw = try RawDatabase(folder.file("Places.sqlite"))
        for (tree, condition) in [
            ("Z_Place_byPosition", "ZLATITUDE IS NOT NULL OR ZLONGITUDE IS NOT NULL"),
            ("Z_Place_byHeight", "ZHEIGHT IS NOT NULL"), ("Z_Town_byPopulation", "ZPOPULATION IS NOT NULL"),
            ("Z_Place_highOnes", "ZHEIGHT > 100 AND ZLONGITUDE IS NOT NULL"),
        ] {
            try expect(
                raw.rows("SELECT Z_PK FROM \(tree) ORDER BY Z_PK"),
                equals: raw.rows("SELECT Z_PK FROM ZPLACE WHERE \(condition) ORDER BY Z_PK"), "\(tree)")
            try expect(raw.rows("SELECT rtreecheck('\(tree)')"), equals: [["ok"]])
        }
        // Plain SQL keeps them too.
        try raw.run("UPDATE ZPLACE SET ZHEIGHT = 4321 WHERE Z_PK = (SELECT MIN(Z_PK) FROM ZPLACE)")
        #expect(
            try raw.number(
                "SELECT COUNT(*) FROM Z_Place_byHeight WHERE ZHEIGHT_MIN <= 4321 AND ZHEIGHT_MAX >= 4321") > 0
        )
    }

    @Test func theStoreIsSoundAndHasApplesTable() throws {
        let (folder, opened) = try filled(30, seed: 5)
        try expect(opened.coordinator.verify(opened.store), equals: [])
        try opened.close()
        let found = try rows(
            folder.file("Places.sqlite"), "SELECT sql FROM sqlite_master WHERE name = 'Z_Place_byPosition'")
        expect(
            found,
            equals: [
                [
                    "CREATE VIRTUAL TABLE Z_Place_byPosition USING RTREE (Z_PK INTEGER PRIMARY KEY, ZLATITUDE_MIN, "
                        + "ZLATITUDE_MAX, ZLONGITUDE_MIN, ZLONGITUDE_MAX)"
                ]
            ])
    }

    @Test func migrationsFillAndDropThem() throws {
        let (folder, opened) = try filled(200, seed: 6)
        try opened.close()
        let url = folder.file("Places.sqlite")
        let names = "SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL%' ORDER BY name"
        try expect(rows(url, names).map { $0[0] }, equals: Self.names)
        try OpenStore(url, Self.model(indexed: false, modifier: "plain"), options: .migrating).close()
        try expect(rows(url, names), equals: [])
        try expect(rows(url, "SELECT name FROM sqlite_master WHERE type = 'trigger'"), equals: [])
        let again = try OpenStore(url, Self.model(modifier: "again"), options: .migrating)
        try expect(again.coordinator.verify(again.store), equals: [])
        let predicate = NSPredicate(format: "latitude BETWEEN {-20, 60} AND longitude < 0")
        #expect(try plan(predicate, again).contains("Z_Place_byPosition"))
        try check(predicate, again)
        try again.close()
        // Made anew when the indexed column gets another name.
        let renamed = Self.model(modifier: "renamed")
        renamed.entitiesByName["Place"]?.attributesByName["height"]?.name = "altitude"
        renamed.entitiesByName["Place"]?.attributesByName["altitude"]?.renamingIdentifier = "height"
        renamed.entitiesByName["Place"]?.indexes.last?.partialIndexPredicate = nil
        let last = try OpenStore(url, renamed, options: .migrating)
        try check(NSPredicate(format: "altitude > 100"), last)
        #expect(try plan(NSPredicate(format: "altitude > 100"), last).contains("Z_Place_byHeight"))
    }

    /// The form of Apple's trees isn't known: they are kept, by its triggers or ours, but not believed.
    @Test(arguments: [false, true]) func treesOfOthersAreKept(withTrigger: Bool) throws {
        let folder = try TemporaryFolder()
        let url = folder.file("Places.sqlite")
        try OpenStore(url, Self.model(indexed: false)).close()
        let raw = try RawDatabase(url)
        try raw.run(
            "CREATE VIRTUAL TABLE Z_Place_byHeight USING RTREE (Z_PK INTEGER PRIMARY KEY, ZHEIGHT_MIN, ZHEIGHT_MAX)"
        )
        if withTrigger {
            try raw.run(
                """
                CREATE TRIGGER Z_RT_Place AFTER INSERT ON ZPLACE BEGIN \
                INSERT INTO "Z_Place_byHeight" VALUES (NEW.Z_PK, NEW.ZHEIGHT, NEW.ZHEIGHT); END
                """)
        }
        let opened = try OpenStore(url, Self.model())
        for height in 1...5 { _ = opened.context.make("Place", ["height": height]) }
        try #require(opened.save() == [])
        let predicate = NSPredicate(format: "height >= 3")
        try check(predicate, opened)
        try expect(opened.context.all("Place", "height >= 3").count, equals: 3)
        #expect(try !plan(predicate, opened).contains("VIRTUAL TABLE"))
        try expect(raw.number("SELECT COUNT(*) FROM Z_Place_byHeight WHERE ZHEIGHT_MIN >= 3"), equals: 3)
        try expect(
            raw.number("SELECT COUNT(*) FROM sqlite_master WHERE type = 'trigger'"),
            equals: (withTrigger ? 1 : 0))
    }

    @Test func whatNoTreeIsOverIsRefused() throws {
        func failure(_ change: (NSEntityDescription, NSEntityDescription) -> Void) throws -> String {
            let model = Self.model(indexed: false)
            let place = try #require(model.entitiesByName["Place"])
            change(place, try #require(model.entitiesByName["Town"]))
            let folder = try TemporaryFolder()
            let error = #expect(throws: (any Error).self) {
                try OpenStore(folder.file("Places.sqlite"), model)
            }
            return (error as NSError?)?.localizedFailureReason ?? "\(error as (any Error)?)"
        }
        let text = try failure { place, _ in place.indexes = [Self.index("wrong", place, "name")] }
        #expect(text.contains("wrong") && text.contains("no number and no date"))
        let mixed = try failure { place, _ in
            let index = Self.index("mixed", place, "height", "latitude")
            index.elements.first?.collationType = .binary
            place.indexes = [index]
        }
        #expect(mixed.contains("mixed") && mixed.contains("another kind"))
    }
}
