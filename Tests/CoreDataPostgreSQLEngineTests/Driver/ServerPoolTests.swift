// A bounded number of connections.

import CoreDataPostgreSQLEngine
import CoreDataTestSupport
import Testing

@Suite(.enabled(if: PostgreSQLServer.isAvailable, "\(PostgreSQLServer.requirement)"))
struct ServerPoolTests {
    private let address: ServerAddress

    init() throws { address = try ServerAddress(parsing: PostgreSQLServer.shared().address()) }

    private func pool(_ limit: Int) -> ServerPool<ServerConnection> {
        ServerPool(limit: limit) { [address] in try ServerConnection(address) }
    }

    @Test func nobodyGetsMoreThanThereAre() throws {
        let pool = pool(2)
        let first = try #require(try pool.take())
        let second = try #require(try pool.take())
        #expect(try pool.take() == nil)
        pool.giveBack(second)
        #expect(try pool.take() === second)
        pool.giveBack(first)
        pool.giveBack(second)
        pool.close()
        #expect(first.isBroken && second.isBroken)
        #expect(try pool.take() == nil)
    }

    @Test func aConnectionThatBrokeIsReplaced() throws {
        let pool = pool(1)
        let first = try #require(try pool.take())
        let process = try first.run("SELECT pg_backend_pid()").integer(0, column: 0)
        pool.giveBack(first)
        try ServerConnection(address).run("SELECT pg_terminate_backend(\(process), 10000)")
        let second = try #require(try pool.take())
        #expect(second !== first)
        try expect(second.run("SELECT 1").rowCount, equals: 1)
    }

    @Test func aTransactionThatWasLeftOpenEndsWithItsConnection() throws {
        let pool = pool(1)
        let first = try #require(try pool.take())
        try first.run("BEGIN")
        pool.giveBack(first)
        #expect(first.isBroken)
        try expect(pool.take()?.isIdle, equals: true)
    }

    @Test func aServerThatIsMissingTakesNoPlace() throws {
        let pool = ServerPool(limit: 1) {
            try ServerConnection(ServerAddress(parsing: "postgresql:///db?host=/tmp/nobody-is-here"))
        }
        for _ in 0..<3 { #expect(throws: ServerFailure.self) { try pool.take() } }
    }
}
