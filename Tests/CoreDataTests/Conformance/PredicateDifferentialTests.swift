// Every construct of the predicate language through SQL, in memory, and over unsaved changes.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

struct PredicateDifferentialTests {
    @Test func constructsAgree() throws {
        let stores = try DifferentialStores()
        for construct in Constructs.all {
            let answers = stores.answers(construct.format, construct.arguments, construct.entity)
            let agreed =
                if case .ids = answers[0] { answers[0] == answers[1] && answers[1] == answers[2] } else {
                    false
                }
            #expect(agreed, "\(construct.format) \(construct.arguments): \(answers)")
        }
    }

    @Test(arguments: ExpectedRows.Group.allCases)
    func rowsAreThoseExpected(_ group: ExpectedRows.Group) throws {
        let stores = try DifferentialStores()
        for expected in group.rows {
            let answers = stores.answers(expected.format, expected.arguments, expected.entity)
            for (side, answer) in zip(["SQL", "memory", "unsaved"], answers) {
                expect(
                    answer, equals: .ids(expected.ids), "\(side): \(expected.format) \(expected.arguments)")
            }
        }
    }

    @Test func whatHasNoSQLIsRefusedByName() throws {
        let stores = try DifferentialStores()
        for refused in RefusedConstructs.all {
            let (format, arguments) = (refused.construct.format, refused.construct.arguments)
            let answers = stores.answers(format, arguments)
            guard case .failure(let text) = answers[0] else {
                Issue.record("SQL has an answer: \(format): \(answers)")
                continue
            }
            #expect(text.contains(refused.part), "\(format): \(text)")
            for answer in answers.dropFirst() {
                if let ids = refused.inMemory {
                    expect(answer, equals: .ids(ids), "\(format)")
                } else if case .ids = answer {
                    Issue.record("memory has an answer: \(format): \(answer)")
                }
            }
        }
    }

    @Test func closuresAndDeepTreesAreRefused() throws {
        let stores = try DifferentialStores()
        let closure = NSPredicate { object, _ in
            ((object as? NSManagedObject)?.value(forKey: "id") as? Int) == 3
        }
        guard case .failure(let text) = stores.sqlite.answer(closure) else {
            Issue.record("a closure has no SQL form")
            return
        }
        #expect(text.contains("block"))
        expect(stores.memory.answer(closure), equals: .ids([3]))
        expect(stores.unsaved.answer(closure), equals: .ids([3]))
        let deep =
            String(repeating: "NOT (i16 == 1 OR ", count: 90) + "i16 == 2" + String(repeating: ")", count: 90)
        guard case .failure(let reason) = stores.sqlite.answer(deep, []) else {
            Issue.record("a deep tree should be refused")
            return
        }
        #expect(reason.contains("nested"))
    }

    /// Operators nested to the right hold a place each on the stack of the database's parser.
    @Test(arguments: [10, 30, 60])
    func deepExpressionsAgreeOrAreRefused(_ depth: Int) throws {
        let stores = try DifferentialStores()
        for (open, close) in [("(1 + ", ")"), ("abs(", ")"), ("(i16 ^ ", ")"), ("modulus:by:(7, ", ")")] {
            let format =
                String(repeating: open, count: depth) + "i16" + String(repeating: close, count: depth)
                + " > 3"
            let answers = stores.answers(format)
            if case .failure(let text) = answers[0] {
                #expect(text.contains("nested"), "\(depth) \(open): \(text)")
            } else {
                #expect(Self.agree(answers), "\(depth) \(open): \(answers)")
            }
        }
    }

    @Test func fetchesInPredicatesAgree() throws {
        let stores = try DifferentialStores()
        for (format, ids) in [("i16 > 5", [5, 7]), ("str == nil", [4]), ("FALSEPREDICATE", [])] {
            for side in [stores.sqlite, stores.memory, stores.unsaved] {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
                request.predicate = NSPredicate(format: format)
                func fetch(_ countOnly: Bool) -> NSExpression {
                    NSFetchRequestExpression.expression(
                        forFetch: NSExpression(forConstantValue: request),
                        context: NSExpression(forConstantValue: side.context), countOnly: countOnly)
                }
                expect(side.answer("SELF IN %@", [fetch(false)]), equals: .ids(ids))
                let parents = DifferentialRows.parents.filter { ids.contains($0.value) }.keys.sorted()
                expect(side.answer("parent IN %@", [fetch(false)]), equals: .ids(parents))
                let all = ids.count == 2 ? ExpectedRows.all : []
                expect(side.answer("%@ == 2", [fetch(true)]), equals: .ids(all))
            }
        }
    }

    /// Another seed: `COREDATA_PREDICATE_SEED=7`.
    @Test func randomPredicatesAgree() throws {
        let environment = ProcessInfo.processInfo.environment
        let count = rounds(500, long: 50_000)
        let seed = environment["COREDATA_PREDICATE_SEED"].flatMap(UInt64.init) ?? 20_240_601
        let stores = try DifferentialStores()
        var failures = 0
        var selective = 0
        for index in 0..<count where failures < 10 {
            var generator = PredicateGenerator(seed: seed &+ UInt64(index))
            let term = generator.predicate()
            let answers = stores.answers(term.format)
            if case .ids(let ids) = answers[0], !ids.isEmpty, ids.count < ExpectedRows.all.count {
                selective += 1
            }
            if Self.agree(answers) { continue }
            failures += 1
            let least = term.minimal { !Self.agree(stores.answers($0.format)) }
            Issue.record(
                "seed \(seed &+ UInt64(index)): \(least.format): SQL, memory, unsaved \(stores.answers(least.format))"
            )
        }
        #expect(selective > count / 5, "the generator should make predicates that tell rows apart")
    }

    private static func agree(_ answers: [Answer]) -> Bool {
        guard case .ids = answers[0] else { return false }
        return answers.allSatisfy { $0 == answers[0] }
    }
}
