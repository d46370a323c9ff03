// Compound predicates with very many levels.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct DeepPredicateTests {
    /// `((a AND b) AND c) …`, `NOT NOT …` or the two in turn.
    private static func nested(_ types: [NSCompoundPredicate.LogicalType], _ depth: Int) -> NSPredicate {
        var predicate: NSPredicate = NSPredicate(format: "age == 0")
        for level in 0..<depth {
            let type = types[level % types.count]
            let part = NSPredicate(format: "age != %d", level + 1)
            predicate = NSCompoundPredicate(
                type: type, subpredicates: type == .not ? [predicate] : [predicate, part])
        }
        return predicate
    }

    /// With a stack for Foundation's own destruction of the parts.
    private static func large(_ body: @escaping () throws -> Void) throws {
        try onThread(stackSize: 256 << 20, body)
    }

    @Test(arguments: [true, false]) func partsOfOneKindAreOneLevel(_ isAnd: Bool) throws {
        try Self.large {
            let container = try StoreKind.inMemory.makeContainer()
            let context = container.newBackgroundContext()
            try context.run { () throws in
                _ = context.make("Person", ["age": 0])
                try context.save()
                let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
                request.predicate = Self.nested(isAnd ? [.and] : [.or], 20_000)
                try expect(context.fetch(request).count, equals: 1)
                try expect(request.predicate?.matches(["age": 0]), equals: true)
            }
        }
    }

    @Test(arguments: [StoreKind.sqlite, .inMemory] + StoreKind.onServers) func levelsOfSeveralKindsAreAnError(
        _ kind: StoreKind
    )
        throws
    {
        try Self.large {
            let container = try kind.makeContainer()
            let context = container.newBackgroundContext()
            try context.run { () throws in
                _ = context.make("Person", ["age": 0])
                try context.save()
                for types: [NSCompoundPredicate.LogicalType] in [[.not], [.and, .or]] {
                    let predicate = Self.nested(types, 20_000)
                    let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
                    request.predicate = predicate
                    #expect(throws: (any Error).self) { try context.fetch(request) }
                    #expect(throws: PredicateEvaluationError.self) { try predicate.matches(["age": 0]) }
                    #expect(!predicate.formatString.isEmpty)
                    let compound = CompoundPredicate(type: .not, subpredicates: [predicate])
                    #expect(compound == compound && compound.hash == compound.hash)
                    #expect(compound != CompoundPredicate(type: .not, subpredicates: [predicate]))
                    #expect(!compound.predicateFormat.isEmpty && compound.copy() is NSPredicate)
                }
            }
        }
    }

    @Test func aFewLevelsKeepTheirForm() {
        let predicate = NSPredicate(format: "(a == 1 AND b == 2) AND c == 3")
        expect(predicate.formatString, equals: "(a == 1 AND b == 2) AND c == 3")
    }
}
