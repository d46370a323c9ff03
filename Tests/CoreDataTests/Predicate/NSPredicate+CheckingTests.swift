// Evaluation of predicates, expressions and sort descriptors with an error.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct PredicateCheckingTests {
    private let stack: TestStack
    private let person: NSManagedObject

    init() throws {
        stack = try TestStack()
        person = stack.context.make("Person", ["name": "Ada", "age": 36])
    }

    @Test func answersAreThoseOfEvaluation() throws {
        for format in ["name == 'Ada'", "age > 40", "company.name == nil", "ANY projects.title == 'x'"] {
            let predicate = NSPredicate(format: format)
            try expect(
                predicate.evaluate(checking: person), equals: predicate.evaluate(with: person), "\(format)")
        }
        let predicate = NSPredicate(format: "age == $AGE")
        #expect(try predicate.evaluate(checking: person, substitutionVariables: ["AGE": 36]))
        try expect(NSExpression(format: "age + 1").expressionValue(checking: person) as? Int, equals: 37)
        try expect(
            NSExpression(format: "age + $X").expressionValue(checking: person, context: ["X": 4]) as? Int,
            equals: 40)
        let other = stack.context.make("Person", ["name": "Bob", "age": 30])
        try expect(
            NSSortDescriptor(key: "age", ascending: true).compare(checking: person, to: other),
            equals: .orderedDescending)
    }

    @Test(arguments: ["nonsense == 1", "age == $AGE", "company.nonsense == 1", "name.first == 1"])
    func whatHasNoAnswerIsAnError(format: String) {
        let thrown = error { _ = try NSPredicate(format: format).evaluate(checking: person) }
        if format.hasPrefix("company") { return #expect(thrown == nil) }
        #expect(thrown?.domain == NSCocoaErrorDomain && thrown?.code == NSCoreDataError)
        expect(thrown?.localizedFailureReason?.contains(format), equals: true)
    }

    @Test func expressionsAndOrdersAreErrorsToo() {
        #expect(
            error { _ = try NSExpression(format: "nonsense").expressionValue(checking: person) }?.code
                == NSCoreDataError)
        #expect(
            error {
                _ = try NSSortDescriptor(key: "nonsense", ascending: true).compare(
                    checking: person, to: person)
            }?
            .code == NSCoreDataError)
    }

    @Test func whatCantBeReadIsAnError() throws {
        let damaged = try DamagedStack()
        try damaged.context.run { () throws in
            let person = try damaged.fault("Person", "person 30")
            try damaged.damage("person 30 ")
            #expect(
                error { _ = try NSPredicate(format: "age == nil").evaluate(checking: person) }?.code
                    == NSFileReadCorruptFileError)
            damaged.context.reset()
        }
    }

    @Test func aFormatOfAnotherClassIsAnError() {
        #expect(
            error { _ = try NSComparisonPredicate(parsing: "a == 1 AND b == 2") }?.code == NSCoreDataError)
        #expect(throws: PredicateFormatError.self) { try NSPredicate(parsing: "a ==") }
    }
}
