// Predicates and expressions over dictionaries, values and objects, as a client evaluates them.

import CoreData
import CoreDataPredicate
import CoreDataSupport
import CoreDataTestSupport
import Testing

/// An object that predicates may read.
final class Hero: NSObject, KeyValueReadable {
    let values: [String: Any]
    var size: Int { values.count }

    init(_ values: [String: Any]) {
        self.values = values
    }

    func predicateValue(forKey key: String) throws -> Value {
        guard let value = values[key] else { throw EvaluationFailure(reason: "No key \(key)") }
        return Value(value)
    }
}

struct NSPredicateEvaluationTests {
    private let ann: [String: Any] = ["name": "Ann", "age": 31, "tags": ["a", "b"]]

    @Test(arguments: [
        ("name == 'Ann'", true), ("name ==[c] 'aNN'", true), ("age > 31", false),
        ("age BETWEEN {30, 32}", true),
        ("'b' IN tags", true), ("ANY tags == 'c'", false), ("tags.@count == 2", true),
        ("missing == nil", true),
        ("name BEGINSWITH 'A' AND NOT age < 3", true), ("name LIKE 'A*' OR age == 0", true),
        ("SUBQUERY(tags, $t, $t == 'a').@count == 1", true), ("FALSEPREDICATE", false),
        ("TRUEPREDICATE", true),
    ]) func aDictionaryIsEvaluated(format: String, expected: Bool) throws {
        let predicate = try NSPredicate(parsing: format)
        expect(predicate.evaluate(with: ann), equals: expected)
        try expect(predicate.matches(ann), equals: expected)
        expect(predicate.evaluate(with: ann as NSDictionary), equals: expected)
        expect(predicate.evaluate(with: Hero(ann.merging(["missing": NSNull()]) { $1 })), equals: expected)
    }

    @Test func relationshipsAreFollowed() {
        let boss = Hero(["name": "Bo"])
        let hero = Hero(["boss": boss, "friends": NSSet(array: [boss, Hero(["name": "Cy"])])])
        #expect(NSPredicate(format: "boss.name == 'Bo'").evaluate(with: hero))
        #expect(NSPredicate(format: "boss == %@", boss).evaluate(with: hero))
        #expect(NSPredicate(format: "ANY friends.name == 'Cy'").evaluate(with: hero))
        #expect(!NSPredicate(format: "ALL friends.name == 'Cy'").evaluate(with: hero))
        #expect(NSPredicate(format: "%@ IN friends", boss).evaluate(with: hero))
        #expect(NSPredicate(format: "SELF IN %@", [hero]).evaluate(with: hero))
    }

    @Test func variablesAreBound() {
        let predicate = NSPredicate(format: "age > $LIMIT")
        #expect(predicate.evaluate(with: ann, substitutionVariables: ["LIMIT": 30]))
        #expect(!predicate.evaluate(with: ann, substitutionVariables: ["LIMIT": 31]))
        let both = NSCompoundPredicate(andPredicateWithSubpredicates: [
            predicate, NSPredicate(format: "age < $TOP"),
        ])
        #expect(both.evaluate(with: ann, substitutionVariables: ["LIMIT": 30, "TOP": 32]))
    }

    @Test func compoundsOfEitherClassEvaluate() {
        let parts = [NSPredicate(format: "age > 3"), NSPredicate(format: "name == 'Bo'")]
        for compound in [
            NSCompoundPredicate(andPredicateWithSubpredicates: parts),
            CompoundPredicate(andPredicateWithSubpredicates: parts),
        ] {
            #expect(!compound.evaluate(with: ann))
            #expect(NSCompoundPredicate(notPredicateWithSubpredicate: compound).evaluate(with: ann))
        }
        #expect(NSCompoundPredicate(orPredicateWithSubpredicates: parts).evaluate(with: ann))
        #expect(NSCompoundPredicate(andPredicateWithSubpredicates: []).evaluate(with: ann))
        #expect(!NSCompoundPredicate(orPredicateWithSubpredicates: []).evaluate(with: ann))
    }

    @Test func closuresAreCalledInsideFormats() {
        let old = NSPredicate { object, bindings in
            ((object as? [String: Any])?["age"] as? Int ?? 0) > (bindings?["LIMIT"] as? Int ?? 30)
        }
        let predicate = NSPredicate(format: "name == 'Ann' AND %@", old)
        #expect(predicate.evaluate(with: ann))
        #expect(!predicate.evaluate(with: ann, substitutionVariables: ["LIMIT": 31]))
        #expect(NSPredicate.make(old.tree).evaluate(with: ann))
    }

    @Test func aSwiftPredicateIsEvaluated() {
        let swift = Predicate<Hero> { hero in
            PredicateExpressions.build_Equal(
                lhs: PredicateExpressions.build_KeyPath(
                    root: PredicateExpressions.build_Arg(hero), keyPath: \.size),
                rhs: PredicateExpressions.build_Arg(1))
        }
        let predicate = NSPredicate(swift)
        #expect(predicate.evaluate(with: Hero(["a": 1])))
        #expect(!predicate.evaluate(with: Hero([:])))
        #expect(!predicate.evaluate(with: "a"))
    }

    @Test func whatHasNoAnswerIsThrownOrStopsTheProcess() async {
        #expect(throws: PredicateEvaluationError.self) {
            try NSPredicate(format: "a == 1").matches(Hero([:]))
        }
        #expect(throws: PredicateEvaluationError.self) {
            try NSPredicate(format: "a == $X").matches(["a": 1])
        }
        #expect(throws: PredicateEvaluationError.self) { try NSExpression(format: "$X").value(of: nil) }
        await #expect(processExitsWith: .failure) {
            _ = NSPredicate(format: "a == 1").evaluate(with: Hero([:]))
        }
        await #expect(processExitsWith: .failure) {
            _ = NSPredicate(format: "a == $X").evaluate(with: ["a": 1])
        }
    }

    @Test func expressionsHaveValues() throws {
        expect(NSExpression(format: "age + 1").expressionValue(with: ann, context: nil) as? Int, equals: 32)
        expect(
            NSExpression(format: "tags.@count").expressionValue(with: ann, context: nil) as? Int, equals: 2)
        expect(
            NSExpression(forKeyPath: "name").expressionValue(with: ann, context: nil) as? String,
            equals: "Ann")
        #expect(NSExpression(forConstantValue: nil).expressionValue(with: ann, context: nil) == nil)
        let context = NSMutableDictionary(dictionary: ["x": 4])
        expect(NSExpression(format: "$x * 2").expressionValue(with: nil, context: context) as? Int, equals: 8)
        try expect(NSExpression(format: "$x * 2").value(of: nil, context: context) as? Int, equals: 8)
        let sum = NSExpression(forFunction: "sum:", arguments: [NSExpression(forConstantValue: [1, 2, 3])])
        expect(sum.expressionValue(with: nil, context: nil) as? Int, equals: 6)
    }

    @Test func blocksHaveValues() {
        let block = NSExpression(
            block: { object, arguments, context in
                "\(object ?? "") \(arguments[0]) \(context?["x"] ?? "")"
            }, arguments: [NSExpression(format: "1 + 1")])
        let context = NSMutableDictionary(dictionary: ["x": "y"])
        expect(block.expressionValue(with: "o", context: context) as? String, equals: "o 2 y")
        let answer = NSExpression(block: { _, _, _ in 42 }, arguments: nil)
        #expect(answer.isEqual(answer) && !answer.isEqual(block))
        #expect(NSPredicate(format: "%@ == 42", answer).evaluate(with: nil))
    }
}
