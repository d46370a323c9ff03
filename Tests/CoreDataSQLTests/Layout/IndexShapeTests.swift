import CoreDataPredicate
import CoreDataSQL
import CoreDataSchema
import CoreDataSupport
import CoreDataTestSupport
import Testing

struct IndexShapeTests {
    private func texts(_ entities: EntitySchema...) throws -> [String] {
        let index = ModelIndex(ModelSchema(entities: entities))
        let blueprint = try LayoutBuilder.blueprint(for: index)
        return try blueprint.indexes().map(\.text) + blueprint.rangeTrees().map(\.definition)
    }

    private func car(_ change: (inout EntitySchema) -> Void) -> EntitySchema {
        var car = entity(
            "Car", attribute("maker", .string), attribute("numberPlate", .string),
            attribute("doors", .integer16))
        change(&car)
        return car
    }

    private func index(_ name: String, _ elements: (String, Bool)...) -> FetchIndexSchema {
        FetchIndexSchema(
            name: name, elements: elements.map { FetchIndexElementSchema(.property($0.0), isAscending: $0.1) }
        )
    }

    @Test func foreignKeysAndEntityNumbers() throws {
        let found = try LayoutBuilder.blueprint(for: library).indexes().map(\.text)
        expect(
            found,
            equals: [
                "CREATE INDEX ZBOOK_ZAUTHOR_INDEX ON ZBOOK (ZAUTHOR)",
                "CREATE INDEX ZBOOK_Z_ENT_INDEX ON ZBOOK (Z_ENT)",
                "CREATE UNIQUE INDEX Z_Book_UNIQUE_uniqueID ON ZBOOK (ZUNIQUEID COLLATE BINARY ASC)",
                "CREATE INDEX ZPAGE_ZBOOK_INDEX ON ZPAGE (ZBOOK)",
                "CREATE INDEX ZWRITER_Z_ENT_INDEX ON ZWRITER (Z_ENT)",
                "CREATE UNIQUE INDEX Z_Author_UNIQUE_alias ON ZWRITER (ZALIAS COLLATE BINARY ASC)",
            ])
    }

    @Test func joinTablesHaveTheSecondOrder() throws {
        let found = try LayoutBuilder.blueprint(for: network).indexes().map(\.text)
        #expect(found.contains("CREATE INDEX Z_1SONGS_Z_4SONGS_INDEX ON Z_1SONGS (Z_4SONGS, Z_1ALBUMS)"))
    }

    @Test func fetchIndexes() throws {
        let found = try texts(car { $0.indexes = [index("byBoth", ("maker", true), ("numberPlate", false))] })
        expect(
            found,
            equals: [
                """
                CREATE INDEX Z_Car_byBoth ON ZCAR (ZMAKER COLLATE BINARY ASC, ZNUMBERPLATE COLLATE BINARY DESC)
                """
            ])
    }

    // MARK: Values of any size

    private func unlimited(_ change: (inout EntitySchema) -> Void) throws -> [[String]] {
        let index = ModelIndex(ModelSchema(entities: [car(change)]))
        return try LayoutBuilder.blueprint(for: index, form: .postgreSQL).indexes()
            .map { $0.isLimited ? $0.unlimited.map(\.text).filter { !$0.hasPrefix("COMMENT") } : [] }
    }

