import CoreDataSQL
import CoreDataSchema
import CoreDataTestSupport
import Foundation
import Testing

struct LayoutReaderTests {
    private func created(_ index: ModelIndex) throws -> ScratchDatabase {
        let database = try ScratchDatabase()
        let blueprint = try LayoutBuilder.blueprint(for: index)
        let schema = try SchemaStatements(
            blueprint, uuid: "0", propertyList: Data(), modelCache: Data([1]))
        try database.run(schema.statements)
        return database
    }

    private func expectSame(_ left: StoreLayout, _ right: StoreLayout) {
        expect(Set(left.tables.keys), equals: Set(right.tables.keys))
        for (name, table) in left.tables {
            expect(right[name]?.columns, equals: table.columns)
            #expect(right[name]?.number == table.number && right[name]?.table == table.table)
            expect(right[name]?.subtreeNumbers, equals: table.subtreeNumbers)
        }
    }

    @Test(arguments: [library, network])
    func readsWhatTheBuilderMade(index: ModelIndex) throws {
        let catalog = try created(index).catalog()
        expectSame(
            try LayoutBuilder.layout(for: index), try LayoutReader.layout(for: index, catalog: catalog))
    }

    @Test func numbersComeFromTheStore() throws {
        let database = try created(library)
        try database.run([
            SQLStatement("UPDATE Z_PRIMARYKEY SET Z_ENT = 41 WHERE Z_NAME = 'Book'"),
            SQLStatement("ALTER TABLE ZPAGE RENAME COLUMN Z1_BOOK TO Z41_BOOK"),
        ])
        let layout = try LayoutReader.layout(for: library, catalog: database.catalog())
        expect(layout["GraphicNovel"]?.superNumber, equals: 41)
        expect(
            layout["Page"]?.columns["book"],
            equals: .toOne(
                column: "ZBOOK", entityColumn: "Z41_BOOK", orderColumn: nil, destination: "Book"))
    }

    @Test func theOtherNameOfAJoinTableWithinAnEntity() throws {
        var changed = try created(network).catalog()
        changed.tables["Z_3FOLLOWEDBY"] = changed.tables.removeValue(forKey: "Z_3FOLLOWS")
        let layout = try LayoutReader.layout(for: network, catalog: changed)
        expect(
            layout["Person"]?.columns["follows"],
            equals: .join(
                JoinColumns(
                    table: "Z_3FOLLOWEDBY", sourceColumn: "Z_3FOLLOWEDBY",
                    destinationColumn: "Z_3FOLLOWS",
                    orderColumn: nil, inverseOrderColumn: nil, destination: "Person")))
    }

    @Test func suffixesOfJoinColumnsAreRead() throws {
        var catalog = try created(network).catalog()
        catalog.tables["Z_1SONGS"] = ["Z_1ALBUMS1", "Z_4SONGS2", "Z_FOK_4SONGS2"].map {
            StoreCatalog.Column(name: $0, type: "INTEGER")
        }
        let layout = try LayoutReader.layout(for: network, catalog: catalog)
        expect(
            layout["Album"]?.columns["songs"],
            equals: .join(
                JoinColumns(
                    table: "Z_1SONGS", sourceColumn: "Z_1ALBUMS1", destinationColumn: "Z_4SONGS2",
                    orderColumn: "Z_FOK_4SONGS2", inverseOrderColumn: nil, destination: "Song")))
    }

    @Test func aJoinTableUnderAFormerNumber() throws {
        var catalog = try created(network).catalog()
        catalog.tables.removeValue(forKey: "Z_1TAGS")
        catalog.tables["Z_7TAGS"] = ["Z_7ALBUMS", "Z_5TAGS"].map {
            StoreCatalog.Column(name: $0, type: "INTEGER")
        }
        let layout = try LayoutReader.layout(for: network, catalog: catalog)
        guard case .join(let join)? = layout["Tag"]?.columns["albums"] else {
            Issue.record("no join")
            return
        }
        #expect(join.table == "Z_7TAGS" && join.sourceColumn == "Z_5TAGS")
    }

    @Test func whatIsMissingIsNamed() throws {
        let catalog = try created(library).catalog()
        var noColumn = catalog
        noColumn.tables["ZPAGE"]?.removeAll { $0.name == "ZNUMBER" }
        let column = #expect(throws: LayoutFailure.self) {
            try LayoutReader.layout(for: library, catalog: noColumn)
        }
        #expect(column?.entity == "Page" && column?.property == "number")

        var noVersion = catalog
        noVersion.tables["ZPAGE"]?.removeAll { $0.name == "Z_OPT" }
        let version = #expect(throws: LayoutFailure.self) {
            try LayoutReader.layout(for: library, catalog: noVersion)
        }
        #expect(version?.entity == "Page" && version?.reason.contains("Z_OPT") == true)

        var noTable = catalog
        noTable.tables.removeValue(forKey: "ZFEEDBACK")
        let table = #expect(throws: LayoutFailure.self) {
            try LayoutReader.layout(for: library, catalog: noTable)
        }
        expect(table?.entity, equals: "Feedback")

        var noNumber = catalog
        noNumber.entityNumbers.removeAll { $0.name == "Author" }
        let number = #expect(throws: LayoutFailure.self) {
            try LayoutReader.layout(for: library, catalog: noNumber)
        }
        expect(number?.entity, equals: "Author")

        var noJoin = try created(network).catalog()
        noJoin.tables.removeValue(forKey: "Z_2SONGS")
        let join = #expect(throws: LayoutFailure.self) {
            try LayoutReader.layout(for: network, catalog: noJoin)
        }
        #expect(join?.entity == "List" && join?.property == "songs")
    }
}
