// Expressions as a client sees them: how they are made, their parts, their formats.

import CoreData
import CoreDataTestSupport
import Testing

struct NSExpressionTests {
    private let age = NSExpression(forKeyPath: "age")
    private let three = NSExpression(forConstantValue: 3)

    @Test func aKeyPathMayBeginWithAVariable() throws {
        let expression = NSExpression(forKeyPath: "$x.name")
        #expect(expression == NSExpression(format: "$x.name") && expression.description == "$x.name")
        let found = NSExpression(
            forSubquery: NSExpression(forConstantValue: [["name": "a"], ["name": "b"]]),
            usingIteratorVariable: "x",
            predicate: NSComparisonPredicate(
                leftExpression: expression, rightExpression: NSExpression(forConstantValue: "b"),
                modifier: .direct, type: .equalTo, options: []))
        let value = found.expressionValue(with: nil, context: nil)
        expect((value as? [[String: String]]), equals: [["name": "b"]])
    }

    /// The types bear Foundation's names; its numbers from `subquery` on aren't Apple's.
    @Test func everyKindHasItsType() {
        let x = NSExpression(forVariable: "x")
        let always = NSPredicate(value: true)
        let kinds = [
            three, .expressionForEvaluatedObject(), x, age, NSExpression(forFunction: "now", arguments: []),
            NSExpression(forUnionSet: x, with: x), NSExpression(forIntersectSet: x, with: x),
            NSExpression(forMinusSet: x, with: x),
            NSExpression(forSubquery: x, usingIteratorVariable: "y", predicate: always),
            NSExpression(forAggregate: [1]), .expressionForAnyKey(),
            NSExpression(block: { _, _, _ in 1 }, arguments: nil),
            NSExpression(forConditional: always, trueExpression: x, falseExpression: x),
        ]
        let types = [
            three.expressionType, .evaluatedObject, .variable, .keyPath, .function, .unionSet, .intersectSet,
            .minusSet,
            .subquery, .aggregate, .anyKey, .block, .conditional,
        ]
        expect(kinds.map(\.expressionType), equals: types)
    }

    @Test func constantsVariablesAndKeyPaths() {
        expect(three.expressionType, equals: .constantValue)
        expect(three.constantValue as? Int, equals: 3)
        #expect(NSExpression(forConstantValue: nil).constantValue == nil)
        expect(NSExpression(forConstantValue: "x").constantValue as? String, equals: "x")
        let variable = NSExpression(forVariable: "x")
        expect(variable.expressionType, equals: .variable)
        expect(variable.variable, equals: "x")
        expect(age.expressionType, equals: .keyPath)
        expect(age.keyPath, equals: "age")
        expect(age.operand.expressionType, equals: .evaluatedObject)
        expect(NSExpression.expressionForEvaluatedObject().expressionType, equals: .evaluatedObject)
        expect(NSExpression.expressionForAnyKey().expressionType, equals: .anyKey)
    }

    @Test func functionsKeepNameOperandAndArguments() {
        let sum = NSExpression(forFunction: "sum:", arguments: [age])
        expect(sum.expressionType, equals: .function)
        expect(sum.function, equals: "sum:")
        expect(sum.arguments, equals: [age])
        let add = NSExpression(forFunction: "add:to:", arguments: [age, 3])
        expect(add.arguments, equals: [age, three])
        expect(add.description, equals: "age + 3")
        let own = NSExpression(forFunction: age, selectorName: "description", arguments: nil)
        expect(own.operand, equals: age)
        expect(own.arguments, equals: [])
    }

    @Test func aggregatesAndSets() throws {
        let list = NSExpression(forAggregate: [age, 3])
        expect(list.expressionType, equals: .aggregate)
        expect(list.collection as? [NSExpression], equals: [age, three])
        let union = NSExpression(forUnionSet: age, with: list)
        let intersection = NSExpression(forIntersectSet: age, with: list)
        let minus = NSExpression(forMinusSet: age, with: list)
        expect(
            [union, intersection, minus].map(\.expressionType), equals: [.unionSet, .intersectSet, .minusSet])
        for expression in [union, intersection, minus] {
            expect(expression.left, equals: age)
            expect(expression.right, equals: list)
        }
    }

