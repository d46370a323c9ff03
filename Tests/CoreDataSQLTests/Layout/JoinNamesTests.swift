// The names of join tables and their columns, kind by kind, in new stores and in those that are there.

import CoreDataSQL
import CoreDataSchema
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct JoinNamesTests {
    private func tables(_ index: ModelIndex) throws -> [String: [String]] {
        let joins = try LayoutBuilder.blueprint(for: index).joins
        return Dictionary(uniqueKeysWithValues: joins.map { ($0.table, $0.keyColumns + $0.orderColumns) })
    }

    private func pair(_ left: String, _ first: String, _ right: String, _ second: String) -> ModelIndex {
        model(
            entity(left, toMany(first, right, inverse: second)),
            entity(right, toMany(second, left, inverse: first)))
    }

    // MARK: New stores

    @Test func theEntityThatIsFirstByNameNamesTheTable() throws {
        try expect(
            tables(pair("Conversation", "labels", "Label", "conversations")),
            equals: ["Z_1LABELS": ["Z_1CONVERSATIONS", "Z_2LABELS"]])
    }

    /// In code units `Zone` comes before `area`, whose number is lower.
    @Test func namesAreComparedInCodeUnits() throws {
        try expect(
            tables(pair("area", "zones", "Zone", "areas")), equals: ["Z_2AREAS": ["Z_2ZONES", "Z_1AREAS"]])
    }

    /// `Alpha` inherits from `Zero`, which is taken before it, and `Beta` is taken after both.
    @Test func aSuperentityIsTakenBeforeItsSubentity() throws {
        let index = model(
            entity("Zero", toMany("betas", "Beta", inverse: "zeros")), entity("Alpha", parent: "Zero"),
            entity("Beta", toMany("zeros", "Zero", inverse: "betas")))
        try expect(tables(index), equals: ["Z_2BETAS": ["Z_2ZEROS", "Z_1BETAS"]])
    }

    /// The number of `SystemMessage` is lower than that of `Reaction`, and its column has the number behind the name
    /// nevertheless.
    @Test func sharedNamesAreNumberedByTheNamesOfEntities() throws {
        let index = model(
            entity("Message", attribute("text", .string)),
            entity("SystemMessage", parent: "Message", toMany("users", "User", inverse: "messages")),
            entity("Reaction", toMany("users", "User", inverse: "reactions")),
            entity(
                "User", toMany("messages", "SystemMessage", inverse: "users"),
                toMany("reactions", "Reaction", inverse: "users")))
        try expect(
            tables(index),
            equals: [
                "Z_2USERS": ["Z_2MESSAGES", "Z_4USERS1"], "Z_3USERS": ["Z_3REACTIONS", "Z_4USERS"],
            ])
    }

    @Test func oneCounterRunsOverTheWholeStore() throws {
        let sources = ["A", "B", "C", "D"].map { name in
            entity(name, toMany("tags", "Tag", inverse: "of" + name))
        }
        var tag = entity("Tag")
        tag.properties = ["A", "B", "C", "D"].map { toMany("of" + $0, $0, inverse: "tags") }
        let index = ModelIndex(ModelSchema(entities: sources + [tag]))
        try expect(
            tables(index),
            equals: [
                "Z_1TAGS": ["Z_1OFA", "Z_5TAGS"], "Z_2TAGS": ["Z_2OFB", "Z_5TAGS1"],
                "Z_3TAGS": ["Z_3OFC", "Z_5TAGS2"], "Z_4TAGS": ["Z_4OFD", "Z_5TAGS3"],
            ])
    }

    /// `x` is in use already and would become `x1`, which is the name of the other side.
    @Test func bothColumnsOfATableDiffer() throws {
        let index = model(
            entity(
                "N", toMany("o", "O", inverse: "x"), toMany("x", "N", inverse: "x1"),
                toMany("x1", "N", inverse: "x")),
            entity("O", toMany("x", "N", inverse: "o")))
        try expect(tables(index), equals: ["Z_1O": ["Z_1X", "Z_2O"], "Z_1X1": ["Z_1X1", "Z_1X11"]])
    }

    @Test func insideAnEntityTheLastByNameNamesTheTable() throws {
        let index = model(
            entity(
                "Client", toMany("trustedByClients", "Client", inverse: "trustedClients"),
                toMany("trustedClients", "Client", inverse: "trustedByClients")))
        try expect(
            tables(index), equals: ["Z_1TRUSTEDCLIENTS": ["Z_1TRUSTEDBYCLIENTS", "Z_1TRUSTEDCLIENTS"]])
    }

    /// The two sides are declared by two entities, if of one hierarchy: that is settled.
    @Test func insideAHierarchyTheTraversalDecides() throws {
        let index = model(
            entity("Node", toMany("zGroups", "Group", inverse: "aNodes")),
            entity("Group", parent: "Node", toMany("aNodes", "Node", inverse: "zGroups")))
        try expect(tables(index), equals: ["Z_1ZGROUPS": ["Z_1ANODES", "Z_2ZGROUPS"]])
    }

    @Test func orderColumnsFollowTheKeys() throws {
        let index = model(
            entity("Folder", toMany("favorites", "Item", inverse: "folders", ordered: true)),
            entity("Item", toMany("folders", "Folder", inverse: "favorites")))
        try expect(
            tables(index), equals: ["Z_1FAVORITES": ["Z_1FOLDERS", "Z_2FAVORITES", "Z_FOK_2FAVORITES"]])
    }

    @Test func tablesAreMadeInTheOrderOfEntityNumbers() throws {
        let index = model(
            entity("area", toMany("ones", "One", inverse: "areas")),
            entity("One", toMany("areas", "area", inverse: "ones"), toMany("zones", "Zone", inverse: "ones")),
            entity("Zone", toMany("ones", "One", inverse: "zones")))
        try expect(LayoutBuilder.blueprint(for: index).joins.map(\.table), equals: ["Z_2AREAS", "Z_2ZONES"])
        let other = model(
            entity("apple", toMany("pears", "pear", inverse: "apples")),
            entity("fig", toMany("zones", "Zone", inverse: "figs")),
            entity("pear", toMany("apples", "apple", inverse: "pears")),
            entity("Zone", toMany("figs", "fig", inverse: "zones")))
        try expect(LayoutBuilder.blueprint(for: other).joins.map(\.table), equals: ["Z_1PEARS", "Z_4FIGS"])
    }

    /// It isn't stored, whichever side is transient and whatever their entities are called.
    @Test(arguments: [("A", "B"), ("B", "A")])
    func aPairWithATransientSideHasNoTable(names: (String, String)) throws {
        var hidden = toMany("back", names.0, inverse: "there")
        hidden.isTransient = true
        let index = model(entity(names.0, toMany("there", names.1, inverse: "back")), entity(names.1, hidden))
        #expect(try tables(index).isEmpty)
        try expect(LayoutBuilder.layout(for: index)[names.0]?.columns.isEmpty, equals: true)
    }

    // MARK: Stores that are there

    /// A store of `network` with other join tables: by name, their columns.
    private func catalog(_ changes: [String: [String]], without: [String]) throws -> StoreCatalog {
        let database = try ScratchDatabase()
        let schema = try SchemaStatements(
            LayoutBuilder.blueprint(for: network), uuid: "0", propertyList: Data(), modelCache: nil)
        try database.run(schema.statements + without.map { SQLStatement("DROP TABLE \($0)") })
        for (table, columns) in changes {
            let keys = columns.filter { !$0.hasPrefix("Z_FOK_") }
            let list = columns.map { $0 + " INTEGER" }.joined(separator: ", ")
            try database.run([
                SQLStatement(
                    "CREATE TABLE \(table) (\(list), PRIMARY KEY (\(keys.joined(separator: ", "))))"),
                SQLStatement("CREATE INDEX \(table)_\(keys[1])_INDEX ON \(table) (\(keys[1]), \(keys[0]))"),
            ])
        }
        return try database.catalog()
    }

    @Test func aTableNamedAfterTheOtherSideIsReadAsItIs() throws {
        let catalog = try catalog(
            ["Z_3FOLLOWEDBY": ["Z_3FOLLOWS", "Z_3FOLLOWEDBY"]], without: ["Z_3FOLLOWS"])
        let found = try LayoutReader.blueprint(for: network, catalog: catalog)
        let join = try #require(found.joins.first { $0.table == "Z_3FOLLOWEDBY" })
        expect(join.owner, equals: PropertyAddress("Person", property: "followedBy"))
        expect(join.keyColumns, equals: ["Z_3FOLLOWS", "Z_3FOLLOWEDBY"])
        try expect(LayoutComparison.differences(of: catalog, from: network), equals: [])
    }

    /// Numbers behind names as earlier versions of ours gave them, and ones that Apple's give to stores that changed.
    @Test func otherNumbersBehindNamesAreReadAsTheyAre() throws {
        let catalog = try catalog(
            [
                "Z_4LISTS": ["Z_4SONGS5", "Z_2LISTS", "Z_FOK_4SONGS5", "Z_FOK_2LISTS"],
                "Z_4TAGS": ["Z_4SONGS", "Z_5TAGS7"],
            ], without: ["Z_2SONGS", "Z_4TAGS"])
        let layout = try LayoutReader.layout(for: network, catalog: catalog)
        expect(
            layout["List"]?.columns["songs"],
            equals: .join(
                JoinColumns(
                    table: "Z_4LISTS", sourceColumn: "Z_2LISTS", destinationColumn: "Z_4SONGS5",
                    orderColumn: "Z_FOK_4SONGS5", inverseOrderColumn: "Z_FOK_2LISTS", destination: "Song")
            ))
        expect(
            layout["Tag"]?.columns["songs"],
            equals: .join(
                JoinColumns(
                    table: "Z_4TAGS", sourceColumn: "Z_5TAGS7", destinationColumn: "Z_4SONGS",
                    orderColumn: nil, inverseOrderColumn: nil, destination: "Song")))
        try expect(LayoutComparison.differences(of: catalog, from: network), equals: [])
    }
}
