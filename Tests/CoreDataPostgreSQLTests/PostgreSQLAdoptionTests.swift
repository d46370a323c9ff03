// Stores over tables that somebody else made: a model is proposed for them, laid over them, and its objects are saved, while the
// others go on with their own SQL.

import CoreData
import CoreDataPostgreSQL
import CoreDataPostgreSQLEngine
import CoreDataSQL
import CoreDataTestSupport
import Foundation
import Testing

@Suite(.enabled(if: PostgreSQLServer.isAvailable, "\(PostgreSQLServer.requirement)"))
struct PostgreSQLAdoptionTests {
    let shelf: Shelf

    init() throws { shelf = try Shelf() }

    private func run(_ text: String) throws {
        let connection = try shelf.connection()
        for statement in text.split(separator: ";").map({ $0.trimmingCharacters(in: .whitespacesAndNewlines) }
        )
        where !statement.isEmpty { try connection.run(statement) }
    }

    /// A shop as any program would have it.
    private func makeShop() throws {
        try run("CREATE SCHEMA \(shelf.schema)")
        try run(
            """
            CREATE TABLE customers (customer_no integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            full_name varchar(80) NOT NULL, email text UNIQUE, born date, joined timestamp NOT NULL, tags text[]);
            CREATE TABLE categories (id bigserial PRIMARY KEY, name text NOT NULL,
            parent_id bigint REFERENCES categories ON DELETE SET NULL);
            CREATE TABLE products (id serial PRIMARY KEY, description text, price numeric(10,2) NOT NULL,
            in_stock boolean NOT NULL, weight real, sku uuid UNIQUE, lock_version integer NOT NULL DEFAULT 0);
            CREATE TABLE product_categories (product_id integer NOT NULL REFERENCES products ON DELETE CASCADE,
            category_id bigint NOT NULL REFERENCES categories, PRIMARY KEY (product_id, category_id));
            CREATE TABLE orders (id serial PRIMARY KEY, customer_id integer NOT NULL REFERENCES customers,
            gift_for_id integer REFERENCES customers, note text);
            CREATE TABLE order_items (id serial PRIMARY KEY,
            order_id integer NOT NULL REFERENCES orders ON DELETE CASCADE,
            product_id integer NOT NULL REFERENCES products, quantity smallint NOT NULL);
            CREATE INDEX items_by_quantity ON order_items (quantity);
            CREATE TABLE audit (at timestamptz, what text);
            INSERT INTO customers (full_name, email, born, joined) VALUES ('Ada', 'ada@x', '1815-12-10', '2020-01-02 03:04');
            INSERT INTO products (description, price, in_stock) VALUES ('Pen', 1.50, true), ('Ink', 7, false);
            INSERT INTO orders (customer_id) VALUES (1);
            INSERT INTO order_items (order_id, product_id, quantity) VALUES (1, 1, 3)
            """)
    }

    /// "Entity.property: type destination" of all properties.
    private func lines(_ model: NSManagedObjectModel) -> [String] {
        model.entities.flatMap { entity in
            entity.properties.map { property in
                let kind =
                    switch property {
                    case let attribute as NSAttributeDescription: "\(attribute.attributeType.rawValue)"
                    case let relationship as NSRelationshipDescription:
                        "\(relationship.isToMany ? "many" : "one") \(relationship.destinationEntity?.name ?? "") "
                            + "\(relationship.inverseRelationship?.name ?? "") \(relationship.deleteRule.rawValue)"
                    default: "-"
                    }
                return "\(entity.name ?? "").\(property.name)\(property.isOptional ? "?" : ""): \(kind)"
            }
        }.sorted()
    }

