import CoreData
import CoreDataTestSupport
import Testing

/// Derived attributes of every documented form, in stores of databases.
@Suite struct DerivedAttributeTests {
    private static let types = [NSSQLiteStoreType] + StoreKind.serverTypes

    static func derived(
        _ name: String, _ type: NSAttributeType, _ expression: String
    ) -> NSDerivedAttributeDescription {
        let attribute = NSDerivedAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = true
        attribute.derivationExpression = NSExpression(format: expression)
        return attribute
    }

    static func model() -> NSManagedObjectModel {
        let author = NSEntityDescription("Author", NSAttributeDescription.all(("name", .stringAttributeType)))
        let poet = NSEntityDescription("Poet")
        let country = NSEntityDescription(
            "Country", NSAttributeDescription.all(("name", .stringAttributeType)))
        let book = NSEntityDescription(
            "Book",
            NSAttributeDescription.all(("title", .stringAttributeType), ("pages", .integer32AttributeType)))
        let tag = NSEntityDescription("Tag", NSAttributeDescription.all(("word", .stringAttributeType)))
        NSRelationshipDescription.connect(country, "authors", .many, author, "country", .one)
        NSRelationshipDescription.connect(author, "books", .many, book, "author", .one)
        NSRelationshipDescription.connect(book, "tags", .many, tag, "books", .many)
        author.properties += [
            derived("bookCount", .integer64AttributeType, "books.@count"),
            derived("pageSum", .integer64AttributeType, "books.@sum.pages"),
            derived("searchName", .stringAttributeType, "canonical:(name)"),
            derived("countryName", .stringAttributeType, "country.name"),
            derived("changed", .dateAttributeType, "now()"),
        ]
        poet.properties = [derived("loud", .stringAttributeType, "uppercase:(name)")]
        author.subentities = [poet]
        book.properties += [
            derived("homeland", .stringAttributeType, "lowercase:(author.country.name)"),
            derived("tagCount", .integer64AttributeType, "tags.@count"),
        ]
        tag.properties += [derived("pageSum", .integer64AttributeType, "books.@sum.pages")]
        let model = NSManagedObjectModel()
        model.entities = [author, poet, country, book, tag]
        return model
    }

    private func number(_ object: NSManagedObject, _ key: String) -> Int? {
        object.value(forKey: key) as? Int
    }

    @Test(arguments: types) func valuesFollowEverySave(_ type: String) throws {
        let stack = try TestStack(type: type, model: Self.model())
        try stack.context.run { () throws in
            let context = stack.context
            let france = context.make("Country", ["name": "France"])
            let author = context.make("Author", ["name": "Éluard", "country": france])
            let poet = context.make("Poet", ["name": "Ponge"])
            #expect(author.value(forKey: "bookCount") == nil && author.value(forKey: "changed") == nil)
            let start = Date()
            try context.save()
            #expect(number(author, "bookCount") == 0 && number(author, "pageSum") == 0)
            #expect(author.text("searchName") == "eluard" && author.text("countryName") == "France")
            #expect(poet.text("loud") == "PONGE" && poet.text("searchName") == "ponge")
            #expect(poet.value(forKey: "countryName") == nil)
            let first = try #require(author.value(forKey: "changed") as? Date)
            #expect(first >= start.addingTimeInterval(-1) && first <= Date().addingTimeInterval(1))

            let long = context.make("Book", ["title": "L", "pages": 300, "author": author])
            let short = context.make("Book", ["title": "S", "pages": 40, "author": author])
            try context.save()
            #expect(number(author, "bookCount") == 2 && number(author, "pageSum") == 340)
            expect(long.text("homeland"), equals: "france")
            #expect(!author.hasChanges && !context.hasChanges)

            short.setValue(poet, forKey: "author")
            short.setValue(140, forKey: "pages")
            france.setValue("Gaul", forKey: "name")
            try context.save()
            #expect(number(author, "bookCount") == 1 && number(author, "pageSum") == 300)
            expect(number(poet, "bookCount"), equals: 1)
            #expect(author.text("countryName") == "Gaul" && long.text("homeland") == "gaul")
            #expect(short.value(forKey: "homeland") == nil)

            context.delete(long)
            author.setValue(nil, forKey: "country")
            try context.save()
            #expect(number(author, "bookCount") == 0 && number(author, "pageSum") == 0)
            #expect(author.value(forKey: "countryName") == nil)
        }
    }