    @Test func indexesForFetchesOfAnySize() throws {
        let found = try unlimited {
            $0.properties.append(attribute("photo", .binaryData))
            $0.indexes = [
                index("a", ("maker", true)), index("b", ("photo", true)), index("c", ("doors", true)),
                index("d", ("doors", false), ("maker", true), ("numberPlate", true)),
            ]
            $0.indexes[0].partialPredicate = .comparison(
                .init(.keyPath("doors"), op: .greaterThan, right: .constant(.integer(3))))
        }
        expect(
            found,
            equals: [
                [
                    """
                    CREATE INDEX "car_a_fetch" ON "car" USING spgist ("maker") WHERE "doors" > '3'::bigint
                    """
                ],
                [#"CREATE INDEX "car_b_fetch" ON "car" USING hash ("photo")"#],
                [],
                [#"CREATE INDEX "car_d_fetch" ON "car" ("doors" DESC NULLS LAST)"#],
            ])
    }

    @Test func constraintsOfAnySize() throws {
        let found = try unlimited { $0.uniquenessConstraints = [["doors", "maker"], ["numberPlate"]] }
        expect(
            found,
            equals: [
                [
                    #"""
                    CREATE UNIQUE INDEX "car_doors_maker_key" ON "car" ("doors" NULLS FIRST, \#
                    sha256(decode(replace("maker", '\', '\\'), 'escape')))
                    """#
                ],
                [
                    #"""
                    CREATE UNIQUE INDEX "car_number_plate_key" ON "car" \#
                    (sha256(decode(replace("number_plate", '\', '\\'), 'escape')))
                    """#,
                    #"""
                    CREATE INDEX IF NOT EXISTS "car_number_plate_key_lookup" ON "car" USING spgist ("number_plate")
                    """#,
                ],
            ])
    }

    @Test func aStatementTellsItsIndex() {
        expect(IndexShape.name(madeBy: #"CREATE UNIQUE INDEX "a_b_key" ON "a" ("b")"#), equals: "a_b_key")
        expect(IndexShape.name(madeBy: #"UPDATE "a" SET "b" = 'INDEX "c"'"#), equals: nil)
    }

    @Test func theOldFormsMakeNoSecondIndex() throws {
        let found = try texts(
            car {
                $0.properties[0].isIndexed = true
                $0.properties[2].isIndexed = true
                $0.compoundIndexes = [["maker", "numberPlate"], ["doors", "maker"]]
                $0.indexes = [
                    index("maker", ("maker", true)), index("byBoth", ("maker", true), ("numberPlate", true)),
                ]
            })
        expect(
            found.map { String($0.prefix { $0 != "(" }) },
            equals: [
                "CREATE INDEX Z_Car_doors ON ZCAR ", "CREATE INDEX Z_Car_doors_maker ON ZCAR ",
                "CREATE INDEX Z_Car_maker ON ZCAR ", "CREATE INDEX Z_Car_byBoth ON ZCAR ",
            ])
    }

    @Test func partialIndexes() throws {
        let isMaker = PredicateTree.comparison(
            .init(.keyPath("maker"), op: .equalTo, right: .constant(.string("O'Neil"))))
        let hasPlate = PredicateTree.comparison(
            .init(.keyPath("numberPlate"), op: .notEqualTo, right: .constant(.null)))
        let large = PredicateTree.comparison(
            .init(.keyPath("doors"), op: .greaterThan, right: .constant(.integer(3))))
        let found = try texts(
            car {
                $0.indexes = [index("part", ("doors", true))]
                $0.indexes[0].partialPredicate = .or([.and([isMaker, hasPlate]), .not(large)])
            })
        expect(
            found,
            equals: [
                """
                CREATE INDEX Z_Car_part ON ZCAR (ZDOORS COLLATE BINARY ASC) WHERE \
                ((ZMAKER = 'O''Neil' AND ZNUMBERPLATE IS NOT NULL) OR (ZDOORS > 3) IS NOT TRUE)
                """
            ])
        let database = try ScratchDatabase()
        try database.run([SQLStatement("CREATE TABLE ZCAR (ZDOORS, ZMAKER, ZNUMBERPLATE)")])
        try database.run(found.map { SQLStatement($0) })
        try expect(database.definitions().count, equals: 2)
    }

    @Test func whatCannotBeIndexedIsNamed() {
        let spatial = FetchIndexElementSchema(.property("maker"), collation: .rTree)
        let cases: [FetchIndexSchema] = [
            FetchIndexSchema(name: "spatial", elements: [spatial]), index("unknown", ("wheels", true)),
        ]
        for broken in cases {
            let error = #expect(throws: LayoutFailure.self) { try texts(car { $0.indexes = [broken] }) }
            #expect(error?.entity == "Car" && error?.reason.contains(broken.name) == true)
        }
    }

    /// Apple's tools take such models, and its framework makes the other indexes.
    @Test func whatNoTableHasAColumnForIsLeftOut() throws {
        var hidden = attribute("hidden", .string)
        hidden.isTransient = true
        var traits = AttributeTraits(.composite)
        traits.elements = [attribute("city", .string)]
        var owner = entity(
            "Owner", toMany("cars", "Car", inverse: "owner"), toMany("friends", "Car", inverse: "friends"),
            toMany("notes", "Car", inverse: nil), hidden, attribute("name", .string),
            PropertySchema(name: "address", kind: .attribute(traits)))
        owner.indexes = [
            index("byCars", ("cars", true)), index("byFriends", ("friends", true)),
            index("byNotes", ("notes", true)), index("byHidden", ("hidden", true)),
            index("byAddress", ("address", true)), index("byNameAndCars", ("name", true), ("cars", true)),
            index("none"), index("byCity", ("address.city", true)), index("byName", ("name", true)),
        ]
        owner.compoundIndexes = [["cars", "name"]]
        let car = car {
            $0.properties += [
                toOne("owner", "Owner", inverse: "cars"), toMany("friends", "Owner", inverse: "friends"),
            ]
            $0.indexes = [index("byOwner", ("owner", true))]
        }
        let blueprint = try LayoutBuilder.blueprint(for: model(owner, car))
        let names = try blueprint.indexes().map(\.name).filter {
            $0.hasPrefix("Z_Owner") || $0.hasPrefix("Z_Car")
        }
        expect(names, equals: ["Z_Car_byOwner", "Z_Owner_byCity", "Z_Owner_byName"])
        expect(
            blueprint.omittedIndexes,
            equals: [
                #"Owner: fetch index "cars_name" is left out: "cars" is a to-many relationship"#,
                #"Owner: fetch index "byCars" is left out: "cars" is a to-many relationship"#,
                #"Owner: fetch index "byFriends" is left out: "friends" is a to-many relationship"#,
                #"Owner: fetch index "byNotes" is left out: "notes" is a to-many relationship"#,
                #"Owner: fetch index "byHidden" is left out: "hidden" is transient"#,
                #"Owner: fetch index "byAddress" is left out: "address" is composite"#,
                #"Owner: fetch index "byNameAndCars" is left out: "cars" is a to-many relationship"#,
                #"Owner: fetch index "none" is left out: it is empty"#,
            ])
    }

    /// Who writes to a file needn't have our functions; a server has them.
    @Test func whatOnlyAServerComputesIsLeftOutOfFiles() throws {
        let plain = ExpressionTree.function(
            operand: nil, name: "canonical:", arguments: [.keyPath(.evaluatedObject, "maker")])
        let begins = PredicateTree.comparison(
            .init(
                .keyPath("maker"), op: .beginsWith, right: .constant(.string("a")),
                options: [.caseInsensitive]))
        let machine = car {
            $0.indexes = [
                FetchIndexSchema(
                    name: "plain",
                    elements: [
                        FetchIndexElementSchema(.expression(name: "plain", plain, resultType: .string))
                    ]),
                FetchIndexSchema(
                    name: "few", elements: [FetchIndexElementSchema(.property("doors"))],
                    partialPredicate: begins),
                index("byMaker", ("maker", true)),
            ]
        }
        let graph = ModelIndex(ModelSchema(entities: [machine]))
        let file = try LayoutBuilder.blueprint(for: graph)
        try expect(file.indexes().map { $0.name }, equals: ["Z_Car_byMaker"])
        let omitted = file.omittedIndexes
        #expect(
            omitted.count == 2 && omitted[0].contains("\"plain\" is left out: \"canonical:\""), "\(omitted)")
        #expect(omitted.last?.hasPrefix("Car: fetch index \"few\" is left out: ") == true)
        var onServer = machine
        onServer.indexes.remove(at: 1)
        let server = try LayoutBuilder.blueprint(
            for: ModelIndex(ModelSchema(entities: [onServer])), form: .postgreSQL)
        try expect(server.indexes().filter { $0.isForFetches }.count, equals: 2)
        #expect(server.omittedIndexes.isEmpty)
    }

    /// A constraint that is left out would let rows in that mustn't be.
    @Test func aConstraintIsNeverLeftOut() {
        let error = #expect(throws: LayoutFailure.self) {
            try texts(
                car {
                    $0.properties.append(toMany("parts", "Car", inverse: nil))
                    $0.uniquenessConstraints = [["parts"]]
                })
        }
        expect(error?.property, equals: "parts")
    }
}
