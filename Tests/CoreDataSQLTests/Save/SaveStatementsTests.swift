import CoreDataSQL
import CoreDataTestSupport
import Foundation
import Testing

struct SaveStatementsTests {
    private let join = JoinColumns(
        table: "Z_1SONGS", sourceColumn: "Z_1ALBUMS", destinationColumn: "Z_4SONGS",
        orderColumn: "Z_FOK_4SONGS", inverseOrderColumn: nil, destination: "Song")

    private func store() throws -> ScratchDatabase {
        let database = try ScratchDatabase()
        let blueprint = try LayoutBuilder.blueprint(for: network)
        try database.run(
            SchemaStatements(blueprint, uuid: "0", propertyList: Data(), modelCache: nil).statements)
        return database
    }

    @Test func texts() {
        var statements = SaveStatements(SQLiteDialect())
        expect(
            statements.text(for: .assign(table: "ZALBUM", columns: ["Z1X", "ZÉTÉ"], key: "Z_PK")),
            equals: "UPDATE ZALBUM SET Z1X = ?, \"ZÉTÉ\" = ? WHERE Z_PK = ?")
        expect(
            statements.text(for: .connect(join)),
            equals: """
                INSERT INTO Z_1SONGS (Z_1ALBUMS, Z_4SONGS, Z_FOK_4SONGS) VALUES (?, ?, ?) \
                ON CONFLICT (Z_1ALBUMS, Z_4SONGS) DO UPDATE SET Z_FOK_4SONGS = excluded.Z_FOK_4SONGS
                """)
        expect(
            statements.text(for: .connectOnce(join)),
            equals: "INSERT OR IGNORE INTO Z_1SONGS (Z_1ALBUMS, Z_4SONGS, Z_FOK_4SONGS) VALUES (?, ?, ?)")
        expect(
            statements.text(for: .reorder(join, orderColumn: "Z_FOK_4SONGS")),
            equals: "UPDATE Z_1SONGS SET Z_FOK_4SONGS = ? WHERE Z_1ALBUMS = ? AND Z_4SONGS = ?")
        expect(
            statements.text(for: .disconnect(join)),
            equals: "DELETE FROM Z_1SONGS WHERE Z_1ALBUMS = ? AND Z_4SONGS = ?")
    }

    @Test func aRowsLife() throws {
        let database = try store()
        let album = try #require(try LayoutBuilder.layout(for: network)["Album"])
        let statements = RowStatements(album, in: SQLiteDialect())
        func run(_ text: String, _ bindings: SQLBinding...) throws -> Int {
            try database.run([SQLStatement(text, bindings: bindings)])
            return database.changes
        }
        let columns = ["ZNAME"]
        let insertion = statements.insertion(columns, rows: 1)
        expect(
            insertion, equals: "INSERT INTO \"ZALBUM\" (Z_PK, Z_ENT, Z_OPT, \"ZNAME\") VALUES (?, ?, ?, ?)")
        try expect(run(insertion, .integer(1), .integer(1), .integer(1), .text("a")), equals: 1)
        let update = statements.update(columns)
        expect(
            update,
            equals: "UPDATE \"ZALBUM\" SET \"ZNAME\" = ?, Z_OPT = ? WHERE Z_PK = ? AND IFNULL(Z_OPT, 0) = ?")
        try expect(run(update, .text("b"), .integer(2), .integer(1), .integer(1)), equals: 1)
        try expect(run(update, .text("c"), .integer(2), .integer(1), .integer(1)), equals: 0)
        let selection = try database.rows(
            SQLStatement(statements.selection(columns, guarded: true), bindings: [.integer(1), .integer(2)]))
        expect(selection, equals: [[.text("b")]])
        let deletion = statements.deletion(guarded: true)
        try expect(run(deletion, .integer(1), .integer(1)), equals: 0)
        try expect(run(deletion, .integer(1), .integer(2)), equals: 1)
    }

    @Test func joinRows() throws {
        let database = try store()
        func run(_ shape: SaveShape, _ bindings: Int64...) throws {
            try database.run([
                SQLStatement(shape.text(in: SQLiteDialect()), bindings: bindings.map { .integer($0) })
            ])
        }
        let inverse = JoinColumns(
            table: "Z_1SONGS", sourceColumn: "Z_4SONGS", destinationColumn: "Z_1ALBUMS", orderColumn: nil,
            inverseOrderColumn: "Z_FOK_4SONGS", destination: "Album")
        try run(.connect(inverse), 7, 1)
        try run(.connect(join), 1, 7, 2048)
        try run(.connect(join), 1, 8, 3072)
        try run(.reorder(join, orderColumn: "Z_FOK_4SONGS"), 1024, 1, 8)
        let rows = try database.rows(
            SQLStatement("SELECT Z_4SONGS, Z_FOK_4SONGS FROM Z_1SONGS ORDER BY Z_FOK_4SONGS"))
        expect(rows, equals: [[.integer(8), .integer(1024)], [.integer(7), .integer(2048)]])
        try run(.disconnect(join), 1, 8)
        try run(.disconnectAll(inverse), 7)
        #expect(try database.rows(SQLStatement("SELECT * FROM Z_1SONGS")).isEmpty)
    }
}