    @Test(arguments: types) func valuesFollowManyToManyRelationships(_ type: String) throws {
        let stack = try TestStack(type: type, model: Self.model())
        try stack.context.run { () throws in
            let context = stack.context
            let books = [10, 20].map { context.make("Book", ["pages": $0]) }
            let tags = ["a", "b"].map { context.make("Tag", ["word": $0]) }
            books[0].setValue(Set(tags), forKey: "tags")
            books[1].setValue(Set([tags[0]]), forKey: "tags")
            try context.save()
            expect(books.map { number($0, "tagCount") }, equals: [2, 1])
            expect(tags.map { number($0, "pageSum") }, equals: [30, 10])
            books[0].setValue(Set<NSManagedObject>(), forKey: "tags")
            books[1].setValue(25, forKey: "pages")
            try context.save()
            expect(books.map { number($0, "tagCount") }, equals: [0, 1])
            expect(tags.map { number($0, "pageSum") }, equals: [25, 0])
        }
    }

    @Test(arguments: types) func fetchesAndBatchesSeeThem(_ type: String) throws {
        let stack = try TestStack(type: type, model: Self.model())
        try stack.context.run { () throws in
            let context = stack.context
            _ = context.make("Author", ["name": "Ümit"])
            try context.save()
            let insert = NSBatchInsertRequest(entityName: "Author", objects: [["name": "Žižek"]])
            try context.execute(insert)
            let update = NSBatchUpdateRequest(entityName: "Author")
            update.predicate = NSPredicate(format: "searchName == 'umit'")
            update.propertiesToUpdate = ["name": "Ångström"]
            try context.execute(update)
            let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
            request.sortDescriptors = [NSSortDescriptor(key: "searchName", ascending: true)]
            context.reset()
            try expect(context.fetch(request).map { $0.text("searchName") }, equals: ["angstrom", "zizek"])
        }
    }

    /// Apple's framework doesn't know our functions: what calls them mustn't be in the file.
    @Test func onlyPortableTriggersAreInTheFile() throws {
        let stack = try TestStack(model: Self.model())
        let database = try RawDatabase(stack.url)
        let triggers = try database.rows("SELECT sql FROM sqlite_master WHERE type = 'trigger'")
            .compactMap { $0[0] }
        #expect(triggers.contains { $0.contains("Z_DA_ZBOOK_Author_bookCount_PARAMETER_INSERT") })
        #expect(triggers.contains { $0.contains("Z_DA_ZAUTHOR_Author_changed_UPDATE AFTER UPDATE OF Z_OPT") })
        let foreign = ["NSCoreDataCanonical", "NSCoreDataUppercase", "NSCoreDataLowercase"]
        #expect(!triggers.contains { text in foreign.contains { text.contains($0) } })
    }

