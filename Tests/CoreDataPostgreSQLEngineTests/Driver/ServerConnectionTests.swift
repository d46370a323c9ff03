// Connections to a server: statements, transactions, failures, cancellation.

import CoreDataPostgreSQLEngine
import CoreDataSQL
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Synchronization
import Testing

@Suite(.enabled(if: PostgreSQLServer.isAvailable, "\(PostgreSQLServer.requirement)"))
struct ServerConnectionTests {
    private func connect(_ more: String = "", keepsStatements: Bool = true) throws -> ServerConnection {
        let server = try PostgreSQLServer.shared()
        return try ServerConnection(
            ServerAddress(parsing: server.address("postgres", more)), keepsStatements: keepsStatements)
    }

    private func values(_ result: ServerResult) -> [String] {
        (0..<result.rowCount).map { row in
            (0..<result.columnCount).map { column in
                result.isNull(row, column: column)
                    ? "-" : String(decoding: result.bytes(row, column: column), as: UTF8.self)
            }
            .joined(separator: "|")
        }
    }

    @Test(arguments: [true, false])
    func parametersComeBackAsTheyWere(_ keepsStatements: Bool) throws {
        let connection = try connect(keepsStatements: keepsStatements)
        let bindings: [SQLBinding] = [
            .text("it's \\ “ü”"), .null, .text(""), .integer(-7), .double(0.1), .blob(Data([0, 1, 255])),
        ]
        let text =
            "SELECT $1::text, $2::text, $3::text, $4::bigint::text, $5::double precision::text, encode($6::bytea, 'hex')"
        for _ in 0..<2 {
            let result = try connection.run(SQLStatement(text, bindings: bindings))
            expect(values(result), equals: ["it's \\ “ü”|-||-7|0.1|0001ff"])
        }
    }

