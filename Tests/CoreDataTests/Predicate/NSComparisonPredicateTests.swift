// Comparison predicates as a client sees them.

import CoreData
import CoreDataTestSupport
import Testing

typealias ComparisonPredicate = CoreData.NSComparisonPredicate

struct NSComparisonPredicateTests {
    @Test func itsPartsAreReadable() throws {
        let predicate = try #require(
            NSPredicate(format: "ANY pets.name BEGINSWITH[cd] 'A'") as? ComparisonPredicate)
        expect(predicate.leftExpression.keyPath, equals: "pets.name")
        expect(predicate.rightExpression.constantValue as? String, equals: "A")
        expect(predicate.comparisonPredicateModifier, equals: .any)
        expect(predicate.predicateOperatorType, equals: .beginsWith)
        expect(predicate.options, equals: [.caseInsensitive, .diacriticInsensitive])
        #expect(predicate.customSelector == nil)
    }

    @Test(arguments: [
        ComparisonPredicate.Operator.lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo,
        .equalTo,
        .notEqualTo, .matches, .like, .beginsWith, .endsWith, .in, .contains, .between,
    ]) func operatorsComeBack(type: ComparisonPredicate.Operator) {
        let predicate = ComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: "a"), rightExpression: NSExpression(forConstantValue: 1),
            modifier: .direct, type: type)
        expect(predicate.predicateOperatorType, equals: type)
    }

    @Test func modifiersAndOptionsHaveApplesNumbers() {
        expect([ComparisonPredicate.Modifier.direct, .all, .any].map(\.rawValue), equals: [0, 1, 2])
        expect(
            [ComparisonPredicate.Options.caseInsensitive, .diacriticInsensitive, .normalized].map(\.rawValue),
            equals: [1, 2, 4])
    }

    @Test func theInitialiserKeepsEverything() {
        let left = NSExpression(forKeyPath: "pets.name")
        let right = NSExpression(forConstantValue: "A")
        let predicate = ComparisonPredicate(
            leftExpression: left, rightExpression: right, modifier: .all, type: .like,
            options: .caseInsensitive)
        expect(predicate, equals: NSPredicate(format: "ALL pets.name LIKE[c] 'A'"))
        #expect(predicate.leftExpression === left)
        #expect(predicate.rightExpression === right)
    }

    @Test func aCustomSelectorIsKept() {
        let predicate = ComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: "a"), rightExpression: NSExpression(forConstantValue: 1),
            customSelector: "isEqual:")
        expect(predicate.predicateOperatorType, equals: .equalTo)
        expect(predicate.customSelector, equals: "isEqual:")
    }

    @Test func equalityHashAndCopyAreThoseOfTheStructure() throws {
        let one = try #require(NSPredicate(format: "a BEGINSWITH[c] 'x'") as? ComparisonPredicate)
        let same = try #require(NSPredicate(format: "a BEGINSWITH[c] %@", "x") as? ComparisonPredicate)
        let sensitive = try #require(NSPredicate(format: "a BEGINSWITH 'x'") as? ComparisonPredicate)
        #expect(one.isEqual(same) && one.hash == same.hash)
        #expect(!one.isEqual(sensitive) && !one.isEqual("a BEGINSWITH[c] 'x'"))
        expect((one.copy(with: nil) as? ComparisonPredicate)?.isEqual(one), equals: true)
        #expect(one.formatString == "a BEGINSWITH[c] \"x\"" && one.description == one.formatString)
        expect(ObjectIdentifier(one.classForCoder), equals: ObjectIdentifier(ComparisonPredicate.self))
        expect(ComparisonPredicate.Options(rawValue: 1), equals: one.options)
    }

    @Test func itIsEvaluatedWithVariables() throws {
        let predicate = try #require(NSPredicate(format: "SELF > $LIMIT") as? ComparisonPredicate)
        #expect(predicate.evaluate(with: 5, substitutionVariables: ["LIMIT": 4]))
        #expect(!predicate.evaluate(with: 5, substitutionVariables: ["LIMIT": 5]))
    }
}
