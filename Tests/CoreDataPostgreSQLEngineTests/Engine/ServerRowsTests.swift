// Rows on their way to a server and back.

import CoreDataPostgreSQLEngine
import CoreDataSQL
import CoreDataSchema
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

@Suite(.enabled(if: PostgreSQLServer.isAvailable, "\(PostgreSQLServer.requirement)"))
struct ServerRowsTests {
    private let store: ServerStore

    init() throws { store = try ServerStore.made() }

    private func insert(_ rows: [[String: Value]], from first: Int64 = 1, entity: String = "Person") throws {
        try store.connection.transaction {
            try store.connection.insert(
                rows.map { try store.row($0, entity: entity) },
                primaryKeys: rows.indices.map { first + Int64($0) }, encoder: store.encoder(entity))
        }
    }

    private static let all: [String: Value] = [
        "small": .integer(-3), "medium": .integer(70_000), "large": .integer(.min), "flag": .bool(true),
        "ratio": .double(0.1), "born": .date(Date(timeIntervalSinceReferenceDate: 0.123456)),
        "text": .string("“naïve” 🙂 \\ 'x'"), "site": .url(URL(string: "https://a.example/?q=1")!),
        "token": .uuid(UUID(uuidString: "6F0E4D6C-7D57-4F2B-9E5C-0A3C1B2D4E5F")!),
        "bytes": .data(Data([0, 255, 1])),
        "price": .decimal(Decimal(string: "-12345678901234567890.000123")!),
        "photo": .data(Data(repeating: 7, count: 200_000)), "friend": .integer(1),
    ]

    @Test func everyKindOfValueComesBack() throws {
        try insert([Self.all, [:], ["text": .string(""), "bytes": .data(Data()), "flag": .bool(false)]])
        let rows = try store.values([1, 2, 3, 4])
        expect(rows[1], equals: Self.all)
        expect(rows[2], equals: [:])
        expect(rows[3], equals: ["text": .string(""), "bytes": .data(Data()), "flag": .bool(false)])
        expect(rows.count, equals: 3)
    }

    @Test func rowsThatWereReadAreWrittenAsTheyWere() throws {
        try insert([Self.all])
        let slab = try #require(try store.connection.fetchRow(primaryKey: 1, decoder: store.decoder()))
        try store.connection.run(SQLStatement("UPDATE person SET text = NULL"))
        try store.connection.transaction {
            try store.connection.insert(
                [RowPointer(slab.row(0), slab: slab)], primaryKeys: [2], encoder: store.encoder())
        }
        try expect(store.values([2])[2], equals: Self.all)
    }

    @Test func rowsOfSubentitiesShareTheTable() throws {
        try insert([["text": .string("a")]])
        try insert([["text": .string("b"), "rank": .integer(3)]], from: 2, entity: "Boss")
        try expect(store.values([1, 2])[2], equals: ["text": .string("b"), "rank": .integer(3)])
        try expect(store.values([1, 2], entity: "Boss").keys.sorted(), equals: [2])
    }

    @Test(arguments: [0.0, -0.5, 1e-6, 758_000_000.123_457, -63_114_076_800, 63_113_904_000])
    func datesHaveMicroseconds(_ seconds: Double) throws {
        try insert([["born": .date(Date(timeIntervalSinceReferenceDate: seconds))]])
        guard case .date(let read)? = try store.values([1])[1]?["born"] else {
            Issue.record("no date")
            return
        }
        #expect(abs(read.timeIntervalSinceReferenceDate - seconds) <= 1e-6)
        // A constant of a predicate is the same moment.
        let dialect = PostgreSQLDialect()
        let constant = try #require(dialect.constant(.date(Date(timeIntervalSinceReferenceDate: seconds))))
        let count: SQLFragment = "SELECT COUNT(*) FROM person WHERE born = \(constant.sql)"
        try expect(store.connection.fetchCount(count.statement(in: dialect)), equals: 1)
    }

    @Test func whatADatabaseCantHoldIsRefused() throws {
        for values: [String: Value] in [
            ["text": .string("a\0b")], ["born": .date(Date(timeIntervalSinceReferenceDate: 1e15))],
        ] {
            let failure = try #require(throws: ServerFailure.self) { try insert([values]) }
            expect(failure.kind, equals: .value)
        }
        try expect(store.connection.fetchCount(SQLStatement("SELECT COUNT(*) FROM person")), equals: 0)
    }

    /// As in an SQLite store.
    @Test func aDateThatIsNoneIsNil() throws {
        try insert([["born": .date(Date(timeIntervalSinceReferenceDate: .nan))]])
        try expect(store.values([1])[1]?["born"] ?? .null, equals: .null)
    }

