// Predicates as a client sees them that imports CoreData only.

import CoreData
import CoreDataTestSupport
import Testing

struct NSPredicateTests {
    @Test func aFormatGivesTheClassOfItsTop() {
        #expect(NSPredicate(format: "age > 3") is CoreData.NSComparisonPredicate)
        #expect(NSPredicate(format: "age > 3 AND name == 'A'") is NSCompoundPredicate)
        #expect(NSPredicate(format: "TRUEPREDICATE").isEqual(NSPredicate(value: true)))
        let contextual: NSPredicate = .init(format: "age > %d", 3)
        expect(contextual, equals: NSPredicate(format: "age > 3"))
    }

    @Test func argumentsFillTheSpecifiers() {
        let id = UUID()
        let predicate = NSPredicate(
            format: "%K == %@ AND id == %@ AND n IN %@", "name", "Ann", id, [1, 2, 3])
        expect(predicate, equals: NSPredicate(format: "name == 'Ann' AND id == %@ AND n IN {1, 2, 3}", id))
        expect(
            predicate,
            equals: NSPredicate(
                format: "%K == %@ AND id == %@ AND n IN %@",
                argumentArray: ["name", "Ann", id, [1, 2, 3]]))
        expect(NSPredicate(format: "name == %@", nil), equals: NSPredicate(format: "name == nil"))
        expect(NSPredicate(format: "age == 1", argumentArray: nil), equals: NSPredicate(format: "age == 1"))
    }

    @Test func predicatesAndExpressionsAreArguments() {
        let inner = NSPredicate(format: "age > 3")
        expect(NSPredicate(format: "%@ OR %@", inner, inner).formatString, equals: "age > 3 OR age > 3")
        let expression = NSExpression(forKeyPath: "age")
        expect(NSPredicate(format: "%@ == 1", expression), equals: NSPredicate(format: "age == 1"))
    }

    @Test func theFormatComesBack() {
        let predicate = NSPredicate(format: "name beginswith[cd] 'A' and not (age between {1, 2})")
        expect(predicate.formatString, equals: "name BEGINSWITH[cd] \"A\" AND NOT age BETWEEN {1, 2}")
        expect(NSPredicate(format: predicate.formatString), equals: predicate)
        expect("\(predicate)", equals: predicate.formatString)
    }

    @Test func equalityIsStructural() {
        let one = NSPredicate(format: "name == 'A' AND age > 3")
        let two = NSPredicate(format: "name == %@ AND age > %d", "A", 3)
        expect(one, equals: two)
        expect(one.hash, equals: two.hash)
        #expect(one != NSPredicate(format: "name ==[c] 'A' AND age > 3"))
        #expect(one != NSPredicate(format: "age > 3 AND name == 'A'"))
        expect(Set([one, two]).count, equals: 1)
        #expect(!one.isEqual("name"))
    }

    @Test func copiesAreEqual() throws {
        for format in ["age > 3", "age > 3 OR age < 1", "TRUEPREDICATE"] {
            let predicate = NSPredicate(format: format)
            let copy = try #require(predicate.copy() as? NSPredicate)
            expect(copy, equals: predicate)
            expect(copy.formatString, equals: format)
        }
    }

    @Test func variablesGetValues() {
        let template = NSPredicate(format: "age > $AGE AND name == $NAME")
        let filled = template.withSubstitutionVariables(["AGE": 3])
        expect(filled, equals: NSPredicate(format: "age > 3 AND name == $NAME"))
        expect(template.formatString, equals: "age > $AGE AND name == $NAME")
        expect(
            filled.withSubstitutionVariables(["NAME": NSExpression(forKeyPath: "nick")]).formatString,
            equals: "age > 3 AND name == nick")
        let comparison: CoreData.NSComparisonPredicate? =
            NSPredicate(format: "a == $A") as? CoreData.NSComparisonPredicate
        expect(
            comparison?.withSubstitutionVariables(["A": 1]).rightExpression.constantValue as? Int, equals: 1)
    }

    @Test func aSubqueryKeepsItsOwnVariable() {
        let template = NSPredicate(format: "SUBQUERY(pets, $x, $x.age > $AGE).@count > 0")
        let filled = template.withSubstitutionVariables(["x": 1, "AGE": 2])
        expect(filled, equals: NSPredicate(format: "SUBQUERY(pets, $x, $x.age > 2).@count > 0"))
    }

    @Test func aBadTextIsThrownWithItsPosition() throws {
        let error = #expect(throws: PredicateFormatError.self) { try NSPredicate(parsing: "name == ") }
        expect(error?.position, equals: 8)
        expect(error?.reason.isEmpty, equals: false)
        expect(error?.localizedDescription.contains("at character 8"), equals: true)
        let inside = #expect(throws: PredicateFormatError.self) {
            try NSPredicate(parsing: "age > 3 AND AND")
        }
        expect(inside?.position, equals: 12)
        #expect(throws: PredicateFormatError.self) { try NSPredicate(parsing: "age == %@") }
        try expect(NSPredicate(parsing: "age == %@", arguments: [1]), equals: NSPredicate(format: "age == 1"))
    }

    @Test func aBadFormatStopsTheProcess() async {
        await #expect(processExitsWith: .failure) { _ = NSPredicate(format: "age ==") }
        await #expect(processExitsWith: .failure) { _ = NSPredicate(format: "age == %@", argumentArray: []) }
        await #expect(processExitsWith: .failure) { _ = NSCompoundPredicate(format: "age == 1") }
    }
}
