// Archives of predicates, expressions and sort descriptors.

import CoreData
import CoreDataPredicate
import CoreDataSupport
import CoreDataTestSupport
import Testing

struct NSPredicateCodingTests {
    private func throughArchive(_ predicate: NSPredicate) throws -> NSPredicate? {
        let archive = try NSKeyedArchiver.archivedData(withRootObject: predicate, requiringSecureCoding: true)
        return try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: archive)
    }

    @Test(arguments: [
        "age > 3", "ANY pets.name BEGINSWITH[cd] \"A\"", "a == 1 AND (b == 2 OR NOT c == nil)",
        "TRUEPREDICATE",
        "SUBQUERY(pets, $p, $p.age > $LIMIT AND $p.name != nil).@count > 0", "n IN {1, 2.5, \"x\"}",
        "age + 1 > abs(other.age) * 2", "d > CAST(12, \"NSDate\")", "a UNION b == c MINUS d INTERSECT e",
        "TERNARY(a == 1, b, c) == 2", "ANYKEY == 3", "FALSEPREDICATE", "{a, b} CONTAINS 1",
    ]) func aPredicateComesBack(format: String) throws {
        let predicate = try NSPredicate(parsing: format)
        let back = try #require(try throughArchive(predicate))
        expect(back, equals: predicate)
        #expect(type(of: back) == type(of: predicate))
    }

    @Test func everyConstantComesBack() throws {
        let constants: [Any?] = [
            nil, true, Int64.min, 1.5, -Double.infinity, Decimal(string: "1.10"), Decimal.nan, "ä\u{0}b", "",
            Date(timeIntervalSinceReferenceDate: 0.1), Data([0, 255]), UUID(), URL(string: "file:///a%20b"),
            [1, [2, "x"]] as [Any], Set(["a", "b"]), ["k": [1: 2.5]],
        ]
        for constant in constants {
            let predicate = NSPredicate(format: "a == %@", constant)
            let back = try throughArchive(predicate)
            expect(back, equals: predicate, "\(String(describing: constant))")
        }
    }

    @Test func compoundsOfFoundationComeBackAsOurs() throws {
        let compound = NSCompoundPredicate(
            andPredicateWithSubpredicates: [NSPredicate(format: "a == 1"), NSPredicate(value: true)])
        let back = try #require(try throughArchive(compound))
        expect(back.formatString, equals: "a == 1 AND TRUEPREDICATE")
        let archive = try NSKeyedArchiver.archivedData(withRootObject: compound, requiringSecureCoding: true)
        let same = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSCompoundPredicate.self, from: archive)
        expect(same?.subpredicates.count, equals: 2)
    }

    @Test func anExpressionComesBack() throws {
        let request = NSFetchRequestExpression.expression(
            forFetch: NSExpression(forVariable: "r"), context: NSExpression(forVariable: "c"), countOnly: true
        )
        for expression in [
            NSExpression(format: "sum:({a, 2})"), NSExpression(forConstantValue: nil), request,
        ] {
            let archive = try NSKeyedArchiver.archivedData(
                withRootObject: expression, requiringSecureCoding: true)
            let back = try NSKeyedUnarchiver.unarchivedObject(
                ofClass: CoreData.NSExpression.self, from: archive)
            expect(back, equals: expression)
        }
    }

    @Test func aSortDescriptorComesBack() throws {
        let descriptor = NSSortDescriptor(key: "a.b", ascending: false, selector: .localizedStandardCompare)
        let archive = try NSKeyedArchiver.archivedData(
            withRootObject: descriptor, requiringSecureCoding: true)
        let back = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSSortDescriptor.self, from: archive)
        expect(back, equals: descriptor)
    }

    @Test func closuresCanNotBeArchived() async {
        await #expect(processExitsWith: .failure) {
            let block = NSPredicate { _, _ in true }
            _ = try NSKeyedArchiver.archivedData(withRootObject: block, requiringSecureCoding: true)
        }
        await #expect(processExitsWith: .failure) {
            let block = NSSortDescriptor(key: "a", ascending: true, comparator: { _, _ in .orderedSame })
            _ = try NSKeyedArchiver.archivedData(withRootObject: block, requiringSecureCoding: true)
        }
    }

    /// Archives by hand, as a client's own coding does.
    private func reader(_ encode: (NSKeyedArchiver) -> Void) throws -> NSKeyedUnarchiver {
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        encode(archiver)
        archiver.finishEncoding()
        let reader = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
        reader.decodingFailurePolicy = .setErrorAndReturn
        return reader
    }

    @Test func eachKindCodesItselfSecurely() throws {
        let predicate = NSPredicate(format: "a == 1")
        let same = NSPredicate(coder: try reader { predicate.encode(with: $0) })
        #expect(same == predicate && NSPredicate.supportsSecureCoding)
        let expression = CoreData.NSExpression(forKeyPath: "a.b")
        let back = CoreData.NSExpression(coder: try reader { expression.encode(with: $0) })
        #expect(back?.isEqual(expression) == true && CoreData.NSExpression.supportsSecureCoding)
        let sort = NSSortDescriptor(key: "a", ascending: false)
        let sorted = NSSortDescriptor(coder: try reader { sort.encode(with: $0) })
        #expect(sorted?.ascending == false && NSSortDescriptor.supportsSecureCoding)
        #expect(NSPredicate(coder: try reader { sort.encode(with: $0) }) == nil)
        #expect(NSSortDescriptor(coder: try reader { predicate.encode(with: $0) }) == nil)
    }

    @Test func unarchivedPredicatesMayBeEvaluatedAsTheyAre() throws {
        let predicate = try #require(try throughArchive(NSPredicate(format: "SELF > 3")))
        predicate.allowEvaluation()
        #expect(predicate.evaluate(with: 4) && !predicate.evaluate(with: 3))
        let sort = NSSortDescriptor(key: "self", ascending: true)
        sort.allowEvaluation()
        expect(sort.compare(1, to: 2), equals: .orderedAscending)
        let kinds: (any PredicateInitializing.Type, any SortInitializing.Type) = (
            NSPredicate.self, NSSortDescriptor.self
        )
        expect((kinds.0.init(format: "a == 1") as? NSPredicate)?.formatString, equals: "a == 1")
        expect((kinds.1.init(key: "a", ascending: true) as? NSSortDescriptor)?.ascending, equals: true)
    }
}
