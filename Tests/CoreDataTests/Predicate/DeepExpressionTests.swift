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
            expect((try tree.value(of: ["age": 1]) as? NSNumber)?.intValue, equals: 251)
            expect(tree.arguments?.count, equals: 2)
        }
    }

    /// A deep expression of which only the shallow part is used has its value.
    @Test func whatIsNotEvaluatedIsNoError() throws {
        try Self.small { () throws in
            let tree = Expression(
                forConditional: NSPredicate(value: true), trueExpression: Expression(forConstantValue: 1),
                falseExpression: Self.nested(.left, 20_000))
            expect((try tree.value(of: nil) as? NSNumber)?.intValue, equals: 1)
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

    // MARK: Parts that stand at several places

    enum Sharing: CaseIterable {
        case function, method, aggregate, set, subquery, conditional, comparison, compound, block, format
    }

    private static func shared(_ sharing: Sharing, _ levels: Int) -> Expression {
        var tree = Expression(forConstantValue: 1)
        for _ in 0..<levels {
            let equal = CoreData.NSComparisonPredicate(
                leftExpression: tree, rightExpression: tree, modifier: .direct, type: .equalTo)
            switch sharing {
            case .function: tree = Expression(forFunction: "add:to:", arguments: [tree, tree])
            case .method: tree = Expression(forFunction: tree, selectorName: "intValue", arguments: [tree])
            case .aggregate: tree = Expression(forAggregate: [tree, tree])
            case .set: tree = Expression(forUnionSet: tree, with: tree)
            case .subquery:
                tree = Expression(forSubquery: tree, usingIteratorVariable: "x", predicate: equal)
            case .conditional, .comparison:
                let predicate = sharing == .comparison ? equal : NSPredicate(value: true)
                tree = Expression(forConditional: predicate, trueExpression: tree, falseExpression: tree)
            case .compound:
                var both = NSCompoundPredicate(andPredicateWithSubpredicates: [equal, equal])
                for _ in 0..<60 { both = NSCompoundPredicate(andPredicateWithSubpredicates: [both, both]) }
                tree = Expression(
                    forConditional: both, trueExpression: tree, falseExpression: Expression(forVariable: "x"))
            case .block: tree = Expression(block: { _, _, _ in 1 }, arguments: [tree, tree])
            case .format: tree = Expression(format: "%@ + %@", argumentArray: [tree, tree])
            }
        }
        return tree
    }

    /// Two to the power of the levels parts would have to be counted, if each were counted wherever it stands.
    @Test(arguments: Sharing.allCases, [rounds(70, long: 400)]) func makingThemEnds(
        _ sharing: Sharing, _ levels: Int
    ) {
        #expect(Self.shared(sharing, levels).expressionType != .anyKey)
    }

    /// Parts of an expression whose parts stand twice can be asked for.
    @Test func partsAreFound() {
        expect(Self.shared(.function, 60).arguments?.count, equals: 2)
    }

    // MARK: Constants

    enum Collection: CaseIterable {
        case array, dictionary
    }

    /// Swift's collections: those of Foundation use up the stack themselves as soon as an element is asked for. Kept for
    /// ever, as it takes a stack to release them.
    private static func nested(_ kind: Collection, _ levels: Int) -> Any {
        var value: Any = [1] as [Any]
        for _ in 0..<levels {
            switch kind {
            case .array: value = [value] as [Any]
            case .dictionary: value = ["a": value] as [String: Any]
            }
        }
        _ = Unmanaged.passRetained(Opaque(value))
        return value
    }

    private final class Opaque: NSObject, @unchecked Sendable {
        let value: Any

        init(_ value: Any) {
            self.value = value
        }
    }

    @Test(arguments: Collection.allCases)
    func constantsDontUseUpTheStack(_ kind: Collection) throws {
        let value = Self.nested(kind, 20_000)
        nonisolated(unsafe) let constant = value
        try Self.small { () throws in
            let tree = Expression(forConstantValue: constant)
            #expect(!tree.description.isEmpty && tree == tree && tree.hash == tree.hash)
            #expect(tree.expressionType == .constantValue && tree.constantValue != nil)
            #expect(throws: PredicateEvaluationError.self) { try tree.value(of: nil) }
            let list = Expression(forAggregate: [constant, 1])
            #expect(throws: PredicateEvaluationError.self) { try list.value(of: nil) }
            let predicate = try NSPredicate(parsing: "age IN %@", arguments: [constant])
            #expect(!predicate.formatString.isEmpty)
            #expect(throws: PredicateEvaluationError.self) { try predicate.matches(["age": 1]) }
            for kind in [StoreKind.sqlite, .inMemory] {
                let context = try kind.makeContainer().newBackgroundContext()
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

    @Test(arguments: Collection.allCases)
    func constantsOfAFewHundredLevelsAreValues(_ kind: Collection) throws {
        nonisolated(unsafe) let constant = Self.nested(kind, 250)
        try Self.small { () throws in
            #expect(try Expression(forConstantValue: constant).value(of: nil) != nil)
        }
    }
}
