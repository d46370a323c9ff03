// Models behind a pooler that gives each transaction another connection.

import Foundation
import SwiftData
import SwiftDataPostgreSQL
import Testing

@Suite(
    .enabled(if: PostgreSQLServer.isAvailable, "\(PostgreSQLServer.requirement)"),
    .enabled(if: PostgreSQLPooler.isAvailable, "needs pgbouncer"), .timeLimit(.minutes(20)))
struct PostgreSQLPoolerTests {
    @Test func contextsShareFewConnections() async throws {
        let pooler = try PostgreSQLPooler(to: PostgreSQLServer.own(), users: ["tester"], size: 2)
        let configuration = ModelConfiguration(
            postgreSQL: "host=\(pooler.folder) user=tester dbname=postgres",
            options: [PostgreSQLStore.avoidsPreparedStatementsOption: true as NSNumber])
        let container = try ModelContainer(for: Writer.self, configurations: configuration)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<4 {
                group.addTask {
                    let context = ModelContext(container)
                    for round in 0..<10 {
                        let writer = Writer(name: "\(number)")
                        writer.works = [Work(title: "\(number) \(round)")]
                        context.insert(writer)
                        try context.save()
                    }
                }
            }
            try await group.waitForAll()
        }
        let context = ModelContext(container)
        #expect(try context.fetchCount(FetchDescriptor<Work>()) == 40)
        let first = try context.fetch(FetchDescriptor<Writer>(predicate: #Predicate { $0.name == "0" }))
        #expect(Set(first.flatMap(\.works).map(\.title)) == Set((0..<10).map { "0 \($0)" }))
    }
}
