import CoreDataSQL
import CoreDataSchema
import CoreDataTestSupport
import Testing

struct LayoutBuilderTests {
    @Test func numbersFollowTheTreesAndIgnoreCase() {
        let index = model(
            entity("Feedback"), entity("book"), entity("GraphicNovel", parent: "book"),
            entity("atlas", parent: "book"), entity("Zine", parent: "atlas"))
        let numbering = EntityNumbering(index)
        expect(numbering.names, equals: ["book", "atlas", "Zine", "GraphicNovel", "Feedback"])
        expect(numbering.numbers["Feedback"], equals: 5)
    }

    @Test func aConfigurationBringsTheSuperentities() {
        let numbering = EntityNumbering(library, entities: ["Author", "Page", "Book"])
        expect(numbering.names, equals: ["Book", "Page", "Writer", "Author"])
    }

    @Test func columnsStandInApplesOrder() throws {
        let blueprint = try LayoutBuilder.blueprint(for: library)
        expect(
            blueprint.tables.map { $0.definition(.apple) },
            equals: [
                """
                CREATE TABLE ZBOOK ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \
                ZPAGESCOUNT INTEGER, ZAUTHOR INTEGER, ZISBLACKANDWHITE INTEGER, ZPUBLISHEDAT TIMESTAMP, \
                ZPRICE DECIMAL, ZTITLE VARCHAR, ZUNIQUEID BLOB, ZCOVER BLOB )
                """,
                """
                CREATE TABLE ZFEEDBACK ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \
                ZRATING FLOAT, ZAUTHORALIAS VARCHAR, ZCOMMENT VARCHAR, ZBOOKID BLOB )
                """,
                """
                CREATE TABLE ZPAGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \
                ZISBOOKMARKED INTEGER, ZNUMBER INTEGER, ZBOOK INTEGER, Z1_BOOK INTEGER, ZCONTENT BLOB )
                """,
                """
                CREATE TABLE ZWRITER ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAGE INTEGER, \
                ZALIAS VARCHAR, ZSITEURL VARCHAR )
                """,
            ])
    }

    @Test func subentitiesShareTheTableAndInheritColumns() throws {
        let layout = try LayoutBuilder.layout(for: library)
        let novel = try #require(layout["GraphicNovel"])
        #expect(novel.table == "ZBOOK" && novel.number == 2 && novel.superNumber == 1 && novel.isPolymorphic)
        expect(novel.columns["title"], equals: .attribute(column: "ZTITLE", .string))
        expect(
            novel.columns["pages"],
            equals: .toMany(
                table: "ZPAGE", column: "ZBOOK", entityColumn: "Z1_BOOK", orderColumn: nil,
                destination: "Page"))
        expect(layout["Book"]?.subtreeNumbers, equals: [1, 2])
        expect(layout["Page"]?.isPolymorphic, equals: false)
    }

    @Test func equalNamesInOneTreeAreNumbered() throws {
        let index = model(
            entity("Thing"), entity("Folder", parent: "Thing", attribute("name", .string)),
            entity(
                "File", parent: "Thing", attribute("name", .string), toOne("folder", "Folder", inverse: nil)),
            entity("Note", parent: "Thing", attribute("name", .date), toOne("folder", "Thing", inverse: nil)))
        let layout = try LayoutBuilder.layout(for: index)
        expect(layout["File"]?.columns["name"], equals: .attribute(column: "ZNAME1", .string))
        expect(layout["Folder"]?.columns["name"], equals: .attribute(column: "ZNAME2", .string))
        expect(layout["Note"]?.columns["name"], equals: .attribute(column: "ZNAME", .date))
        expect(
            layout["Note"]?.columns["folder"],
            equals: .toOne(
                column: "ZFOLDER1", entityColumn: "Z1_FOLDER", orderColumn: nil, destination: "Thing"))
    }

    @Test func orderedInverseAddsAnOrderKey() throws {
        let index = model(
            entity(
                "Folder", toOne("parent", "Folder", inverse: "children"),
                toMany("children", "Folder", inverse: "parent", ordered: true), attribute("size", .integer16))
        )
        let layout = try LayoutBuilder.layout(for: index)
        expect(
            layout["Folder"]?.columns["children"],
            equals: .toMany(
                table: "ZFOLDER", column: "ZPARENT", entityColumn: nil, orderColumn: "Z_FOK_PARENT",
                destination: "Folder"))
    }

