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
                ])
            let companies = try context.all("Company").sorted {
                $0.text("name") ?? "" < $1.text("name") ?? ""
            }
            #expect(companies.map { $0.text("name") } == ["a", "b", "c", "d", "e", "f"])
            #expect(
                companies.map { ($0.value(forKey: "budget") as? NSNumber)?.intValue } == [
                    1, 2, nil, nil, 5, nil,
                ])
        }
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
            #expect(try context.all("Company").count == 3)
        }
        #expect(kept.map { $0["name"] as? String } == ["a", "b", "c"])
    }

    @Test func otherKeysThanTextsAreRefused() throws {
        let context = try TestStack().context
        try context.run { () throws in
            let error = #expect(throws: NSError.self) {
                try insert(context, [{ ($0["name"], $0[5]) = ("a", 1) }])
            }
            #expect(error?.code == NSManagedObjectValidationError)
            #expect(error?.localizedDescription.contains("\"5\"") == true)
            #expect(try context.all("Company").isEmpty)
        }
    }

    /// Whatever is done with it, it is the dictionary that Foundation's own would be.
    @Test(arguments: 0..<4) func itIsADictionary(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let context = try TestStack().context
        try context.run { () throws in
            try insert(
                context,
                [
                    { row in
                        let expected = NSMutableDictionary()
                        let keys: [AnyHashable] = [
                            "name", "budget", "address", "Zoë", "", "name" as NSString,
                        ]
                        for step in 0..<300 {
                            let key: AnyHashable = keys.randomElement(using: &random) ?? AnyHashable("name")
                            switch Int.random(in: 0..<8, using: &random) {
                            case 0: (row[key], expected[key]) = (nil, nil)
                            case 1: [row, expected].forEach { $0.removeObject(forKey: key) }
                            case 2 where step % 5 == 0: [row, expected].forEach { $0.removeAllObjects() }
                            default: (row[key], expected[key]) = (step, step)
                            }
                            #expect(row == expected && row.count == expected.count)
                            #expect(row[key] as? Int == expected[key] as? Int)
                            #expect(
                                Set(row.allKeys.compactMap { $0 as? String })
                                    == Set(expected.allKeys.compactMap { $0 as? String }))
                        }
                        row.setDictionary(["name": "a"])
                    }
                ])
            #expect(try context.all("Company").map { $0.text("name") } == ["a"])
        }
    }
}
