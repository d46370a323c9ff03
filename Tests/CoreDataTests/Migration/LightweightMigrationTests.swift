// The effect of each change of a model on a store's rows, and the refusals of migrations.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct LightweightMigrationTests {
    private let folder: TemporaryFolder

    /// The store's place.
    private func url(_ kind: StoreKind) throws -> URL {
        StoreKind.register()
        return try #require(try StoreKind.place(kind.type, folder, "Store.sqlite"))
    }

    init() throws {
        folder = try TemporaryFolder()
    }

    private func model(_ entities: NSEntityDescription...) -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        model.entities = entities
        return model
    }

    /// Makes a store of a model and fills it.
    private func fill(
        _ kind: StoreKind, _ model: NSManagedObjectModel, options: [AnyHashable: Any]? = nil,
        _ body: (NSManagedObjectContext) throws -> Void
    ) throws {
        let opened = try OpenStore(url(kind), model, options: options)
        try body(opened.context)
        try #require(opened.save() == [])
        try opened.close()
    }

    /// Opens the store with another model, which migrates it, and checks it.
    private func migrate(
        _ kind: StoreKind, _ model: NSManagedObjectModel, options: [AnyHashable: Any] = [:],
        _ body: (NSManagedObjectContext) throws -> Void
    ) throws {
        let all = options.merging(.migrating) { first, _ in first }
        let opened = try OpenStore(url(kind), model, options: all)
        try expect(opened.coordinator.verify(opened.store), equals: [])
        try body(opened.context)
        try opened.close()
    }

    private func error(
        _ kind: StoreKind, _ model: NSManagedObjectModel, _ options: [AnyHashable: Any] = .migrating
    ) throws -> NSError {
        let before = try definitions(kind)
        let error = try #require(throws: NSError.self) { try OpenStore(url(kind), model, options: options) }
        try expect(definitions(kind), equals: before)
        return error
    }

    /// What the store's database says of its tables.
    private func definitions(_ kind: StoreKind) throws -> [[String]] {
        if kind == .sqlite { return try rows(url(kind), "SELECT * FROM sqlite_master") }
        return try ServerRows(url(kind)).rows(
            """
            SELECT table_name::text, column_name::text, data_type::text FROM information_schema.columns \
            WHERE table_schema = current_schema() ORDER BY 1, 2
            """)
    }

    private func insert(_ name: String, _ values: [String: Any], in context: NSManagedObjectContext)
        -> NSManagedObject
    {
        let object = NSEntityDescription.insertNewObject(forEntityName: name, into: context)
        object.setValuesForKeys(values)
        return object
    }

    private func one(_ name: String, _ format: String, in context: NSManagedObjectContext) throws
        -> NSManagedObject
    {
        let request = NSFetchRequest<NSManagedObject>(entityName: name)
        request.predicate = NSPredicate(format: format)
        return try #require(try context.fetch(request).first)
    }

    // MARK: Attributes and entities

    @Test(arguments: StoreKind.inPlace) func namesAndDefaults(_ kind: StoreKind) throws {
        let car = NSEntityDescription("Car", NSAttributeDescription.all(("color", .stringAttributeType)))
        try fill(kind, model(car, NSEntityDescription("Other"))) { context in
            _ = insert("Car", ["color": "red"], in: context)
            _ = insert("Car", [:], in: context)
        }
        let paint = NSAttributeDescription("paint", .stringAttributeType, optional: false)
        paint.renamingIdentifier = "color"
        paint.defaultValue = "grey"
        let wheels = NSAttributeDescription("wheels", .integer16AttributeType, optional: false)
        wheels.defaultValue = 4
        let vehicle = NSEntityDescription("Vehicle", [paint, wheels])
        vehicle.renamingIdentifier = "Car"
        try migrate(kind, model(vehicle, NSEntityDescription("Another"))) { context in
            let found = try context.all("Vehicle")
            expect(Set(found.compactMap { $0.value(forKey: "paint") as? String }), equals: ["red", "grey"])
            expect(found.map { $0.value(forKey: "wheels") as? Int }, equals: [4, 4])
            let next = insert("Vehicle", ["paint": "blue"], in: context)
            try context.save()
            // A server gives out keys by blocks.
            let key = kind == .sqlite ? "p3" : "p65"
            expect(next.objectID.uriRepresentation().lastPathComponent, equals: key)
        }
    }

    @Test(arguments: StoreKind.inPlace) func namesAreSwapped(_ kind: StoreKind) throws {
        func version(_ first: String?, _ second: String?) -> NSManagedObjectModel {
            let attributes = NSAttributeDescription.all(
                ("a", .stringAttributeType), ("b", .stringAttributeType))
            attributes[0].renamingIdentifier = first
            attributes[1].renamingIdentifier = second
            attributes[0].versionHashModifier = first
            return model(NSEntityDescription("A", attributes))
        }
        try fill(kind, version(nil, nil)) { _ = insert("A", ["a": "1", "b": "2"], in: $0) }
        try migrate(kind, version("b", "a")) { context in
            let found = try #require(try context.all("A").first)
            expect(found.value(forKey: "a") as? String, equals: "2")
            expect(found.value(forKey: "b") as? String, equals: "1")
        }
    }

    @Test func externalValuesComeIntoTheFileAndBack() throws {
        let kind = StoreKind.sqlite
        func version(external: Bool) -> NSManagedObjectModel {
            let data = NSAttributeDescription("data", .binaryDataAttributeType)
            data.allowsExternalBinaryDataStorage = external
            return model(NSEntityDescription("A", [data]))
        }
        let small = Data([1, 0, 2, 0])
        let large = Data(repeating: 7, count: 1 << 20)
        try fill(kind, version(external: true)) { context in
            _ = insert("A", ["data": small], in: context)
            _ = insert("A", ["data": large], in: context)
        }
        let files = folder.file(".Store_SUPPORT/_EXTERNAL_DATA")
        try expect(FileManager.default.contentsOfDirectory(atPath: files.path).count, equals: 1)
        for external in [false, true] {
            try migrate(kind, version(external: external)) { context in
                let values = Set(try context.all("A").compactMap { $0.value(forKey: "data") as? Data })
                expect(values, equals: [small, large])
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: files.path).isEmpty)
        }
    }

    // MARK: Relationships

    /// Two entities linked so: every person `p` has the numbered pets of `links[p]`, in order.
    private func people(_ pets: NSRelationshipDescription.Count, _ owners: NSRelationshipDescription.Count)
        -> NSManagedObjectModel
    {
        let person = NSEntityDescription("Person", NSAttributeDescription.all(("n", .integer64AttributeType)))
        let pet = NSEntityDescription("Pet", NSAttributeDescription.all(("n", .integer64AttributeType)))
        let cat = NSEntityDescription("Cat")
        pet.subentities = [cat]
        NSRelationshipDescription.connect(person, "pets", pets, pet, "owners", owners)
        return model(person, pet, cat)
    }

    private func link(_ links: [[Int]], _ isToMany: Bool, in context: NSManagedObjectContext) {
        let pets = (0..<4).map { number in
            insert(number == 2 ? "Cat" : "Pet", ["n": number], in: context)
        }
        for (number, members) in links.enumerated() {
            let person = insert("Person", ["n": number], in: context)
            if isToMany {
                person.setValue(NSOrderedSet(array: members.map { pets[$0] }), forKey: "pets")
            } else {
                person.setValue(members.first.map { pets[$0] }, forKey: "pets")
            }
        }
    }

    private func links(_ context: NSManagedObjectContext) throws -> [[Int]] {
        let people = try context.all("Person").sorted { number($0) < number($1) }
        return people.map { person in
            switch person.value(forKey: "pets") {
            case let pet as NSManagedObject: [number(pet)]
            case let pets as NSOrderedSet: pets.compactMap { ($0 as? NSManagedObject).map(number) }
            case let pets as Set<NSManagedObject>: pets.map(number).sorted()
            default: []
            }
        }
    }

    private func number(_ object: NSManagedObject) -> Int { object.value(forKey: "n") as? Int ?? -1 }

    typealias Count = NSRelationshipDescription.Count

    /// All forms of the two sides.
    static let forms: [(Count, Count)] = [Count.one, .many, .ordered].flatMap { pets in
        [Count.one, .many, .ordered].map { (pets, $0) }
    }

    @Test(arguments: forms, StoreKind.inPlace)
    func toOneBecomesAnything(_ form: (Count, Count), _ kind: StoreKind) throws {
        let (pets, owners) = form
        if form == (.one, .one) { return }
        try fill(kind, people(.one, .one)) { link([[2], [], [0]], false, in: $0) }
        try migrate(kind, people(pets, owners)) { context in
            let found = try links(context)
            expect(found, equals: [[2], [], [0]])
        }
    }

    @Test(arguments: forms.filter { $0.0 != .one }, StoreKind.inPlace)
    func toManyBecomesAnyToMany(_ form: (Count, Count), _ kind: StoreKind) throws {
        let (pets, owners) = form
        if form == (.ordered, .one) { return }
        try fill(kind, people(.ordered, .one)) { link([[3, 1], [], [2, 0]], true, in: $0) }
        try migrate(kind, people(pets, owners)) { context in
            let found = try links(context)
            expect(found, equals: (pets == .ordered ? [[3, 1], [], [2, 0]] : [[1, 3], [], [0, 2]]))
        }
    }

    @Test(arguments: forms, StoreKind.inPlace)
    func manyToManyBecomesAnything(_ form: (Count, Count), _ kind: StoreKind) throws {
        let (pets, owners) = form
        if form == (.many, .many) { return }
        try fill(kind, people(.many, .many)) { link([[1, 3], [2], []], true, in: $0) }
        try migrate(kind, people(pets, owners)) { context in
            let found = try links(context)
            expect(found, equals: (pets == .one ? [[1], [2], []] : [[1, 3], [2], []]))
        }
    }

    /// A pet keeps the owner that comes first: in its own order of owners, else by key. The order of what an owner
    /// keeps stays.
    @Test(arguments: [Count.many, .ordered], StoreKind.inPlace)
    func orderedManyToManyBecomesOneToMany(_ owners: Count, _ kind: StoreKind) throws {
        try fill(kind, people(.ordered, owners)) { context in
            link([[3, 1, 0], [0, 2, 1], []], true, in: context)
            guard owners == .ordered else { return }
            for pet in context.insertedObjects where pet.entity.name != "Person" && number(pet) == 1 {
                let mutable = pet.mutableOrderedSetValue(forKey: "owners")
                mutable.moveObjects(at: IndexSet(integer: 1), to: 0)
            }
        }
        try migrate(kind, people(.ordered, .one)) { context in
            let found = try links(context)
            expect(found, equals: (owners == .ordered ? [[3, 0], [2, 1], []] : [[3, 1, 0], [2], []]))
        }
    }

    // MARK: Hierarchies

    private func family(parent: String?, _ attributes: [String: [String]]) -> NSManagedObjectModel {
        let entities = ["A", "B", "C"].map { name in
            NSEntityDescription(
                name, (attributes[name] ?? []).map { NSAttributeDescription($0, .stringAttributeType) })
        }
        let links = NSRelationshipDescription("friend", to: entities[0], .one)
        let back = NSRelationshipDescription("friends", to: entities[0], .many)
        (links.inverseRelationship, back.inverseRelationship) = (back, links)
        entities[0].properties += [links, back]
        entities[0].subentities = [entities[1]]
        entities[1].subentities = parent == "B" ? [entities[2]] : []
        return model(entities[0], entities[1], entities[2])
    }

    @Test(arguments: StoreKind.inPlace) func propertiesMoveUpAndDown(_ kind: StoreKind) throws {
        try fill(kind, family(parent: nil, ["A": ["x"], "B": ["y"]])) { context in
            let a = insert("A", ["x": "ax"], in: context)
            _ = insert("B", ["x": "bx", "y": "by", "friend": a], in: context)
        }
        try migrate(kind, family(parent: nil, ["A": ["y"], "B": ["x"]])) { context in
            let b = try #require(try context.all("B").first)
            expect(b.value(forKey: "x") as? String, equals: "bx")
            expect(b.value(forKey: "y") as? String, equals: "by")
            expect((b.value(forKey: "friend") as? NSManagedObject)?.entity.name, equals: "A")
            #expect((b.value(forKey: "friend") as? NSManagedObject)?.value(forKey: "y") == nil)
        }
    }

    @Test(arguments: StoreKind.inPlace) func entitiesLeaveTheirHierarchy(_ kind: StoreKind) throws {
        try fill(kind, family(parent: "B", ["A": ["x"], "C": ["z"]])) { context in
            let b = insert("B", ["x": "b"], in: context)
            let c = insert("C", ["x": "c", "z": "z"], in: context)
            b.setValue(c, forKey: "friend")
            c.setValue(b, forKey: "friend")
        }
        try migrate(kind, family(parent: nil, ["A": ["x"], "C": ["x", "z"]])) { context in
            let c = try #require(try context.all("C").first)
            expect(c.value(forKey: "x") as? String, equals: "c")
            expect(c.value(forKey: "z") as? String, equals: "z")
            let b = try #require(try context.all("A").first)
            expect(b.value(forKey: "x") as? String, equals: "b")
            #expect(b.value(forKey: "friend") == nil)
        }
    }

    // MARK: Refusals

    @Test(arguments: StoreKind.inPlace) func withoutTheOptionNothingHappens(_ kind: StoreKind) throws {
        try fill(kind, model(NSEntityDescription("A"))) { _ = insert("A", [:], in: $0) }
        let next = model(NSEntityDescription("A"), NSEntityDescription("B"))
        try expect(error(kind, next, [:]).code, equals: NSPersistentStoreIncompatibleVersionHashError)
        let only = [NSMigratePersistentStoresAutomaticallyOption: true] as [AnyHashable: Any]
        try expect(error(kind, next, only).code, equals: NSMigrationMissingMappingModelError)
    }

    @Test func withoutTheOlderVersionNothingHappens() throws {
        let kind = StoreKind.sqlite
        try fill(kind, model(NSEntityDescription("A"))) { _ = insert("A", [:], in: $0) }
        _ = try rows(url(kind), "DELETE FROM Z_MODELCACHE")
        let next = model(NSEntityDescription("A"), NSEntityDescription("B"))
        try expect(error(kind, next).code, equals: NSMigrationMissingSourceModelError)
    }

    @Test(arguments: StoreKind.inPlace) func otherTypesAreRefused(_ kind: StoreKind) throws {
        try fill(
            kind, model(NSEntityDescription("A", NSAttributeDescription.all(("x", .stringAttributeType))))
        ) {
            _ = insert("A", ["x": "1"], in: $0)
        }
        let found = try error(
            kind,
            model(NSEntityDescription("A", NSAttributeDescription.all(("x", .integer64AttributeType)))))
        expect(found.code, equals: NSMigrationMissingMappingModelError)
        expect(found.userInfo["entity"] as? String, equals: "A")
        expect(found.userInfo["property"] as? String, equals: "x")
        let underlying = try #require(found.userInfo[NSUnderlyingErrorKey] as? NSError)
        expect(underlying.code, equals: NSInferredMappingModelError)
        expect(
            underlying.userInfo["reason"] as? String,
            equals: "Source and destination attribute types are incompatible")
    }

    @Test(arguments: StoreKind.inPlace) func mergedHierarchiesAreRefused(_ kind: StoreKind) throws {
        try fill(kind, model(NSEntityDescription("A"), NSEntityDescription("B"))) {
            _ = insert("A", [:], in: $0)
        }
        let (root, a, b) = (NSEntityDescription("R"), NSEntityDescription("A"), NSEntityDescription("B"))
        root.subentities = [a, b]
        let found = try error(kind, model(root, a, b))
        expect(found.code, equals: NSMigrationError)
        expect(found.userInfo["sourceRootEntities"] as? [String], equals: ["A", "B"])
        expect(found.userInfo["destinationRootEntity"] as? String, equals: "R")
    }

    @Test(arguments: StoreKind.inPlace) func valuesThatMustBeThereAreAskedFor(_ kind: StoreKind) throws {
        let old = model(NSEntityDescription("A", NSAttributeDescription.all(("x", .stringAttributeType))))
        try fill(kind, old) { context in
            _ = insert("A", ["x": "1"], in: context)
            _ = insert("A", [:], in: context)
        }
        let new = model(
            NSEntityDescription("A", [NSAttributeDescription("x", .stringAttributeType, optional: false)]))
        let found = try error(kind, new)
        expect(found.code, equals: NSMigrationError)
        expect(found.userInfo["attribute"] as? String, equals: "x")
        expect(found.userInfo["entity"] as? String, equals: "A")
        try fill(kind, old) { context in context.delete(try one("A", "x = nil", in: context)) }
        try migrate(kind, new) { context in
            let found = try context.all("A")
            expect(found.count, equals: 1)
        }
    }

    @Test(arguments: StoreKind.inPlace) func rowsThatArentUniqueAreRefused(_ kind: StoreKind) throws {
        func version(_ constraints: [[Any]]) -> NSManagedObjectModel {
            let entity = NSEntityDescription("A", NSAttributeDescription.all(("x", .stringAttributeType)))
            entity.uniquenessConstraints = constraints
            return model(entity)
        }
        try fill(kind, version([])) { context in
            for _ in 0..<2 { _ = insert("A", ["x": "1"], in: context) }
        }
        try expect(error(kind, version([["x"]])).code, equals: NSMigrationConstraintViolationError)
    }

    @Test(arguments: StoreKind.inPlace) func aStoreInUseIsRefused(_ kind: StoreKind) throws {
        let old = model(NSEntityDescription("A"))
        try fill(kind, old) { _ = insert("A", [:], in: $0) }
        let other = try OpenStore(url(kind), old)
        try expect(other.context.all("A").count, equals: 1)
        let next = model(NSEntityDescription("B"))
        let found = try error(kind, next)
        expect(found.code, equals: NSPersistentStoreTimeoutError)
        let reason = try #require(found.localizedFailureReason)
        #expect(reason.hasPrefix("Another process or coordinator has the store open"))
        #expect(kind == .sqlite || reason.contains("of the server"))
        try other.close()
        try migrate(kind, next) { context in
            let found = try context.all("B")
            #expect(found.isEmpty)
        }
    }
}