    /// A store that was made without triggers: those of the connection keep it, and the file stays as it is.
    @Test func storesWithoutTriggersAreKeptToo() throws {
        let stack = try TestStack(model: Self.model())
        let store = try #require(stack.coordinator.persistentStores.first)
        try stack.coordinator.remove(store)
        let database = try RawDatabase(stack.url)
        for name in try database.rows("SELECT name FROM sqlite_master WHERE type = 'trigger'") {
            try database.run("DROP TRIGGER \(name[0] ?? "")")
        }
        try stack.coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: stack.url, options: nil)
        try stack.context.run { () throws in
            let author = stack.context.make("Author", ["name": "Ø"])
            _ = stack.context.make("Book", ["pages": 5, "author": author])
            try stack.context.save()
            #expect(number(author, "bookCount") == 1 && number(author, "pageSum") == 5)
        }
        #expect(try database.rows("SELECT name FROM sqlite_master WHERE type = 'trigger'").isEmpty)
    }

    /// The attributes are new: old rows get their values, and later saves keep them.
    @Test func aMigrationComputesThem() throws {
        let older = Self.model()
        for entity in older.entities {
            entity.properties.removeAll { $0 is NSDerivedAttributeDescription }
        }
        let stack = try TestStack(model: older)
        try stack.context.run { () throws in
            let author = stack.context.make("Author", ["name": "Éluard"])
            for pages in [10, 20] { _ = stack.context.make("Book", ["pages": pages, "author": author]) }
            try stack.context.save()
        }
        try stack.coordinator.remove(stack.coordinator.persistentStores[0])
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: stack.url,
            options: [
                NSMigratePersistentStoresAutomaticallyOption: true,
                NSInferMappingModelAutomaticallyOption: true,
            ])
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.run { () throws in
            let author = try #require(
                try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Author")).first)
            #expect(number(author, "bookCount") == 2 && number(author, "pageSum") == 30)
            expect(author.text("searchName"), equals: "eluard")
            _ = context.make("Book", ["pages": 5, "author": author])
            try context.save()
            #expect(number(author, "bookCount") == 3 && number(author, "pageSum") == 35)
        }
    }

    @Test(arguments: [
        "books.author.@count", "name.@count", "nothing", "country.books.pages.@sum", "name + 'x'",
    ])
    func otherExpressionsAreRefusedWithTheProperty(expression: String) throws {
        let model = Self.model()
        model.entitiesByName["Author"]?.properties.append(
            Self.derived("odd", .stringAttributeType, expression))
        let error = #expect(throws: NSError.self) { _ = try TestStack(model: model) }
        expect(error?.localizedFailureReason?.contains("\"odd\" of entity \"Author\""), equals: true)
    }

    /// Rows that only triggers wrote are updates in the history of the save that made them.
    @Test(arguments: StoreKind.tracking) func theHistoryHasWhatTriggersChanged(_ kind: StoreKind) throws {
        let fixture = try HistoryFixture(Self.model(), on: kind)
        try fixture.context.run { () throws in
            let context = fixture.context
            let france = context.make("Country", ["name": "France"])
            let author = context.make("Author", ["name": "Hugo", "country": france])
            let other = context.make("Author", ["name": "Ponge"])
            try context.save()
            let book = context.make("Book", ["pages": 100, "author": author])
            try context.save()
            book.setValue(120, forKey: "pages")
            try context.save()
            france.setValue("La France", forKey: "name")
            other.setValue("Francis Ponge", forKey: "name")
            try context.save()
            context.delete(book)
            try context.save()
        }
        let told = try fixture.transactions().map { transaction in
            try #require(transaction.changes).map { change in
                let names = (change.updatedProperties ?? []).map(\.name).sorted().joined(separator: ",")
                return "\(change.changedObjectID.entity.name ?? "") \(change.changeType.rawValue) \(names)"
            }.sorted()
        }
        expect(told.count, equals: 5)
        expect(told[0], equals: ["Author 0 ", "Author 0 ", "Country 0 "])
        expect(told[1], equals: ["Author 1 bookCount,books,changed,pageSum", "Book 0 "])
        expect(told[2], equals: ["Author 1 pageSum", "Book 1 pages"])
        expect(
            told[3],
            equals: [
                "Author 1 changed,name,searchName", "Author 1 countryName", "Book 1 homeland",
                "Country 1 name",
            ])
        expect(told[4], equals: ["Author 1 bookCount,books,changed,pageSum", "Book 2 "])
    }
}