    @Test func operationsOnSetsGiveSets() throws {
        let (some, others) = (
            NSExpression(forConstantValue: Set([1, 2])), NSExpression(forConstantValue: [2, 3])
        )
        let union = NSExpression(forUnionSet: some, with: others)
        expect(union.expressionValue(with: nil, context: nil) as? Set<Int>, equals: [1, 2, 3])
        let minus = NSExpression(forMinusSet: some, with: others)
        expect(try minus.expressionValue(checking: nil) as? NSSet, equals: NSSet(object: 1))
        let both = NSExpression(forIntersectSet: union, with: others)
        expect(try both.value(of: nil) as? Set<Int>, equals: [2, 3])
        expect(
            NSExpression(format: "{1, 2} UNION {2}").expressionValue(with: nil, context: nil) as? Set<Int>,
            equals: [1, 2])
    }

    @Test func subqueriesAndConditionals() {
        let predicate = NSPredicate(format: "$x.age > 3")
        let subquery = NSExpression(
            forSubquery: NSExpression(forKeyPath: "pets"), usingIteratorVariable: "x", predicate: predicate)
        expect(subquery.expressionType, equals: .subquery)
        expect(subquery.variable, equals: "x")
        expect(subquery.predicate, equals: predicate)
        expect(subquery.collection as? NSExpression, equals: NSExpression(forKeyPath: "pets"))
        let choice = NSExpression(forConditional: predicate, trueExpression: age, falseExpression: three)
        expect(choice.expressionType, equals: .conditional)
        expect(choice.predicate, equals: predicate)
        expect(choice.true, equals: age)
        expect(choice.false, equals: three)
    }

    @Test func blocksKeepClosureAndArguments() {
        let block = NSExpression(block: { _, arguments, _ in arguments.count }, arguments: [age, three])
        expect(block.expressionType, equals: .block)
        expect(block.arguments, equals: [age, three])
        expect(block.expressionBlock(nil, [1, 2], nil) as? Int, equals: 2)
    }

    @Test func fetchRequestsAreExpressions() throws {
        let request = NSExpression(forVariable: "request")
        let context = NSExpression(forVariable: "context")
        let made = NSFetchRequestExpression.expression(forFetch: request, context: context, countOnly: true)
        let expression = try #require(made as? NSFetchRequestExpression)
        expect(expression.expressionType, equals: NSFetchRequestExpressionType)
        expect(NSFetchRequestExpressionType, equals: .block)
        expect(expression.requestExpression, equals: request)
        expect(expression.contextExpression, equals: context)
        #expect(expression.isCountOnlyRequest)
        let predicate = NSPredicate(format: "n == %@", made)
        let side = (predicate as? CoreData.NSComparisonPredicate)?.rightExpression
        #expect(side is NSFetchRequestExpression)
    }

    @Test func formatsGiveExpressions() throws {
        expect(NSExpression(format: "age"), equals: age)
        expect(NSExpression(format: "%K + %@", "age", 3), equals: NSExpression(format: "age + 3"))
        expect(NSExpression(format: "%K", argumentArray: ["age"]), equals: age)
        try expect(NSExpression(parsing: "%K", arguments: ["age"]), equals: age)
        let error = #expect(throws: PredicateFormatError.self) { try NSExpression(parsing: "age + ") }
        expect(error?.position, equals: 6)
    }

    @Test func equalityIsStructural() {
        expect(age, equals: NSExpression(forKeyPath: "age"))
        expect(age.hash, equals: NSExpression(forKeyPath: "age").hash)
        #expect(age != three)
        expect(age.copy() as? NSExpression, equals: age)
    }

    @Test func whatAnExpressionHasNotStopsTheProcess() async {
        await #expect(processExitsWith: .failure) { _ = NSExpression(forKeyPath: "a").constantValue }
        await #expect(processExitsWith: .failure) { _ = NSExpression(forConstantValue: 1).keyPath }
        await #expect(processExitsWith: .failure) { _ = NSExpression(forConstantValue: 1).collection }
        await #expect(processExitsWith: .failure) { _ = NSExpression(format: "age +") }
    }

    @Test func equalityAndCopiesAreThoseOfTheStructure() throws {
        #expect(age.isEqual(NSExpression(forKeyPath: "age")) && !age.isEqual(three))
        expect((age.copy(with: nil) as? CoreData.NSExpression)?.keyPath, equals: "age")
    }

    @Test func aClosureIsReadable() throws {
        let body: ExpressionClosure.Body = { object, arguments, _ in "\(object ?? "-") \(arguments)" }
        let expression = NSExpression(block: body, arguments: [three])
        expect(expression.expressionBlock(2, [], nil) as? String, equals: "2 []")
        expect(expression.expressionValue(with: 1, context: nil) as? String, equals: "1 [3]")
    }
}