    @Test func aToManyWithoutInverseIsAKeyInTheDestination() throws {
        let index = model(
            entity("Message", toMany("metadata", "Metadata", inverse: nil)),
            entity("Metadata", attribute("key", .string)))
        let blueprint = try LayoutBuilder.blueprint(for: index)
        expect(blueprint.tables[1].columns.map(\.name), equals: ["Z1METADATA", "ZKEY"])
        expect(
            blueprint.layout()["Message"]?.columns["metadata"],
            equals: .toMany(
                table: "ZMETADATA", column: "Z1METADATA", entityColumn: nil, orderColumn: nil,
                destination: "Metadata"))
    }

    @Test func joinTables() throws {
        let blueprint = try LayoutBuilder.blueprint(for: network)
        expect(
            blueprint.joins.map { $0.definition(.apple) },
            equals: [
                """
                CREATE TABLE Z_1SONGS ( Z_1ALBUMS INTEGER, Z_4SONGS INTEGER, Z_FOK_4SONGS INTEGER, \
                PRIMARY KEY (Z_1ALBUMS, Z_4SONGS) )
                """,
                "CREATE TABLE Z_1TAGS ( Z_1ALBUMS1 INTEGER, Z_5TAGS INTEGER, PRIMARY KEY (Z_1ALBUMS1, Z_5TAGS) )",
                """
                CREATE TABLE Z_2SONGS ( Z_2LISTS INTEGER, Z_4SONGS1 INTEGER, Z_FOK_2LISTS INTEGER, \
                Z_FOK_4SONGS1 INTEGER, PRIMARY KEY (Z_2LISTS, Z_4SONGS1) )
                """,
                """
                CREATE TABLE Z_3FOLLOWS ( Z_3FOLLOWEDBY INTEGER, Z_3FOLLOWS INTEGER, \
                PRIMARY KEY (Z_3FOLLOWEDBY, Z_3FOLLOWS) )
                """,
                """
                CREATE TABLE Z_3FRIENDS ( Z_3FRIENDS INTEGER, REFLEXIVE INTEGER, \
                PRIMARY KEY (Z_3FRIENDS, REFLEXIVE) )
                """,
                "CREATE TABLE Z_4TAGS ( Z_4SONGS2 INTEGER, Z_5TAGS1 INTEGER, PRIMARY KEY (Z_4SONGS2, Z_5TAGS1) )",
            ])
        let layout = blueprint.layout()
        expect(
            layout["Song"]?.columns["albums"],
            equals: .join(
                JoinColumns(
                    table: "Z_1SONGS", sourceColumn: "Z_4SONGS", destinationColumn: "Z_1ALBUMS",
                    orderColumn: nil, inverseOrderColumn: "Z_FOK_4SONGS", destination: "Album")))
    }

    @Test func aRelationshipThatIsItsOwnInverseHasOneOrder() throws {
        let index = model(entity("Person", toMany("friends", "Person", inverse: "friends", ordered: true)))
        let blueprint = try LayoutBuilder.blueprint(for: index, form: .postgreSQL)
        expect(blueprint.joins[0].orderColumns, equals: ["friends_order"])
        expect(
            blueprint.layout()["Person"]?.columns["friends"],
            equals: .join(
                JoinColumns(
                    table: "person_friends", sourceColumn: "other_id", destinationColumn: "friends_id",
                    orderColumn: "friends_order", inverseOrderColumn: nil, destination: "Person")))
    }

    /// Tables, indexes and sequences share one space there.
    @Test func clashingNamesOnAServerGetNumbers() throws {
        var post = entity("Post", toMany("tags", "Tag", inverse: "posts"), attribute("name", .string))
        post.uniquenessConstraints = [["name"]]
        let index = model(
            post, entity("Tag", toMany("posts", "Post", inverse: "tags")), entity("PostTags"),
            entity("Post_Tags"), entity("PostKeySeq"), entity("PostNameKey"))
        let blueprint = try LayoutBuilder.blueprint(for: index, form: .postgreSQL)
        expect(
            blueprint.tables.map(\.name),
            equals: ["post", "post_tags", "post_key_seq1", "post_name_key1", "post_tags1", "tag"])
        expect(blueprint.joins.map(\.table), equals: ["post_tags2"])
        expect(
            try blueprint.indexes().map(\.name), equals: ["post_name_key", "post_tags2_tags_id_idx"])
    }

