// The values and keys that the closure of a batch insert may give.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct RowDictionaryValuesTests {
    private static var values: [Any] {
        [
            5, Int64(-7), Int32(3), Int16(2), Int8(1), UInt8(200), 2.75, Float(1.5), true, false,
            NSNumber(value: 4), NSNumber(value: 0.5), Decimal(6), "text", "texts" as NSString,
            Date(timeIntervalSinceReferenceDate: 9), NSNull(), Optional<Int>.none as Any,
            Optional<Int>.some(8) as Any, Data([1]), 70_000, Int64.max,
        ]
    }

    private static var types: [(String, NSAttributeType)] {
        [
            ("small", .integer16AttributeType), ("middle", .integer32AttributeType),
            ("large", .integer64AttributeType), ("flag", .booleanAttributeType),
            ("real", .doubleAttributeType), ("single", .floatAttributeType), ("date", .dateAttributeType),
            ("text", .stringAttributeType), ("exact", .decimalAttributeType),
        ]
    }

    /// All forms take the same values for the same: those of which nothing is known yet, those that are written by the
    /// shortest way, and those that come from Foundation's dictionary.
    @Test func formsAgree() throws {
        let model = NSManagedObjectModel()
        model.entities = [NSEntityDescription("Thing", Self.types.map { NSAttributeDescription($0.0, $0.1) })]
        let context = try TestStack(model: model).context
        func outcome(_ name: String, _ request: NSBatchInsertRequest) throws -> [String] {
            do { _ = try context.execute(request) } catch { return ["refused"] }
            let things = try context.all("Thing").map { "\($0.value(forKey: name) ?? "nil")" }
            _ = try context.execute(NSBatchDeleteRequest(fetchRequest: .init(entityName: "Thing")))
            context.reset()
            return things
        }
        func filling(_ fill: @escaping (NSMutableDictionary) -> Void) -> NSBatchInsertRequest {
            var left = 2
            return NSBatchInsertRequest(entityName: "Thing") { (row: NSMutableDictionary) in
                left -= 1
                fill(row)
                return left < 0
            }
        }
        try context.run { () throws in
            for (name, _) in Self.types {
                for value in Self.values {
                    let row = [name: value]
                    let given = try outcome(
                        name, NSBatchInsertRequest(entityName: "Thing", objects: [row, row]))
                    expect(Set(given).count, equals: 1, "\(name) = \(value)")
                    try expect(
                        outcome(name, filling { $0[name] = value }), equals: given, "\(name) = \(value)")
                    let foundations = filling {
                        $0.setObject(value, forKey: name as NSString)
                        _ = $0.allKeys
                    }
                    try expect(outcome(name, foundations), equals: given, "\(name) = \(value)")
                }
            }
            try expect(outcome("flag", filling { $0["flag"] = 5 }), equals: ["1", "1"])
            try expect(outcome("real", filling { $0["real"] = 5 }), equals: ["5.0", "5.0"])
            try expect(outcome("large", filling { $0["large"] = true }), equals: ["1", "1"])
            try expect(outcome("large", filling { $0["large"] = 2.75 }), equals: ["2", "2"])
            try expect(outcome("text", filling { $0["text"] = 5 }), equals: ["refused"])
        }
    }

    /// Many keys, in changing orders, some of them longer than what a string holds without memory of its own.
    @Test(arguments: 0..<4) func keysComeInAnyOrder(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let names = (0..<40).map { $0 % 3 == 0 ? "anAttributeWithALongName\($0)" : "a\($0)" }
        let model = NSManagedObjectModel()
        model.entities = [
            NSEntityDescription(
                "Thing",
                names.enumerated().map {
                    NSAttributeDescription($1, $0 % 2 == 0 ? .integer64AttributeType : .stringAttributeType)
                } + [NSAttributeDescription("number", .integer64AttributeType)])
        ]
        let context = try TestStack(model: model).context
        let rows: [[(String, Any)]] = (0..<60).map { row in
            let keys = names.shuffled(using: &random).prefix(row % 41)
            let values = keys.map { name -> (String, Any) in
                let isText = (names.firstIndex(of: name) ?? 0) % 2 == 1
                return (String(Array(name)), isText ? "\(row) of \(name)" as Any : row)
            }
            return values + [("number", row)]
        }
        var next = 0
        let request = NSBatchInsertRequest(entityName: "Thing") { (row: NSMutableDictionary) in
            guard next < rows.count else { return true }
            for (name, value) in rows[next] { row.setValue(value, forKey: name) }
            next += 1
            return false
        }
        try context.run { () throws in
            _ = try context.execute(request)
            for thing in try context.all("Thing") {
                let number = try #require(thing.value(forKey: "number") as? Int)
                let expected = Dictionary(uniqueKeysWithValues: rows[number].map { ($0, "\($1)") })
                for name in names {
                    expect(thing.value(forKey: name).map { "\($0)" }, equals: expected[name])
                }
            }
            try expect(context.all("Thing").count, equals: rows.count)
        }
    }

    /// Each value's own type decides whether a row takes it as it stands in its box, whatever came before.
    @Test func valuesOfAKeyChangeTheirTypes() throws {
        let values: [Any] = [
            5, Int64(6), Int32(7), 8.75, true, NSNumber(value: 9), "10", NSNull(), Int16(11),
            Optional<Int>.none as Any,
            Date(timeIntervalSinceReferenceDate: 12), Decimal(13), Float(1.5), 14,
        ]
        let model = NSManagedObjectModel()
        model.entities = [NSEntityDescription("Thing", Self.types.map { NSAttributeDescription($0.0, $0.1) })]
        let context = try TestStack(model: model).context
        func stored(_ name: String, _ values: [Any]) throws -> [String] {
            var left = values[...]
            let request = NSBatchInsertRequest(entityName: "Thing") { (row: NSMutableDictionary) in
                guard let value = left.popFirst() else { return true }
                row[name] = value
                return false
            }
            do { _ = try context.execute(request) } catch { return ["refused"] }
            let fetch = NSFetchRequest<NSManagedObject>(entityName: "Thing")
            let found = try context.fetch(fetch).map {
                ($0.objectID.uriRepresentation().lastPathComponent, $0)
            }
            let things = found.sorted { Int($0.0.dropFirst()) ?? 0 < Int($1.0.dropFirst()) ?? 0 }
            let texts = things.map { "\($0.1.value(forKey: name) ?? "nil")" }
            _ = try context.execute(NSBatchDeleteRequest(fetchRequest: .init(entityName: "Thing")))
            context.reset()
            return texts
        }
        try context.run { () throws in
            for (name, _) in Self.types {
                let alone = try values.map { try stored(name, [$0]) }
                let taken = zip(values, alone).filter { $1 != ["refused"] }
                #expect(taken.count > 2)
                try expect(stored(name, taken.map(\.0)), equals: taken.flatMap(\.1), "\(name)")
                try expect(
                    stored(name, taken.reversed().map(\.0)), equals: taken.reversed().flatMap(\.1), "\(name)")
            }
        }
    }
}
