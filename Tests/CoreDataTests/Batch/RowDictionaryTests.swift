// The dictionary that the closure of a batch insert fills.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct RowDictionaryTests {
    private func insert(
        _ context: NSManagedObjectContext, _ rows: [(NSMutableDictionary) -> Void]
    ) throws {
        var left = rows[...]
        let request = NSBatchInsertRequest(entityName: "Company") { (row: NSMutableDictionary) in
            guard let fill = left.popFirst() else { return true }
            fill(row)
            return false
        }
        _ = try context.execute(request)
    }

    @Test func aRowHasNothingOfTheOneBefore() throws {
        let context = try TestStack().context
        try context.run { () throws in
            try insert(
                context,
                [
                    { ($0["name"], $0["budget"]) = ("a", 1) },
                    { ($0["budget"], $0["name"]) = (2, "b") },
                    { $0["name"] = "c" },
                    { ($0["budget"], $0["name"], $0["budget"]) = (4, "d", nil) },
                    { $0.addEntries(from: ["name": "e", "budget": 5]) },
                    { $0.setDictionary(["budget": NSNull(), "name": "f" as NSString]) },
                    { $0["name"] = "g" },
                ])
            let companies = try context.all("Company").sorted {
                $0.text("name") ?? "" < $1.text("name") ?? ""
            }
            expect(companies.map { $0.text("name") }, equals: ["a", "b", "c", "d", "e", "f", "g"])
            expect(
                companies.map { ($0.value(forKey: "budget") as? NSNumber)?.intValue },
                equals: [
                    1, 2, nil, nil, 5, nil, nil,
                ])
        }
    }

    /// A dictionary that is added to an empty row stays what it is until more is done with the row.
    @Test func dictionariesAreAdded() throws {
        let context = try TestStack().context
        let whole: [String: Any] = ["name": "a", "budget": 1]
        var kept: [NSMutableDictionary] = []
        try context.run { () throws in
            try insert(
                context,
                [
                    { $0.addEntries(from: whole) },
                    { $0.addEntries(from: ["name": "b"]) },
                    {
                        $0["name"] = "c"; $0.addEntries(from: ["budget": 3])
                    },
                    {
                        $0.addEntries(from: whole); $0["name"] = "d"
                    },
                    {
                        $0.addEntries(from: whole); $0.addEntries(from: ["name": "e", "budget": NSNull()])
                    },
                    {
                        $0.addEntries(from: whole); $0["budget"] = nil; $0["name"] = "f"
                    },
                    {
                        $0.addEntries(from: whole); $0.removeAllObjects(); $0["name"] = "g"
                    },
                    {
                        $0.addEntries(from: ["name": "h", "budget": 8]); kept.append($0)
                    },
                    { $0["name"] = "i" },
                ])
            let companies = try context.all("Company").sorted {
                $0.text("name") ?? "" < $1.text("name") ?? ""
            }
            expect(
                companies.map { "\($0.text("name") ?? "") \($0.value(forKey: "budget") ?? "nil")" },
                equals: [
                    "a 1", "b nil", "c 3", "d 1", "e nil", "f nil", "g nil", "h 8", "i nil",
                ])
        }
        expect(kept, equals: [["name": "h", "budget": 8]])
        expect(kept.first?.count, equals: 2)
    }

    /// Values that are objects aren't held longer than the request takes.
    @Test func valuesAreLetGo() throws {
        final class Canary: NSObject, NSCopying {
            func copy(with zone: NSZone? = nil) -> Any { self }
        }
        weak var seen: Canary?
        let context = try TestStack().context
        try context.run { () throws in
            try insert(
                context,
                [
                    {
                        let canary = Canary()
                        seen = canary
                        $0["name"] = canary
                        $0["budget"] = 1
                        $0["name"] = "a"
                    },
                    { $0["name"] = "b" },
                ])
            #expect(seen == nil)
            #expect(
                throws: NSError.self,
                performing: {
                    try insert(
                        context,
                        [
                            {
                                let canary = Canary()
                                seen = canary
                                $0["name"] = canary
                            }
                        ])
                })
        }
        #expect(seen == nil)
    }

    @Test func whatTheClosureKeepsStaysAsItWas() throws {
        let context = try TestStack().context
        var kept: [NSMutableDictionary] = []
        try context.run { () throws in
            try insert(
                context,
                ["a", "b", "c"].map { name in
                    {
                        $0["name"] = name; kept.append($0)
                    }
                })
            try expect(context.all("Company").count, equals: 3)
        }
        expect(kept.map { $0["name"] as? String }, equals: ["a", "b", "c"])
    }

    @Test func otherKeysThanTextsAreRefused() throws {
        let context = try TestStack().context
        try context.run { () throws in
            let error = #expect(throws: NSError.self) {
                try insert(context, [{ ($0["name"], $0[5]) = ("a", 1) }])
            }
            expect(error?.code, equals: NSManagedObjectValidationError)
            expect(error?.localizedDescription.contains("\"5\""), equals: true)
            #expect(try context.all("Company").isEmpty)
        }
    }

    // MARK: As Foundation's own

    /// Calls the closure with a row of a batch, which is then filled with a company's name only.
    private func withRow(_ body: (NSMutableDictionary) throws -> Void) throws {
        let context = try TestStack().context
        try withoutActuallyEscaping(body) { body in
            var failure: (any Error)?
            try context.run { () throws in
                try insert(
                    context,
                    [
                        { row in
                            do { try body(row) } catch { failure = error }
                            row.setDictionary(["name": "a"])
                        }
                    ])
                try expect(context.all("Company").map { $0.text("name") }, equals: ["a"])
            }
            if let failure { throw failure }
        }
    }

    private static var keys: [AnyHashable] {
        ["name", "budget", "address", "Zoë", "", "name" as NSString, 5]
    }

    /// After any changes it equals Foundation's own dictionary, asked at any time or only at the end.
    @Test(arguments: 0..<8) func itIsADictionary(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        try withRow { row in
            let expected = NSMutableDictionary()
            for step in 0..<300 {
                let key = Self.keys[Int.random(in: 0..<Self.keys.count, using: &random)]
                switch Int.random(in: 0..<9, using: &random) {
                case 0: (row[key], expected[key]) = (nil, nil)
                case 1: [row, expected].forEach { $0.removeObject(forKey: key) }
                case 2 where step % 5 == 0: [row, expected].forEach { $0.removeAllObjects() }
                case 3:
                    [row, expected].forEach { $0[String(describing: key)] = step % 2 == 0 ? "\(step)" : nil }
                case 4:
                    let added: [String: Any] = ["name": step, "Zoë": "\(step)"]
                    row.addEntries(from: added)
                    expected.addEntries(from: added as [AnyHashable: Any])
                default: (row[key], expected[key]) = (step, step)
                }
                if Int.random(in: 0..<20, using: &random) != 0 { continue }
                expect(row.count, equals: expected.count)
                if seed % 2 == 1 { continue }
                expect(row, equals: expected)
                expect(row[key] as? Int, equals: expected[key] as? Int)
                expect(Set(row.allKeys.map { "\($0)" }), equals: Set(expected.allKeys.map { "\($0)" }))
            }
            expect(row, equals: expected)
        }
    }

    @Test func whatItIsAskedFoundationAnswers() throws {
        let date = Date(timeIntervalSinceReferenceDate: 5)
        let values: [String: Any] = ["a": 7, "b": "x", "c": NSNull(), "d": date, "e": true, "f": [1.5]]
        func each(_ ask: (NSMutableDictionary) throws -> String) throws {
            try withRow { row in
                let expected = NSMutableDictionary()
                for (key, value) in values { (row[key], expected[key]) = (value, value) }
                let (own, wanted) = try (ask(row), ask(expected))
                expect(own, equals: wanted)
            }
        }
        func sorted(_ values: some Sequence<Any>) -> String {
            values.map { "\(type(of: $0)) \($0)" }.sorted().joined(separator: ", ")
        }
        try each { sorted($0.allKeys) }
        try each { sorted($0.allValues) }
        try each { sorted($0.keyEnumerator().allObjects) }
        try each { sorted($0.objectEnumerator().allObjects) }
        try each { sorted($0.map { "\($0.key) \($0.value)" }) }
        try each { "\($0.count)" }
        try each { row in sorted(values.keys.sorted().map { row[$0] ?? "nothing" }) }
        try each { sorted($0.objects(forKeys: ["a", "z"], notFoundMarker: "none")) }
        try each { "\($0["a"] as? Double ?? 0) \($0["a"] as? NSNumber ?? 0) \($0.value(forKey: "b") ?? "")" }
        try each { String($0.description.count) }
        try each { sorted(($0.copy() as? [String: Any] ?? [:]).map { "\($0.key) \($0.value)" }) }
        try each { sorted(($0.mutableCopy() as? [String: Any] ?? [:]).map { "\($0.key) \($0.value)" }) }
        try each { row in
            let archive = try NSKeyedArchiver.archivedData(withRootObject: row, requiringSecureCoding: false)
            let back = try NSKeyedUnarchiver.unarchiveTopLevelObjectWithData(archive) as? NSMutableDictionary
            return sorted((back ?? [:]).map { "\($0.key) \($0.value)" })
        }
        try each { "\($0 == $0) \($0.isEqual(to: ["a": 7])) \($0.isEqual(5))" }
    }

    @Test func rowsThatWereKeptAreEqualIfTheirValuesAre() throws {
        let context = try TestStack().context
        var kept: [NSMutableDictionary] = []
        try context.run { () throws in
            try insert(
                context,
                ["a", "b", "a"].map { name in
                    {
                        ($0["name"], $0["budget"]) = (name, 5)
                        kept.append($0)
                    }
                })
        }
        try #require(kept.count == 3)
        #expect(kept[0] == kept[2] && kept[0] != kept[1])
    }

    // MARK: Texts as keys of any dictionary

    @Test func theSubscriptForTextsIsThatOfFoundation() {
        let dictionary = NSMutableDictionary()
        let key = "a"
        dictionary[key] = 5
        dictionary["b"] = "x"
        dictionary.setValue(true, forKey: "c")
        expect(dictionary[key] as? Int, equals: 5)
        expect(dictionary["a" as NSString] as? Double, equals: 5)
        let same = NSMutableDictionary()
        for (key, value) in ["a": 5, "b": "x", "c": true] as [String: Any] {
            same.setObject(value, forKey: key as NSString)
        }
        expect(dictionary, equals: same)
        dictionary[key] = nil
        dictionary.setValue(nil, forKey: "c")
        #expect(dictionary.isEqual(to: ["b": "x"]))
        #expect(dictionary["a"] == nil)
    }
}