    @Test func aModelIsProposed() throws {
        try makeShop()
        let (model, remarks) = try PostgreSQLStore.proposedModel(for: shelf.description())
        expect(
            lines(model),
            equals: [
                "Category.categories?: many Category parent 1", "Category.name: 700",
                "Category.parent?: one Category categories 1",
                "Category.products?: many Product categories 1", "Customer.born?: 900",
                "Customer.email?: 700", "Customer.fullName: 700", "Customer.joined: 900",
                "Customer.ordersAsCustomer?: many Order customer 3",
                "Customer.ordersAsGiftFor?: many Order giftFor 1",
                "Order.customer: one Customer ordersAsCustomer 1",
                "Order.giftFor?: one Customer ordersAsGiftFor 1", "Order.note?: 700",
                "Order.orderItems?: many OrderItem order 2", "OrderItem.order: one Order orderItems 1",
                "OrderItem.product: one Product orderItems 1", "OrderItem.quantity: 100",
                "Product.categories?: many Category products 1", "Product.description2?: 700",
                "Product.inStock: 800", "Product.orderItems?: many OrderItem product 3", "Product.price: 400",
                "Product.sku?: 1100", "Product.weight?: 600",
            ])
        expect(model.entitiesByName["Customer"]?.uniquenessConstraints as? [[String]], equals: [["email"]])
        expect(model.entitiesByName["OrderItem"]?.indexes.map(\.name), equals: ["itemsByQuantity"])
        expect(
            model.entitiesByName["Product"]?.userInfo as? [String: String],
            equals: [
                "postgreSQLTable": "products", "postgreSQLKey": "id", "postgreSQLVersion": "lock_version",
            ])
        expect(
            remarks,
            equals: [
                "audit: the table is no entity: it has no primary key.",
                "customers.tags: no attribute has values of the type _text.",
            ])
    }

