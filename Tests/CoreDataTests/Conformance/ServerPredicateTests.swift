// Every construct of the predicate language, and random ones, on a server and in memory. A part of the long tests: the server still
// answers some otherwise (Docs/PostgreSQL.md).

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite(
    .enabled(if: PostgreSQLServer.isAvailable, "\(PostgreSQLServer.requirement)"),
    .enabled(if: ProcessInfo.processInfo.environment["COREDATA_LONG_TESTS"] == "1", "differences are open"))
struct ServerPredicateTests {
    private let server: DifferentialSide
    private let memory: DifferentialSide

    init() throws {
        server = try DifferentialSide(.postgreSQL, saved: true)
        memory = try DifferentialSide(.inMemory, saved: true)
    }

    /// The sentence of predicates that only SQLite and memory answer.
    private static let refusal = "has no SQL form in PostgreSQL"

    private enum Outcome { case agreed, refused, differs([Answer]) }

    private func compare(_ format: String, _ arguments: [Any] = [], _ entity: String = "Item") -> Outcome {
        let answers = [server, memory].map { $0.answer(format, arguments, entity) }
        if case .failure(let text) = answers[0], text.contains(Self.refusal) { return .refused }
        if case .ids = answers[0], answers[0] == answers[1] { return .agreed }
        return .differs(answers)
    }

    /// What is refused by name must be one of these (Docs/PostgreSQL.md).
    private static let refusable = [
        "MATCHES", "[l]", "[cl]", "[dl]", "[cdl]", "[lc]", "characters:", "min:", "max:", "@min", "@max",
    ]

    @Test func constructsAgree() throws {
        for construct in Constructs.all {
            switch compare(construct.format, construct.arguments, construct.entity) {
            case .agreed: break
            case .refused:
                #expect(
                    Self.refusable.contains { construct.format.contains($0) },
                    "refused: \(construct.format) \(construct.arguments)")
            case .differs(let answers):
                Issue.record("\(construct.format) \(construct.arguments): server, memory \(answers)")
            }
        }
    }

    @Test(arguments: ExpectedRows.Group.allCases)
    func rowsAreThoseExpected(_ group: ExpectedRows.Group) throws {
        for expected in group.rows {
            let answer = server.answer(expected.format, expected.arguments, expected.entity)
            if case .failure(let text) = answer, text.contains(Self.refusal) { continue }
            #expect(answer == .ids(expected.ids), "\(expected.format) \(expected.arguments)")
        }
    }

    @Test func whatHasNoSQLIsRefusedByName() throws {
        for refused in RefusedConstructs.all {
            let answer = server.answer(refused.construct.format, refused.construct.arguments)
            guard case .failure(let text) = answer else {
                Issue.record("SQL has an answer: \(refused.construct.format): \(answer)")
                continue
            }
            #expect(text.contains(refused.part), "\(refused.construct.format): \(text)")
        }
    }

    /// Another seed: `COREDATA_PREDICATE_SEED=7`.
    @Test func randomPredicatesAgree() throws {
        let environment = ProcessInfo.processInfo.environment
        let count = environment["COREDATA_LONG_TESTS"] == nil ? 2000 : 100_000
        let seed = environment["COREDATA_PREDICATE_SEED"].flatMap(UInt64.init) ?? 20_240_602
        var (failures, answered) = (0, 0)
        for index in 0..<count where failures < 10 {
            var generator = PredicateGenerator(seed: seed &+ UInt64(index))
            let term = generator.predicate()
            switch compare(term.format) {
            case .agreed: answered += 1
            case .refused: break
            case .differs:
                failures += 1
                let least = term.minimal { if case .differs = compare($0.format) { true } else { false } }
                Issue.record(
                    "seed \(seed &+ UInt64(index)): \(least.format): server, memory \(compare(least.format))")
            }
        }
        #expect(answered > count * 9 / 10, "\(answered) of \(count) had an answer")
    }
}
