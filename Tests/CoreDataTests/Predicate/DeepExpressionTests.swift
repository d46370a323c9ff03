// Expressions with very many levels: none of what is done with them may use up the stack.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct DeepExpressionTests {
    private typealias Expression = CoreData.NSExpression

    enum Shape: CaseIterable {
        case left, right, keyPath, subquery, conditional, aggregate, set, method
    }

    private static func nested(_ shape: Shape, _ depth: Int) -> Expression {
        var tree = Expression(forKeyPath: "age")
        for _ in 0..<depth {
            let one = Expression(forConstantValue: 1)
            switch shape {
            case .left: tree = Expression(forFunction: "add:to:", arguments: [tree, one])
            case .right: tree = Expression(forFunction: "add:to:", arguments: [one, tree])
            case .keyPath: tree = Expression(forFunction: "abs:", arguments: [tree])
            case .subquery:
                tree = Expression(
                    forSubquery: tree, usingIteratorVariable: "x", predicate: NSPredicate(value: true))
            case .conditional:
                tree = Expression(
                    forConditional: CoreData.NSComparisonPredicate(
                        leftExpression: tree, rightExpression: one, modifier: .direct, type: .equalTo),
                    trueExpression: one, falseExpression: one)
            case .aggregate: tree = Expression(forAggregate: [tree])
            case .set: tree = Expression(forUnionSet: tree, with: one)
            case .method: tree = Expression(forFunction: tree, selectorName: "intValue", arguments: nil)
            }
        }
        return tree
    }

    /// On a thread with the stack of a secondary thread on Apple's systems.
    private static func small(_ body: @escaping () throws -> Void) throws {
        try onThread(stackSize: 4 << 20, body)
    }

    @Test(arguments: Shape.allCases) func nothingUsesUpTheStack(_ shape: Shape) throws {
        try Self.small { () throws in
            let tree = Self.nested(shape, 20_000)
            let predicate = CoreData.NSComparisonPredicate(
                leftExpression: tree, rightExpression: Expression(forConstantValue: 3), modifier: .direct,
                type: .greaterThan)
            #expect(!tree.description.isEmpty && !predicate.formatString.isEmpty)
            #expect(tree == tree && tree.hash == tree.hash && tree.copy() is Expression)
            #expect(throws: PredicateEvaluationError.self) { try tree.value(of: ["age": 1]) }
            #expect(throws: PredicateEvaluationError.self) { try predicate.matches(["age": 1]) }
            for kind in [StoreKind.sqlite, .inMemory] {
                let container = try kind.makeContainer()
                let context = container.newBackgroundContext()
                try context.run { () throws in
                    _ = context.make("Person", ["age": 0])
                    try context.save()
                    let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
                    request.predicate = predicate
                    #expect(throws: (any Error).self) { try context.fetch(request) }
                }
            }
        }
    }

    @Test func aFewHundredLevelsAreEvaluated() throws {
        try Self.small { () throws in
            let tree = Self.nested(.left, 250)
            #expect((try tree.value(of: ["age": 1]) as? NSNumber)?.intValue == 251)
            #expect(tree.arguments?.count == 2)
        }
    }

    /// A deep expression of which only the shallow part is used has its value.
    @Test func whatIsNotEvaluatedIsNoError() throws {
        try Self.small { () throws in
            let tree = Expression(
                forConditional: NSPredicate(value: true), trueExpression: Expression(forConstantValue: 1),
                falseExpression: Self.nested(.left, 20_000))
            #expect((try tree.value(of: nil) as? NSNumber)?.intValue == 1)
        }
    }

    @Test func archivesRefuseThem() async {
        await #expect(processExitsWith: .failure) {
            _ = try NSKeyedArchiver.archivedData(
                withRootObject: Self.nested(.left, 20_000), requiringSecureCoding: true)
        }
    }

    @Test(arguments: ["1 + ", "abs(", "{", "NOT "]) func formatsAreRefused(_ part: String) throws {
        try Self.small { () throws in
            let text = String(repeating: part, count: 20_000) + "1"
            #expect(throws: (any Error).self) { try Expression(parsing: text, arguments: []) }
            #expect(throws: (any Error).self) { try NSPredicate(parsing: text) }
        }
    }
}
