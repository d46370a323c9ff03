// FUNCTION with selectors that values answer, NSNull constants, and texts in lists of numbers: in memory and in stores.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct FunctionsOnValuesTests {
    private func value(_ format: String, _ arguments: [Any] = [], of object: Any? = nil) throws -> Any? {
        try CoreData.NSExpression(parsing: format, arguments: arguments).value(of: object)
    }

    @Test(arguments: [
        ("FUNCTION('abc', 'uppercaseString')", "ABC"), ("FUNCTION('aBc', 'lowercaseString')", "abc"),
        ("FUNCTION('ab cd', 'capitalizedString')", "Ab Cd"),
        ("FUNCTION('ab', 'stringByAppendingString:', 'cd')", "abcd"),
        ("FUNCTION('a.b', 'stringByReplacingOccurrencesOfString:withString:', '.', '-')", "a-b"),
        ("FUNCTION('/a/b.txt', 'lastPathComponent')", "b.txt"),
        ("FUNCTION('/a/b.txt', 'pathExtension')", "txt"),
        ("FUNCTION('/a/b.txt', 'stringByDeletingPathExtension')", "/a/b"),
        ("FUNCTION('/a/b.txt', 'stringByDeletingLastPathComponent')", "/a"),
        ("FUNCTION('/a', 'stringByAppendingPathComponent:', 'b')", "/a/b"),
        ("FUNCTION(FUNCTION('a,b', 'componentsSeparatedByString:', ','), 'lastObject')", "b"),
        ("FUNCTION({'a', 'b'}, 'componentsJoinedByString:', '+')", "a+b"),
        ("FUNCTION(12, 'stringValue')", "12"), ("FUNCTION('abc', 'self')", "abc"),
    ])
    func textsOfValues(_ format: String, _ expected: String) throws {
        try expect(value(format) as? String, equals: expected)
    }

    @Test(arguments: [
        ("FUNCTION('abc', 'length')", 3.0), ("FUNCTION('12x', 'intValue')", 12),
        ("FUNCTION(3.7, 'integerValue')", 3), ("FUNCTION(3.5, 'doubleValue')", 3.5),
        ("FUNCTION({1, 2}, 'count')", 2), ("FUNCTION('a', 'compare:', 'b')", -1),
        ("FUNCTION('B', 'caseInsensitiveCompare:', 'a')", 1), ("FUNCTION(2, 'compare:', 2)", 0),
        ("FUNCTION({'a', 'b'}, 'indexOfObject:', 'b')", 1), ("FUNCTION(7, 'unsignedIntegerValue')", 7),
        ("FUNCTION({1, 2}, 'arrayByAddingObject:', 3)[2]", 3),
    ])
    func numbersOfValues(_ format: String, _ expected: Double) throws {
        expect((try value(format) as? NSNumber)?.doubleValue, equals: expected)
    }

    @Test(arguments: [
        ("FUNCTION('abc', 'isEqualToString:', 'abc')", true),
        ("FUNCTION({1, 2}, 'containsObject:', 3)", false),
        ("FUNCTION(2, 'isEqualToNumber:', 2)", true), ("FUNCTION('abc', 'hasPrefix:', 'ab')", true),
        ("FUNCTION('yes', 'boolValue')", true), ("FUNCTION('no', 'boolValue')", false),
    ])
    func truthsOfValues(_ format: String, _ expected: Bool) throws {
        expect((try value(format) as? NSNumber)?.boolValue, equals: expected)
    }

    @Test func setsDatesAndDictionaries() throws {
        let set = NSSet(array: ["a"])
        try expect(value("FUNCTION(%@, 'anyObject')", [set]) as? String, equals: "a")
        expect((try value("FUNCTION(%@, 'allObjects')", [set]) as? [String]), equals: ["a"])
        expect(
            (try value("FUNCTION(%@, 'isSubsetOfSet:', %@)", [set, NSSet(array: ["a", "b"])]) as? NSNumber)?
                .boolValue, equals: true)
        expect(
            (try value("FUNCTION(%@, 'intersectsSet:', %@)", [set, NSSet(array: ["b"])]) as? NSNumber)?
                .boolValue, equals: false)
        let (early, late) = (Date(timeIntervalSinceReferenceDate: 1), Date(timeIntervalSinceReferenceDate: 2))
        try expect(value("FUNCTION(%@, 'earlierDate:', %@)", [late, early]) as? Date, equals: early)
        try expect(value("FUNCTION(%@, 'laterDate:', %@)", [late, early]) as? Date, equals: late)
        expect((try value("FUNCTION(%@, 'compare:', %@)", [late, early]) as? NSNumber)?.intValue, equals: 1)
        expect(
            (try value("FUNCTION(%@, 'isEqualToDate:', %@)", [late, late]) as? NSNumber)?.boolValue,
            equals: true)
        let dictionary = ["k": 1] as NSDictionary
        try expect(value("FUNCTION(%@, 'allKeys')", [dictionary]) as? [String], equals: ["k"])
        expect((try value("FUNCTION(%@, 'count')", [dictionary]) as? NSNumber)?.intValue, equals: 1)
        let url = URL(fileURLWithPath: "/a/b.txt")
        try expect(value("FUNCTION(%@, 'path')", [url]) as? String, equals: "/a/b.txt")
        try expect(value("FUNCTION(%@, 'lastPathComponent')", [url]) as? String, equals: "b.txt")
        expect((try value("FUNCTION(%@, 'length')", [Data([1, 2])]) as? NSNumber)?.intValue, equals: 2)
    }

    @Test func whatAValueDoesNotAnswerIsAnError() {
        #expect(throws: (any Error).self) { try self.value("FUNCTION(3, 'uppercaseString')") }
        let tree = CoreData.NSExpression(
            forFunction: CoreData.NSExpression(forConstantValue: "a"), selectorName: "formatDisk",
            arguments: [])
        #expect(throws: (any Error).self) { try tree.value(of: nil) }
    }

    @Test(arguments: [StoreKind.sqlite, .inMemory] + StoreKind.onServers) func fetchesUseThem(
        _ kind: StoreKind
    ) throws {
        let container = try kind.makeContainer()
        let context = container.newBackgroundContext()
        try context.run { () throws in
            _ = context.make("Person", ["name": "Ann", "age": 7, "height": 1.9])
            _ = context.make("Person", ["name": "9", "age": 8, "height": 2.1])
            try context.save()
            for unsaved in [false, true] {
                if unsaved { _ = context.make("Person", ["name": "Xyz", "age": 900]) }
                for (format, names) in [
                    ("FUNCTION(name, 'uppercaseString') == 'ANN'", ["Ann"]),
                    ("FUNCTION(name, 'lowercaseString') == 'ann'", ["Ann"]),
                    ("FUNCTION(name, 'length') == 3 AND age < 100", ["Ann"]),
                    ("FUNCTION(name, 'intValue') == 9", ["9"]),
                    ("FUNCTION(height, 'intValue') == 2", ["9"]),
                    ("FUNCTION(name, 'stringByAppendingString:', 'a') == 'Anna'", ["Ann"]),
                    ("FUNCTION(name, 'hasPrefix:', 'An') == YES", ["Ann"]),
                    ("FUNCTION(name, 'isEqualToString:', 'Ann') == YES", ["Ann"]),
                    ("FUNCTION(age, 'stringValue') == '7'", ["Ann"]),
                ] {
                    try expect(
                        context.all("Person", format).compactMap { $0.value(forKey: "name") as? String },
                        equals: names,
                        "\(format)")
                }
            }
        }
    }

    @Test func whatHasNoSQLIsNamed() throws {
        let context = try StoreKind.sqlite.makeContainer().newBackgroundContext()
        try context.run { () throws in
            let failure = #expect(throws: NSError.self) {
                try context.all("Person", "FUNCTION(name, 'capitalizedString') == 'Ann'")
            }
            expect(failure?.localizedDescription.contains("capitalizedString"), equals: true)
        }
    }

    // MARK: Texts in lists of numbers

    @Test(arguments: [StoreKind.sqlite, .inMemory, .binary] + StoreKind.onServers) func textsInListsOfNumbers(
        _ kind: StoreKind
    )
        throws
    {
        let container = try kind.makeContainer()
        let context = container.newBackgroundContext()
        try context.run { () throws in
            for name in ["9", "10", "9.0", "11", "9.5"] { _ = context.make("Person", ["name": name]) }
            try context.save()
            for predicate in [
                NSPredicate(format: "name IN {9, 10}"), NSPredicate(format: "name IN %@", [9, 10]),
                NSPredicate(format: "name IN %@", Set([9, 10])),
            ] {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
                request.predicate = predicate
                let names = try context.fetch(request).compactMap { $0.value(forKey: "name") as? String }
                expect(names.sorted(), equals: ["10", "9"])
                #expect(predicate.evaluate(with: ["name": "9"]) && !predicate.evaluate(with: ["name": "11"]))
            }
            try expect(context.all("Person", "name IN {9.5, 'x'}").count, equals: 1)
            try expect(context.all("Person", "NOT name IN {9, 10}").count, equals: 3)
        }
    }

    // MARK: NSNull

    @Test func nullConstantsStay() throws {
        let constant = CoreData.NSExpression(forConstantValue: NSNull())
        #expect(constant.constantValue is NSNull)
        expect(constant.description, equals: "<null>")
        #expect(CoreData.NSExpression(forConstantValue: nil).constantValue == nil)
        let predicate = NSPredicate(format: "name == %@", NSNull())
        expect(predicate.formatString, equals: "name == <null>")
        #expect(predicate != NSPredicate(format: "name == nil"))
        #expect(predicate.evaluate(with: NSDictionary()))
        let data = try NSKeyedArchiver.archivedData(withRootObject: predicate, requiringSecureCoding: true)
        let back = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: data)
        expect(back?.formatString, equals: "name == <null>")
    }

    @Test(arguments: [StoreKind.sqlite, .inMemory] + StoreKind.onServers) func nullConstantsFindNil(
        _ kind: StoreKind
    ) throws {
        let container = try kind.makeContainer()
        let context = container.newBackgroundContext()
        try context.run { () throws in
            for name in ["a", nil] { _ = context.make("Person", ["name": name as Any? ?? NSNull()]) }
            try context.save()
            for (predicate, count) in [
                (NSPredicate(format: "name == %@", NSNull()), 1),
                (NSPredicate(format: "name != %@", NSNull()), 1),
                (NSPredicate(format: "company == %@", NSNull()), 2),
                (NSPredicate(format: "name IN %@", [NSNull(), "a"] as [Any]), 2),
            ] {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
                request.predicate = predicate
                try expect(context.count(for: request), equals: count, "\(predicate)")
            }
        }
    }
}