    @Test func aTextWithAZeroCharacterIsRefused() throws {
        let connection = try connect()
        let failure = try #require(throws: ServerFailure.self) {
            try connection.run(SQLStatement("SELECT $1::text", bindings: [.text("a\0b")]))
        }
        expect(failure.kind, equals: .value)
        try expect(connection.run("SELECT 1").rowCount, equals: 1)
    }

    @Test func statementsThatAreSentTogetherAnswerInTheirOrder() throws {
        let connection = try connect()
        var answers: [Int64] = []
        for number in 1...600 {
            // More texts than a connection keeps.
            try connection.send("SELECT \(number % 300)::bigint") { answers.append($0.integer(0, column: 0)) }
        }
        #expect(answers.isEmpty)
        try connection.finish()
        expect(answers, equals: (1...600).map { Int64($0 % 300) })
        let kept = try connection.run("SELECT count(*) FROM pg_prepared_statements").integer(0, column: 0)
        #expect(kept <= 256)
    }

    @Test func largeValuesGoBothWaysAtOnce() throws {
        let connection = try connect()
        let large = String(repeating: "abcdefgh", count: 1 << 18)
        var lengths: [Int] = []
        for _ in 0..<8 {
            try connection.send(SQLStatement("SELECT $1::text", bindings: [.text(large)])) {
                lengths.append($0.bytes(0, column: 0).count)
            }
        }
        try connection.finish()
        expect(lengths, equals: Array(repeating: large.utf8.count, count: 8))
    }

    @Test func aFailureTellsItsCodeAndTheConnectionGoesOn() throws {
        let connection = try connect()
        var later = 0
        try connection.send("SELECT 1 / 0")
        try connection.send("SELECT 1") { _ in later += 1 }
        let failure = try #require(throws: ServerFailure.self) { try connection.finish() }
        #expect(
            failure.sqlState == "22012" && failure.message == "division by zero"
                && failure.sql == "SELECT 1 / 0")
        expect(later, equals: 0)
        try expect(connection.run("SELECT 1").rowCount, equals: 1)
        #expect(connection.isIdle)
    }

    @Test func aUniqueIndexIsNamed() throws {
        let connection = try connect()
        try connection.run("CREATE TEMP TABLE seat (number bigint CONSTRAINT seat_once UNIQUE)")
        try connection.run("INSERT INTO seat VALUES (1)")
        for _ in 0..<3 {
            let failure = try #require(throws: ServerFailure.self) {
                try connection.run("INSERT INTO seat VALUES (1)")
            }
            #expect(failure.kind == .unique && failure.table == "seat" && failure.constraint == "seat_once")
        }
        let kept = try connection.run(
            "SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE 'INSERT%'")
        expect(kept.integer(0, column: 0), equals: 1)
    }

    // MARK: Transactions

    @Test func aTransactionHoldsAsAWholeOrNotAtAll() throws {
        let connection = try connect()
        try connection.run("CREATE TEMP TABLE t (n bigint)")
        struct Refused: Error {}
        try connection.transaction {
            try connection.send("INSERT INTO t VALUES (1)")
            try connection.transaction { _ = try connection.run("INSERT INTO t VALUES (2)") }
        }
        #expect(throws: Refused.self) {
            try connection.transaction {
                try connection.send("INSERT INTO t VALUES (3)")
                throw Refused()
            }
        }
        #expect(throws: ServerFailure.self) {
            try connection.transaction {
                try connection.send("INSERT INTO t VALUES (4)")
                try connection.send("INSERT INTO nowhere VALUES (5)")
            }
        }
        #expect(connection.isIdle)
        try expect(connection.run("SELECT sum(n)::bigint FROM t").integer(0, column: 0), equals: 3)
    }

    /// A statement that is dropped to make room is a command of its own, which mustn't come before one that begins or ends a
    /// transaction.
    @Test func transactionsBeginAndEndOnceNoMoreStatementsAreKept() throws {
        let (keeper, connection) = (try connect(), try connect())
        func fill() throws {
            for number in 1...300 { try connection.run("SELECT \(number)") }
        }
        try fill()
        try connection.readOnly { try expect(connection.run("SELECT 1").rowCount, equals: 1) }
        let snapshot = try keeper.exportSnapshot()
        for _ in 0..<2 {
            try fill()
            try connection.onSnapshot(snapshot.name) {
                try expect(connection.snapshotMark(), equals: snapshot.mark)
            }
        }
        try fill()
        let failure = #expect(throws: ServerFailure.self) {
            try connection.transaction {
                try fill()
                try connection.run("SELECT 1 / 0")
            }
        }
        expect(failure?.sqlState, equals: "22012")
        #expect(!connection.isBroken)
        try fill()
        _ = try? connection.transaction {
            try fill()
            _ = try? connection.run("SELECT 1 / 0")
            try connection.endFailedTransaction()
            try expect(connection.run("SELECT 1").rowCount, equals: 1)
        }
        #expect(!connection.isBroken)
        try expect(connection.run("SELECT 1").rowCount, equals: 1)
    }

    @Test func aStateEndsWithItsTransaction() throws {
        let (keeper, connection) = (try connect(), try connect())
        let state = try keeper.exportSnapshot().name
        #expect(keeper.keepsState())
        try expect(connection.onSnapshot(state) { try connection.run("SELECT 1").rowCount }, equals: 1)
        try keeper.runCommand("ROLLBACK")
        // The name isn't known any more, and one that there never was isn't either.
        for name in [state, "it's none"] {
            #expect(throws: EndedState.self) {
                try connection.onSnapshot(name) { try connection.run("SELECT 1") }
            }
        }
        // A failure of the body's own.
        let failure = #expect(throws: ServerFailure.self) {
            try connection.onSnapshot(keeper.exportSnapshot().name) {
                try connection.run("SELECT 'x'::regtype")
            }
        }
        expect(failure?.sqlState, equals: "42704")
        #expect(connection.isIdle)
    }

    /// The server may end transactions of clients that are slow (`idle_in_transaction_session_timeout`).
    @Test func rowsThatWereReadStandWhereTheServerEndsTheTransaction() throws {
        let (other, connection) = (try connect(), try connect())
        func read() throws -> Int64 {
            let process = try connection.run("SELECT pg_backend_pid()::bigint").integer(0, column: 0)
            try other.run("SELECT pg_terminate_backend(\(process), 60000)")
            return process
        }
        #expect(try connection.readOnly(read) > 0)
        #expect(connection.isBroken)
        let reading = try connect()
        let failure = #expect(throws: ServerFailure.self) {
            try reading.readOnly {
                try reading.run("SET LOCAL idle_in_transaction_session_timeout = 1")
                while !reading.wasClosedByServer { usleep(10_000) }
                try reading.run("SELECT 1")
            }
        }
        expect(failure?.kind, equals: .connection)
    }

    @Test func aDeferredForeignKeyRefusesTheCommit() throws {
        let connection = try connect()
        try connection.run("CREATE TEMP TABLE a (id bigint PRIMARY KEY)")
        try connection.run("CREATE TEMP TABLE b (a bigint REFERENCES a DEFERRABLE INITIALLY DEFERRED)")
        let failure = try #require(throws: ServerFailure.self) {
            try connection.transaction { _ = try connection.run("INSERT INTO b VALUES (1)") }
        }
        #expect(failure.sqlState == "23503" && failure.kind == .constraint)
        #expect(connection.isIdle)
    }

    // MARK: Connecting

    @Test func aMissingServerIsTold() throws {
        let failure = try #require(throws: ServerFailure.self) {
            try ServerConnection(ServerAddress(parsing: "postgresql:///db?host=/tmp/nobody-is-here"))
        }
        expect(failure.kind, equals: .connection)
    }

    @Test func theNextHostIsTriedAndAnUnknownDatabaseRefused() throws {
        let folder = try PostgreSQLServer.shared().folder
        let address = "host=/tmp/nobody-is-here,\(folder) user=tester target_session_attrs=read-write dbname="
        let connection = try ServerConnection(ServerAddress(parsing: address + "postgres"))
        try expect(connection.run("SELECT 1").rowCount, equals: 1)
        let failure = try #require(throws: ServerFailure.self) {
            try ServerConnection(ServerAddress(parsing: address + "nowhere"))
        }
        expect(failure.kind, equals: .access)
    }

    @Test func aPasswordIsUsedAndNeverTold() throws {
        let server = try PostgreSQLServer.shared()
        try connect().run(
            """
            DO $$ BEGIN CREATE ROLE guarded LOGIN PASSWORD 'secret word'; \
            EXCEPTION WHEN duplicate_object THEN NULL; END $$
            """)
        let right = "host=\(server.folder) dbname=postgres user=guarded password='secret word'"
        let connection = try ServerConnection(ServerAddress(parsing: right))
        try expect(connection.run("SELECT 1").rowCount, equals: 1)
        #expect(!"\(connection.address)".contains("secret") && !connection.address.hasSecrets)
        for wrong in ["password='secret wood'", ""] {
            let failure = try #require(throws: ServerFailure.self) {
                try ServerConnection(
                    ServerAddress(parsing: "host=\(server.folder) dbname=postgres user=guarded \(wrong)"))
            }
            #expect(failure.kind == .access && !failure.message.contains("secret"))
        }
    }

    // MARK: Ending

    @Test func aRequestIsCancelledFromAnotherThread() throws {
        let connection = try connect()
        let canceller = Canceller(connection)
        defer { canceller.end() }
        let failure = try #require(throws: ServerFailure.self) { try connection.run("SELECT pg_sleep(60)") }
        expect(failure.kind, equals: .cancelled)
    }

    @Test func aRequestStopsWhenItsCallerSaysSo() throws {
        let connection = try connect()
        let failure = try #require(throws: ServerFailure.self) {
            try connection.stopping(when: { true }) { _ = try connection.run("SELECT pg_sleep(60)") }
        }
        expect(failure.kind, equals: .cancelled)
        try expect(connection.run("SELECT 1").rowCount, equals: 1)
    }

    @Test func aBackendThatWasEndedIsNoticed() throws {
        let (connection, other) = (try connect(), try connect())
        func end() throws {
            let process = try connection.run("SELECT pg_backend_pid()").integer(0, column: 0)
            try other.run("SELECT pg_terminate_backend(\(process), 10000)")
        }
        try connection.run("SELECT 1")
        #expect(!connection.wasClosedByServer)
        try end()
        let failure = try #require(throws: ServerFailure.self) {
            try connection.transaction { _ = try connection.run("SELECT 1") }
        }
        expect(failure.kind, equals: .connection)
        #expect(connection.isBroken && connection.wasClosedByServer)
    }

    @Test func warningsAreLogged() throws {
        let connection = try connect()
        let said = Mutex<[String]>([])
        try Log.$sink.withValue(Log.Sink { text in said.withLock { $0.append(text) } }) {
            _ = try connection.run("DO $$ BEGIN RAISE WARNING 'look out'; RAISE NOTICE 'never mind'; END $$")
        }
        expect(said.withLock { $0 }, equals: ["PostgreSQL: WARNING:  look out"])
    }
}

/// A thread that cancels again and again, for nobody knows when the request begins.
private final class Canceller: Sendable {
    private let isOver = Mutex(false)

    init(_ connection: ServerConnection) {
        Thread { [self] in
            while !isOver.withLock({ $0 }) {
                connection.cancel()
                usleep(10_000)
            }
        }
        .start()
    }

    func end() { isOver.withLock { $0 = true } }
}
