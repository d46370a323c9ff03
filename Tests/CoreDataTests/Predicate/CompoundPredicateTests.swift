// The compound predicate of our own class, under the name that a client's typealias gives it.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

private typealias Compound = CoreData.CompoundPredicate

struct CompoundPredicateTests {
    private let parts = [NSPredicate(format: "a == 1"), NSPredicate(format: "b BEGINSWITH 'x'")]

    @Test func itsFormatNamesTheParts() {
        let both = Compound(type: .and, subpredicates: parts)
        expect(both.predicateFormat, equals: "a == 1 AND b BEGINSWITH \"x\"")
        expect(both.description, equals: both.predicateFormat)
        expect(Compound(type: .not, subpredicates: [parts[0]]).predicateFormat, equals: "NOT a == 1")
    }

    @Test func equalityAndHashAreThoseOfTheStructure() {
        let both = Compound(type: .and, subpredicates: parts)
        let same = Compound(type: .and, subpredicates: parts)
        #expect(both.isEqual(same) && both.hash == same.hash)
        #expect(!both.isEqual(Compound(type: .or, subpredicates: parts)))
        #expect(both.isEqual(NSPredicate(format: "a == 1 AND b BEGINSWITH 'x'")))
    }

    @Test func aCopySaysTheSame() throws {
        let either = Compound(type: .or, subpredicates: parts)
        let copy = try #require(either.copy(with: nil) as? CoreData.CompoundPredicate)
        #expect(copy.isEqual(either) && copy.compoundPredicateType == .or)
    }

    @Test func itIsArchivedUnderFoundationsName() {
        let compound = Compound(type: .and, subpredicates: parts)
        expect(ObjectIdentifier(compound.classForCoder), equals: ObjectIdentifier(NSCompoundPredicate.self))
    }
}