    /// One row for each of another table: under its own key, with a unique column, with a shared key.
    @Test func tablesOfOneRowForEachOtherAreUsable() throws {
        try run("CREATE SCHEMA \(shelf.schema)")
        try run(
            """
            CREATE TABLE users (id bigserial PRIMARY KEY, name text DEFAULT 'nobody');
            CREATE TABLE profiles (id bigserial PRIMARY KEY, user_id bigint UNIQUE REFERENCES users, text text);
            CREATE TABLE settings (user_id bigint PRIMARY KEY REFERENCES users, theme text);
            CREATE TABLE seats (id bigserial PRIMARY KEY, user_id bigint REFERENCES users, place text,
            CONSTRAINT one_seat UNIQUE (user_id, place));
            INSERT INTO users (name) VALUES ('Ann'), ('Bob');
            INSERT INTO profiles (user_id, text) VALUES (1, 'about Ann')
            """)
        let (model, remarks) = try PostgreSQLStore.proposedModel(for: shelf.description())
        expect(
            remarks,
            equals: [
                "profiles.user_id: the column is unique, so profiles of users has one member at most.",
                "settings.user_id: the foreign key settings_user_id_fkey is no relationship, as it is the key of its own row.",
                "users.name: saves write nil, where an object has no value, in place of the server's default.",
                "seats: the unique index one_seat is no constraint of the model, as it has a foreign key. The server "
                    + "refuses saves of rows that are the same in it.",
            ])
        let context = try shelf.context(nil, model)
        try context.performAndWait {
            let users = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "User"))
            let profile = try #require((users[0].value(forKey: "profiles") as? Set<NSManagedObject>)?.first)
            expect(profile.value(forKey: "text") as? String, equals: "about Ann")
            profile.setValue(users[1], forKey: "user")
            try context.save()
            expect(try shelf.rows("SELECT user_id FROM profiles"), equals: ["2"])
            expect((users[0].value(forKey: "profiles") as? NSSet)?.count, equals: 0)
        }
    }

    @Test func objectsOfTheTablesAreReadAndSaved() throws {
        try makeShop()
        let (model, _) = try PostgreSQLStore.proposedModel(for: shelf.description())
        let context = try shelf.context(nil, model)
        func all(_ entity: String, _ format: String? = nil) throws -> [NSManagedObject] {
            let request = NSFetchRequest<NSManagedObject>(entityName: entity)
            request.predicate = format.map { NSPredicate(format: $0) }
            return try context.fetch(request)
        }
        try context.performAndWait {
            let ada = try #require(try all("Customer", "email == 'ada@x'").first)
            expect(ada.value(forKey: "fullName") as? String, equals: "Ada")
            expect(ada.value(forKey: "born") as? Date, equals: Date(timeIntervalSince1970: -4_861_728_000))
            expect(ada.value(forKey: "joined") as? Date, equals: Date(timeIntervalSince1970: 1_577_934_240))
            #expect(try all("Customer", "joined < CAST(0, 'NSDate')").isEmpty)
            try expect(
                all("OrderItem", "order.customer.fullName == 'Ada' AND product.price == 1.5").count, equals: 1
            )
            // All kinds of values, new rows under each other's keys, a join table.
            func make(_ entity: String, _ values: [String: Any]) -> NSManagedObject {
                let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
                object.setValuesForKeys(values)
                return object
            }
            let bob = make("Customer", ["fullName": "Bob", "joined": Date(timeIntervalSince1970: 86_400.5)])
            let office = make("Category", ["name": "Office"])
            let child = make("Category", ["name": "Paper", "parent": office])
            let book = make(
                "Product",
                [
                    "price": Decimal(string: "12.34") as Any, "inStock": true, "weight": Float(1.5),
                    "categories": Set([child]), "sku": UUID(),
                ])
            let order = make("Order", ["customer": bob, "giftFor": ada])
            _ = make("OrderItem", ["order": order, "product": book, "quantity": 2])
            try context.save()
            ada.setValue("Ada L.", forKey: "fullName")
            try context.save()
        }
        try expect(shelf.rows("SELECT full_name FROM customers ORDER BY 1"), equals: ["Ada L.", "Bob"])
        try expect(
            shelf.rows("SELECT joined::text FROM customers WHERE full_name = 'Bob'"),
            equals: [
                "1970-01-02 00:00:00.5"
            ])
        try expect(
            shelf.rows(
                """
                SELECT c.full_name, g.full_name, i.quantity, p.price, k.name, a.name FROM order_items AS i
                JOIN orders AS o ON o.id = i.order_id JOIN customers AS c ON c.customer_no = o.customer_id
                JOIN customers AS g ON g.customer_no = o.gift_for_id JOIN products AS p ON p.id = i.product_id
                JOIN product_categories AS j ON j.product_id = p.id JOIN categories AS k ON k.id = j.category_id
                JOIN categories AS a ON a.id = k.parent_id
                """), equals: ["Bob|Ada L.|2|12.34|Paper|Office"])
        // Others go on as before, with the server's own keys.
        try run(
            """
            INSERT INTO customers (full_name, joined) VALUES ('Eve', now());
            INSERT INTO orders (customer_id) SELECT customer_no FROM customers WHERE full_name = 'Eve'
            """)
        try context.performAndWait {
            try expect(all("Order", "customer.fullName == 'Eve'").count, equals: 1)
            // Deletions by rules of the model and of the server together.
            let order = try #require(try all("Order", "customer.fullName == 'Bob'").first)
            context.delete(order)
            let office = try #require(try all("Category", "name == 'Office'").first)
            context.delete(office)
            try context.save()
        }
        try expect(shelf.rows("SELECT count(*) FROM order_items"), equals: ["1"])
        try expect(shelf.rows("SELECT name, parent_id FROM categories"), equals: ["Paper|-"])
    }

    /// A row that another program has changed since is a conflict, though that program knows nothing of versions.
    @Test func othersChangesAreConflicts() throws {
        try makeShop()
        let (model, _) = try PostgreSQLStore.proposedModel(for: shelf.description())
        let context = try shelf.context(nil, model)
        try context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Product")
            request.predicate = NSPredicate(format: "description2 == 'Pen'")
            let pen = try #require(try context.fetch(request).first)
            pen.setValue("Fountain pen", forKey: "description2")
            try run("UPDATE products SET price = 2 WHERE description = 'Pen'")
            try expect(shelf.rows("SELECT lock_version FROM products ORDER BY id"), equals: ["1", "0"])
            let error = try #require(throws: NSError.self) { try context.save() }
            expect(error.code, equals: NSManagedObjectMergeError)
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try context.save()
            try expect(
                shelf.rows("SELECT description, price FROM products ORDER BY id LIMIT 1"),
                equals: [
                    "Fountain pen|2"
                ])
        }
    }

    private var definition: [String] {
        get throws {
            try shelf.rows(
                """
                SELECT c.relname::text, a.attname::text, format_type(a.atttypid, a.atttypmod), a.attnotnull
                FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0
                WHERE c.relnamespace = '\(shelf.schema)'::regnamespace AND NOT a.attisdropped ORDER BY 1, a.attnum
                """)
        }
    }

    /// Tables get two columns, a trigger and foreign keys that can be deferred, and lose the columns with the store.
    @Test func nothingElseOfTheTablesChanges() throws {
        try makeShop()
        let before = try definition
        let (model, _) = try PostgreSQLStore.proposedModel(for: shelf.description())
        _ = try shelf.context(nil, model)
        let added = Set(try definition).subtracting(before)
        expect(
            added,
            equals: Set(
                ["categories", "customers", "order_items", "orders"].flatMap {
                    ["\($0)|object_entity|bigint|1", "\($0)|object_version|bigint|1"]
                } + ["products|object_entity|bigint|1"]))
        try expect(
            shelf.rows(
                """
                SELECT DISTINCT condeferrable, condeferred FROM pg_constraint WHERE contype = 'f'
                AND connamespace = '\(shelf.schema)'::regnamespace
                """), equals: ["1|0"])
        _ = try shelf.context(nil, model)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.destroyPersistentStore(
            at: try #require(shelf.description().url), ofType: PostgreSQLStore.type)
        try expect(definition, equals: before)
        try expect(shelf.rows("SELECT count(*) FROM products"), equals: ["2"])
        try expect(
            shelf.rows(
                "SELECT count(*) FROM pg_trigger WHERE NOT tgisinternal AND tgrelid = 'products'::regclass"),
            equals: ["0"])
    }

    @Test(arguments: [
        ("id text PRIMARY KEY, name text", "must be a unique integer"),
        ("id integer, name text", "must be a unique integer"),
        ("id integer PRIMARY KEY, name bytea", "is of the type bytea"),
        ("id integer PRIMARY KEY", "has no column \"name\""),
        ("number integer PRIMARY KEY, name text", "has no column \"id\" for the key"),
    ])
    func tablesThatDontFitAreRefused(_ columns: String, _ reason: String) throws {
        try run("CREATE SCHEMA \(shelf.schema); CREATE TABLE things (\(columns))")
        let thing = NSEntityDescription()
        thing.name = "Thing"
        thing.userInfo = ["postgreSQLTable": "things", "postgreSQLKey": "id"]
        let name = NSAttributeDescription()
        (name.name, name.attributeType, name.isOptional) = ("name", .stringAttributeType, true)
        thing.properties = [name]
        let model = NSManagedObjectModel()
        model.entities = [thing]
        let error = try #require(throws: NSError.self) { try shelf.context(nil, model) }
        expect(error.localizedFailureReason?.contains(reason), equals: true)
        try expect(
            shelf.rows("SELECT count(*) FROM pg_namespace WHERE nspname = 'coredata_\(shelf.schema)'"),
            equals: ["0"])
    }

    /// Without tables that exist the names are those of new ones.
    @Test func newTablesHaveTheStatedNames() throws {
        let model = Shelf.model()
        let author = try #require(model.entitiesByName["Author"])
        author.userInfo = ["postgreSQLTable": "Writers", "postgreSQLKey": "no", "postgreSQLVersion": "v"]
        author.attributesByName["name"]?.userInfo = ["postgreSQLColumn": "full name"]
        let book = try #require(model.entitiesByName["PrintedBook"])
        book.relationshipsByName["firstAuthor"]?.userInfo = ["postgreSQLColumn": "writer"]
        book.relationshipsByName["tags"]?.userInfo = [
            "postgreSQLTable": "labels", "postgreSQLColumn": "tag",
        ]
        let context = try shelf.context(nil, model)
        try shelf.fill(context)
        try expect(
            shelf.rows(
                """
                SELECT w.v, t.name, b.title FROM "Writers" AS w JOIN printed_book AS b ON b.writer = w.no
                JOIN labels AS l ON l.books_id = b.object_id JOIN tag AS t ON t.object_id = l.tag
                WHERE w."full name" LIKE 'Mary%'
                """), equals: ["1|gothic|Frankenstein"])
    }
}
