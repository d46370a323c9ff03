// Facts about predicates that are easy to get wrong. Each name states one.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct PredicatePitfalls {
    private func matches(_ format: String, _ arguments: [Any] = [], _ object: Any? = nil) -> Bool {
        NSPredicate(format: format, argumentArray: arguments).evaluate(with: object)
    }

    @Test func equalityAndHashAreOfTheStructure() {
        let one = NSPredicate(format: "name == %@ AND age > 3", "Ada")
        let same = NSPredicate(format: "(name = 'Ada') && age > 3")
        #expect(one == same && one.hash == same.hash)
        #expect(NSPredicate(format: "name == 'a'") != NSPredicate(format: "name ==[c] 'a'"))
        expect(NSExpression(format: "age + 1"), equals: NSExpression(format: "age + 1"))
    }

    @Test func aggregatesHaveTheirColonOrNotAndKeepTheirName() {
        let numbers = NSExpression(forConstantValue: [1, 2, 3])
        for (name, expected) in [("sum:", 6.0), ("average:", 2), ("count:", 3), ("max:", 3), ("min:", 1)] {
            for spelling in [name, String(name.dropLast())] {
                let call = NSExpression(forFunction: spelling, arguments: [numbers])
                expect(call.function, equals: spelling)
                let value = call.expressionValue(with: nil, context: nil) as? NSNumber
                expect(value?.doubleValue, equals: expected, "\(spelling)")
            }
        }
        #expect(matches("sum({1, 2, 3}) == 6 AND sum:({1, 2, 3}) == 6"))
    }

    @Test func anUnknownFunctionRaises() async {
        await #expect(processExitsWith: .failure) {
            _ = NSExpression(forFunction: "frobnicate:", arguments: [NSExpression(forConstantValue: 1)])
        }
    }

    @Test func matchesWantsTheWholeStringAndItsDotTakesNewlines() {
        #expect(matches("SELF MATCHES 'a.c'", [], "abc") && !matches("SELF MATCHES 'b'", [], "abc"))
        #expect(matches("SELF MATCHES 'a.c'", [], "a\nc"))
        #expect(!matches("SELF MATCHES '^a$'", [], "a\nb"))
        #expect(matches("SELF MATCHES %@", ["(?s)^a$\\n^b$"], "a\nb"), "anchors hold at lines")
    }

    @Test func formatsGiveTheClassOfTheirTop() {
        #expect(NSPredicate(format: "a == 1") is CoreData.NSComparisonPredicate)
        #expect(NSPredicate(format: "a == 1 AND b == 2") is NSCompoundPredicate)
    }

    @Test func andBindsTighterThanOrAndNotTightest() {
        let values: NSDictionary = ["a": false, "b": false, "c": true]
        #expect(matches("a == YES AND b == YES OR c == YES", [], values))
        #expect(matches("c == YES OR a == YES AND b == YES", [], values))
        #expect(!matches("NOT c == YES AND a == NO", [], values))
        expect(
            NSPredicate(format: "a = 1 AND b = 1 OR c = 1"),
            equals: NSPredicate(format: "(a = 1 AND b = 1) OR c = 1"))
        expect(
            NSPredicate(format: "NOT a = 1 AND b = 1"), equals: NSPredicate(format: "(NOT a = 1) AND b = 1"))
    }

    private func constant(_ text: String) -> Any? {
        let predicate = NSPredicate(format: "value = \(text)") as? CoreData.NSComparisonPredicate
        return predicate?.rightExpression.constantValue
    }

    @Test func constantsHaveTheTypeTheyAreWrittenAs() {
        #expect(constant("1") as? Int == 1 && constant("1.0") as? Double == 1)
        #expect(constant("TRUE") as? Bool == true && constant("NO") as? Bool == false)
        expect(constant("'1'") as? String, equals: "1")
        #expect(constant("nil") == nil && constant("NULL") == nil)
    }

    @Test func bitsAreCombinedInFormats() {
        let values: NSDictionary = ["flags": 6]
        #expect(matches("(flags & 2) == 2 AND (flags | 1) == 7 AND (flags ^ 2) == 4", [], values))
        #expect(!matches("(flags & 1) != 0", [], values))
    }

    @Test(arguments: StoreKind.withObjects)
    func objectsAndTheirIDsStandInPredicates(_ kind: StoreKind) throws {
        let scene = try StoreScene(kind)
        try scene.mine.run { () throws in
            let context = scene.mine
            let company = context.make("Company", ["name": "A"])
            let ada = context.make("Person", ["name": "Ada", "age": 2, "company": company])
            _ = context.make("Person", ["name": "Bea", "age": 5, "company": company])
            _ = context.make("Person", ["name": "Cyd", "age": 6])
            try context.save()
            func names(_ format: String, _ arguments: Any...) throws -> [String] {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
                request.predicate = NSPredicate(format: format, argumentArray: arguments)
                return try context.fetch(request).compactMap { $0.text("name") }.sorted()
            }
            try expect(names("company == %@", company), equals: ["Ada", "Bea"])
            try expect(names("company == %@", company.objectID), equals: ["Ada", "Bea"])
            try expect(names("SELF IN %@", [ada]), equals: ["Ada"])
            try expect(names("SELF IN %@", [ada.objectID]), equals: ["Ada"])
            try expect(names("age BETWEEN {2, 5}"), equals: ["Ada", "Bea"], "both bounds belong")
        }
    }

    @Test(arguments: StoreKind.withObjects)
    func anyOfNothingIsFalseAndAllOfNothingIsTrue(_ kind: StoreKind) throws {
        let scene = try StoreScene(kind)
        try scene.mine.run { () throws in
            let context = scene.mine
            let full = context.make("Company", ["name": "full"])
            _ = context.make("Company", ["name": "empty"])
            for age in [1, 9] { _ = context.make("Person", ["age": age, "company": full]) }
            try context.save()
            try expect(context.names("Company", "ANY people.age > 5"), equals: ["full"])
            try expect(context.names("Company", "ALL people.age > 5"), equals: ["empty"])
            try expect(context.names("Company", "ALL people.age > 0"), equals: ["empty", "full"])
            try expect(context.names("Company", "NONE people.age > 9"), equals: ["empty", "full"])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func nilSortsFirstUpwardsAndLastDownwards(_ kind: StoreKind) throws {
        let scene = try StoreScene(kind)
        try scene.mine.run { () throws in
            for age in [2, nil, 1] as [Int?] {
                scene.mine.make("Person").setValue(age, forKey: "age")
            }
            func ages(_ ascending: Bool) throws -> [Int?] {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
                request.sortDescriptors = [NSSortDescriptor(key: "age", ascending: ascending)]
                return try scene.mine.fetch(request).map { $0.value(forKey: "age") as? Int }
            }
            let before = try [ages(true), ages(false)]
            try scene.mine.save()
            expect(before, equals: [[nil, 1, 2], [2, 1, nil]])
            try expect([ages(true), ages(false)], equals: before)
        }
    }
}