    @Test(arguments: [
        "0", "1", "-1", "0.5", "10000", "123456789.00012", "1e30", "1e-30",
        "99999999999999999999999999999999999999",
    ])
    func decimalsAreExact(_ text: String) throws {
        let number = try #require(Decimal(string: text))
        try insert([["price": .decimal(number)]])
        try expect(store.values([1])[1], equals: ["price": .decimal(number)])
    }

    @Test func manyRowsGoInSeveralStatements() throws {
        let large = String(repeating: "x", count: 100_000)
        try insert((0..<300).map { ["text": .string("\($0)" + large)] })
        try insert((0..<5000).map { ["large": .integer(Int64($0))] }, from: 1000)
        try expect(store.connection.fetchCount(SQLStatement("SELECT COUNT(*) FROM person")), equals: 5300)
        let sum = try store.connection.fetchValues(
            SQLStatement("SELECT SUM(large), SUM(length(text)) FROM person"))
        expect(sum, equals: [[.integer(12_497_500), .integer(30_000_790)]])
    }

    // MARK: Versions

    private func refused(
        _ versions: [Int64], _ change: (SlotSet, [RowUpdate], @escaping ([Int]) -> Void) throws -> Void
    )
        throws -> [Int]
    {
        let slot = try #require(store.layouts["Person"]?.slot(named: "small"))
        let slots = SlotSet([slot.index])
        let updates = try versions.enumerated().map { place, version in
            RowUpdate(
                primaryKey: Int64(place + 1), row: try store.row(["small": .integer(9)]), slots: slots,
                version: version)
        }
        var found: [Int] = []
        try store.connection.transaction {
            try change(slots, updates) { found += $0 }
            #expect(found.isEmpty, "a result came before it was waited for")
        }
        return found.sorted()
    }

    @Test func onlyRowsOfTheirVersionAreUpdated() throws {
        try insert([["small": .integer(1)], ["small": .integer(2)]])
        let found = try refused([1, 7, 1]) { _, updates, refused in
            try store.connection.update(updates, encoder: store.encoder(), refused: refused)
        }
        expect(found, equals: [1, 2])
        let rows = try store.connection.fetchValues(
            SQLStatement("SELECT object_id, object_version, small FROM person ORDER BY 1"))
        expect(
            rows,
            equals: [[.integer(1), .integer(2), .integer(9)], [.integer(2), .integer(1), .integer(2)]])
    }

    @Test func onlyRowsOfTheirVersionAreDeleted() throws {
        try insert([[:], [:], [:]])
        let found = try refused([1, 7, 0, 0, 1]) { _, updates, refused in
            try store.connection.delete(
                primaryKeys: updates.map(\.primaryKey), versions: updates.map(\.version),
                encoder: store.encoder(),
                refused: refused)
        }
        expect(found, equals: [1, 4])
        try expect(store.values([1, 2, 3]).keys.sorted(), equals: [2])
    }

    // MARK: The store itself

    @Test func aStoreIsMadeOnce() throws {
        #expect(try store.connection.hasStore(store.catalogue))
        #expect(try !store.connection.create(store.catalogue, statements: store.statements))
        let metadata = try store.connection.metadata(store.catalogue)
        #expect(metadata.uuid == "U-1" && metadata.propertyList == Data([1, 2]))
        try expect(store.connection.entityNumbers(store.catalogue), equals: ["Person": 1, "Boss": 2])
        #expect(try store.connection.model(store.catalogue) == nil)
        try store.connection.run("UPDATE \"\(store.catalogue.schema)\".store SET format = format + 1")
        #expect(throws: ServerFailure.self) { try store.connection.metadata(store.catalogue) }
    }

    @Test func manyMakersMakeOneStore() async throws {
        let fresh = try ServerStore()
        let (address, catalogue, statements) = (fresh.address, fresh.catalogue, fresh.statements)
        let made = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<4 {
                group.addTask { try ServerConnection(address).create(catalogue, statements: statements) }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        expect(made, equals: 1)
    }

    @Test func keysAreNobodyElses() async throws {
        let (address, table) = (store.address, try store.table())
        let ranges = try await withThrowingTaskGroup(of: [Range<Int64>].self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let connection = try ServerConnection(address)
                    return try [1, 64, 65, 1000, 3].map { count in
                        let keys = try connection.takeKeys(count, of: table)
                        #expect(keys.count >= count)
                        return keys
                    }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        let keys = ranges.flatMap { Array($0) }
        expect(Set(keys).count, equals: keys.count)
        let byHand = try store.connection.run(
            "INSERT INTO person (object_entity) VALUES (1) RETURNING object_id")
        #expect(!keys.contains(byHand.integer(0, column: 0)))
    }
}