    /// A server cuts names after 63 bytes.
    @Test func clashingNamesOfTheGreatestLengthDifferOnAServer() throws {
        let rest = String(repeating: "a", count: 62)
        let blueprint = try LayoutBuilder.blueprint(
            for: model(entity("P" + rest), entity("p" + rest)), form: .postgreSQL)
        let names = Set(blueprint.tables.map(\.name))
        #expect(names.count == 2 && names.allSatisfy { $0.utf8.count <= 63 }, "\(names)")
    }

    @Test func compositeAttributesAreFlattened() throws {
        var traits = AttributeTraits(.composite)
        var geo = AttributeTraits(.composite)
        geo.elements = [attribute("latitude", .double)]
        traits.elements = [attribute("city", .string), PropertySchema(name: "geo", kind: .attribute(geo))]
        let index = model(entity("Shop", PropertySchema(name: "address", kind: .attribute(traits))))
        let blueprint = try LayoutBuilder.blueprint(for: index)
        expect(blueprint.tables[0].columns.map(\.name), equals: ["ZADDRESS_GEO_LATITUDE", "ZADDRESS_CITY"])
        expect(
            blueprint.layout()["Shop"]?.columns["address"],
            equals: .composite([
                "city": .attribute(column: "ZADDRESS_CITY", .string),
                "geo.latitude": .attribute(column: "ZADDRESS_GEO_LATITUDE", .double),
            ]))
    }

    @Test func transientAndFetchedPropertiesHaveNoColumn() throws {
        var cached = attribute("cached", .undefined)
        cached.isTransient = true
        let fetched = PropertySchema(name: "recent", kind: .fetched(FetchRequestSchema(entityName: "A")))
        let layout = try LayoutBuilder.layout(for: model(entity("A", cached, fetched)))
        expect(layout["A"]?.columns.isEmpty, equals: true)
    }

    @Test func unstorableAttributesAndForeignDestinationsAreNamed() {
        #expect(throws: LayoutFailure.self) {
            try LayoutBuilder.layout(for: model(entity("A", attribute("any", .undefined))))
        }
        let error = #expect(throws: LayoutFailure.self) {
            try LayoutBuilder.layout(for: library, entities: ["Page"])
        }
        #expect(error?.entity == "Page" && error?.property == "book")
    }

    @Test func tablesOfTheSameNameAndZeroCharactersAreRefused() {
        let twins = #expect(throws: LayoutFailure.self) {
            try LayoutBuilder.layout(for: model(entity("Car"), entity("CAR")))
        }
        expect(twins?.reason.contains("same name"), equals: true)
        let zero = #expect(throws: LayoutFailure.self) {
            try LayoutBuilder.layout(for: model(entity("Car", attribute("a\0b", .string))))
        }
        expect(zero?.entity, equals: "Car")
    }

    @Test func unusualNamesAreQuoted() throws {
        let index = model(
            entity("Straße", attribute("länge x\"y", .double), toOne("next", "Straße", inverse: nil)))
        let blueprint = try LayoutBuilder.blueprint(for: index)
        let database = try ScratchDatabase()
        try database.run(blueprint.tables.map { SQLStatement($0.definition(.apple)) })
        try database.run(blueprint.indexes().map { SQLStatement($0.text) })
        expect(
            blueprint.tables[0].definition(.apple),
            equals: """
                CREATE TABLE ZSTRASSE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \
                ZNEXT INTEGER, "ZLÄNGE X""Y" FLOAT )
                """)
    }

    @Test func superentitiesThatFormACircleGetNoTable() throws {
        let index = model(entity("A", parent: "B"), entity("B", parent: "A"))
        #expect(try LayoutBuilder.layout(for: index).tables.isEmpty)
    }
}
