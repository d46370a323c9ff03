import CoreDataSQL
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
        var statements = SaveStatements()
        #expect(
            statements.text(for: .insert(table: "ZALBUM", columns: ["ZNAME"]))
                == "INSERT INTO ZALBUM (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (?, ?, ?, ?)")
        #expect(
            statements.text(for: .update(table: "ZALBUM", columns: ["ZNAME", "ZÉTÉ"]))
                == "UPDATE ZALBUM SET ZNAME = ?, \"ZÉTÉ\" = ?, Z_OPT = ? WHERE Z_PK = ? AND Z_OPT = ?")
        #expect(
            statements.text(for: .delete(table: "ZALBUM"))
                == "DELETE FROM ZALBUM WHERE Z_PK = ? AND Z_OPT = ?")
        #expect(
            statements.text(for: .assign(table: "ZALBUM", columns: ["Z1X"]))
                == "UPDATE ZALBUM SET Z1X = ? WHERE Z_PK = ?")
    }

    @Test func aRowsLife() throws {
        let database = try store()
        var statements = SaveStatements()
        func run(_ shape: SaveShape, _ bindings: SQLBinding...) throws -> Int {
            try database.run([SQLStatement(statements.text(for: shape), bindings)])
            return database.changes
        }
        let columns = ["ZNAME"]
        #expect(
            try run(
                .insert(table: "ZALBUM", columns: columns), .integer(1), .integer(1), .integer(1), .text("a"))
                == 1)
        let update = SaveShape.update(table: "ZALBUM", columns: columns)
        #expect(try run(update, .text("b"), .integer(2), .integer(1), .integer(1)) == 1)
        #expect(try run(update, .text("c"), .integer(2), .integer(1), .integer(1)) == 0)
        #expect(try run(.delete(table: "ZALBUM"), .integer(1), .integer(1)) == 0)
        #expect(try run(.delete(table: "ZALBUM"), .integer(1), .integer(2)) == 1)
    }

    @Test func joinRows() throws {
        let database = try store()
        func run(_ shape: SaveShape, _ bindings: Int64...) throws {
            try database.run([SQLStatement(shape.text, bindings.map { .integer($0) })])
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
        #expect(rows == [[.integer(8), .integer(1024)], [.integer(7), .integer(2048)]])
        try run(.disconnect(join), 1, 8)
        try run(.disconnectAll(inverse), 7)
        #expect(try database.rows(SQLStatement("SELECT * FROM Z_1SONGS")).isEmpty)
    }
}
