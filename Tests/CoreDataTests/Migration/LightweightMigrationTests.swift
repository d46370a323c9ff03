// The effect of each change of a model on a store's rows, and the refusals of migrations.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct LightweightMigrationTests {
    private let folder: TemporaryFolder
    private var url: URL { folder.file("Store.sqlite") }

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
        _ model: NSManagedObjectModel, options: [AnyHashable: Any]? = nil,
        _ body: (NSManagedObjectContext) throws -> Void
    ) throws {
        let opened = try OpenStore(url, model, options: options)
        try body(opened.context)
        try #require(opened.save() == [])
        try opened.close()
    }

    /// Opens the store with another model, which migrates it, and checks it.
    private func migrate(
        _ model: NSManagedObjectModel, options: [AnyHashable: Any] = [:],
        _ body: (NSManagedObjectContext) throws -> Void
    ) throws {
        let all = options.merging(.migrating) { first, _ in first }
        let opened = try OpenStore(url, model, options: all)
        #expect(try opened.coordinator.verify(opened.store) == [])
        try body(opened.context)
        try opened.close()
    }

    private func error(_ model: NSManagedObjectModel, _ options: [AnyHashable: Any] = .migrating) throws
        -> NSError
    {
        let before = try rows(url, "SELECT * FROM sqlite_master")
        let error = try #require(throws: NSError.self) { try OpenStore(url, model, options: options) }
        #expect(try rows(url, "SELECT * FROM sqlite_master") == before)
        return error
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

    @Test func namesAndDefaults() throws {
        let car = NSEntityDescription("Car", NSAttributeDescription.all(("color", .stringAttributeType)))
        try fill(model(car, NSEntityDescription("Other"))) { context in
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
        try migrate(model(vehicle, NSEntityDescription("Another"))) { context in
            let found = try context.all("Vehicle")
            #expect(Set(found.compactMap { $0.value(forKey: "paint") as? String }) == ["red", "grey"])
            #expect(found.map { $0.value(forKey: "wheels") as? Int } == [4, 4])
            let next = insert("Vehicle", ["paint": "blue"], in: context)
            try context.save()
            #expect(next.objectID.uriRepresentation().lastPathComponent == "p3")
        }
    }

    @Test func namesAreSwapped() throws {
        func version(_ first: String?, _ second: String?) -> NSManagedObjectModel {
            let attributes = NSAttributeDescription.all(
                ("a", .stringAttributeType), ("b", .stringAttributeType))
            attributes[0].renamingIdentifier = first
            attributes[1].renamingIdentifier = second
            attributes[0].versionHashModifier = first
            return model(NSEntityDescription("A", attributes))
        }
        try fill(version(nil, nil)) { _ = insert("A", ["a": "1", "b": "2"], in: $0) }
        try migrate(version("b", "a")) { context in
            let found = try #require(try context.all("A").first)
            #expect(found.value(forKey: "a") as? String == "2")
            #expect(found.value(forKey: "b") as? String == "1")
        }
    }

    @Test func externalValuesComeIntoTheFileAndBack() throws {
        func version(external: Bool) -> NSManagedObjectModel {
            let data = NSAttributeDescription("data", .binaryDataAttributeType)
            data.allowsExternalBinaryDataStorage = external
            return model(NSEntityDescription("A", [data]))
        }
        let small = Data([1, 0, 2, 0])
        let large = Data(repeating: 7, count: 1 << 20)
        try fill(version(external: true)) { context in
            _ = insert("A", ["data": small], in: context)
            _ = insert("A", ["data": large], in: context)
        }
        let files = folder.file(".Store_SUPPORT/_EXTERNAL_DATA")
        #expect(try FileManager.default.contentsOfDirectory(atPath: files.path).count == 1)
        for external in [false, true] {
            try migrate(version(external: external)) { context in
                let values = Set(try context.all("A").compactMap { $0.value(forKey: "data") as? Data })
                #expect(values == [small, large])
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

    @Test(arguments: [Count.one, .many, .ordered], [Count.one, .many, .ordered])
    func toOneBecomesAnything(_ pets: Count, _ owners: Count) throws {
        if (pets, owners) == (.one, .one) { return }
        try fill(people(.one, .one)) { link([[2], [], [0]], false, in: $0) }
        try migrate(people(pets, owners)) { context in
            let found = try links(context)
            #expect(found == [[2], [], [0]])
        }
    }

    @Test(arguments: [Count.many, .ordered], [Count.one, .many, .ordered])
    func toManyBecomesAnyToMany(_ pets: Count, _ owners: Count) throws {
        if (pets, owners) == (.ordered, .one) { return }
        try fill(people(.ordered, .one)) { link([[3, 1], [], [2, 0]], true, in: $0) }
        try migrate(people(pets, owners)) { context in
            let found = try links(context)
            #expect(found == (pets == .ordered ? [[3, 1], [], [2, 0]] : [[1, 3], [], [0, 2]]))
        }
    }

    @Test(arguments: [Count.one, .many, .ordered], [Count.one, .many, .ordered])
    func manyToManyBecomesAnything(_ pets: Count, _ owners: Count) throws {
        if (pets, owners) == (.many, .many) { return }
        try fill(people(.many, .many)) { link([[1, 3], [2], []], true, in: $0) }
        try migrate(people(pets, owners)) { context in
            let found = try links(context)
            #expect(found == (pets == .one ? [[1], [2], []] : [[1, 3], [2], []]))
        }
    }

    /// A pet keeps the owner that comes first: in its own order of owners, else by key. The order of what an owner
    /// keeps stays.
    @Test(arguments: [Count.many, .ordered]) func orderedManyToManyBecomesOneToMany(_ owners: Count) throws {
        try fill(people(.ordered, owners)) { context in
            link([[3, 1, 0], [0, 2, 1], []], true, in: context)
            guard owners == .ordered else { return }
            for pet in context.insertedObjects where pet.entity.name != "Person" && number(pet) == 1 {
                let mutable = pet.mutableOrderedSetValue(forKey: "owners")
                mutable.moveObjects(at: IndexSet(integer: 1), to: 0)
            }
        }
        try migrate(people(.ordered, .one)) { context in
            let found = try links(context)
            #expect(found == (owners == .ordered ? [[3, 0], [2, 1], []] : [[3, 1, 0], [2], []]))
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

    @Test func propertiesMoveUpAndDown() throws {
        try fill(family(parent: nil, ["A": ["x"], "B": ["y"]])) { context in
            let a = insert("A", ["x": "ax"], in: context)
            _ = insert("B", ["x": "bx", "y": "by", "friend": a], in: context)
        }
        try migrate(family(parent: nil, ["A": ["y"], "B": ["x"]])) { context in
            let b = try #require(try context.all("B").first)
            #expect(b.value(forKey: "x") as? String == "bx")
            #expect(b.value(forKey: "y") as? String == "by")
            #expect((b.value(forKey: "friend") as? NSManagedObject)?.entity.name == "A")
            #expect((b.value(forKey: "friend") as? NSManagedObject)?.value(forKey: "y") == nil)
        }
    }

    @Test func entitiesLeaveTheirHierarchy() throws {
        try fill(family(parent: "B", ["A": ["x"], "C": ["z"]])) { context in
            let b = insert("B", ["x": "b"], in: context)
            let c = insert("C", ["x": "c", "z": "z"], in: context)
            b.setValue(c, forKey: "friend")
            c.setValue(b, forKey: "friend")
        }
        try migrate(family(parent: nil, ["A": ["x"], "C": ["x", "z"]])) { context in
            let c = try #require(try context.all("C").first)
            #expect(c.value(forKey: "x") as? String == "c")
            #expect(c.value(forKey: "z") as? String == "z")
            let b = try #require(try context.all("A").first)
            #expect(b.value(forKey: "x") as? String == "b")
            #expect(b.value(forKey: "friend") == nil)
        }
    }

    // MARK: Refusals

    @Test func withoutTheOptionNothingHappens() throws {
        try fill(model(NSEntityDescription("A"))) { _ = insert("A", [:], in: $0) }
        let next = model(NSEntityDescription("A"), NSEntityDescription("B"))
        #expect(try error(next, [:]).code == NSPersistentStoreIncompatibleVersionHashError)
        let only = [NSMigratePersistentStoresAutomaticallyOption: true] as [AnyHashable: Any]
        #expect(try error(next, only).code == NSMigrationMissingMappingModelError)
    }

    @Test func withoutTheOlderVersionNothingHappens() throws {
        try fill(model(NSEntityDescription("A"))) { _ = insert("A", [:], in: $0) }
        _ = try rows(url, "DELETE FROM Z_MODELCACHE")
        let next = model(NSEntityDescription("A"), NSEntityDescription("B"))
        #expect(try error(next).code == NSMigrationMissingSourceModelError)
    }

    @Test func otherTypesAreRefused() throws {
        try fill(model(NSEntityDescription("A", NSAttributeDescription.all(("x", .stringAttributeType))))) {
            _ = insert("A", ["x": "1"], in: $0)
        }
        let found = try error(
            model(NSEntityDescription("A", NSAttributeDescription.all(("x", .integer64AttributeType)))))
        #expect(found.code == NSMigrationMissingMappingModelError)
        #expect(found.userInfo["entity"] as? String == "A")
        #expect(found.userInfo["property"] as? String == "x")
        let underlying = try #require(found.userInfo[NSUnderlyingErrorKey] as? NSError)
        #expect(underlying.code == NSInferredMappingModelError)
        #expect(
            underlying.userInfo["reason"] as? String
                == "Source and destination attribute types are incompatible")
    }

    @Test func mergedHierarchiesAreRefused() throws {
        try fill(model(NSEntityDescription("A"), NSEntityDescription("B"))) { _ = insert("A", [:], in: $0) }
        let (root, a, b) = (NSEntityDescription("R"), NSEntityDescription("A"), NSEntityDescription("B"))
        root.subentities = [a, b]
        let found = try error(model(root, a, b))
        #expect(found.code == NSMigrationError)
        #expect(found.userInfo["sourceRootEntities"] as? [String] == ["A", "B"])
        #expect(found.userInfo["destinationRootEntity"] as? String == "R")
    }

    @Test func valuesThatMustBeThereAreAskedFor() throws {
        let old = model(NSEntityDescription("A", NSAttributeDescription.all(("x", .stringAttributeType))))
        try fill(old) { context in
            _ = insert("A", ["x": "1"], in: context)
            _ = insert("A", [:], in: context)
        }
        let new = model(
            NSEntityDescription("A", [NSAttributeDescription("x", .stringAttributeType, optional: false)]))
        let found = try error(new)
        #expect(found.code == NSMigrationError)
        #expect(found.userInfo["attribute"] as? String == "x")
        #expect(found.userInfo["entity"] as? String == "A")
        try fill(old) { context in context.delete(try one("A", "x = nil", in: context)) }
        try migrate(new) { context in
            let found = try context.all("A")
            #expect(found.count == 1)
        }
    }

    @Test func rowsThatArentUniqueAreRefused() throws {
        func version(_ constraints: [[Any]]) -> NSManagedObjectModel {
            let entity = NSEntityDescription("A", NSAttributeDescription.all(("x", .stringAttributeType)))
            entity.uniquenessConstraints = constraints
            return model(entity)
        }
        try fill(version([])) { context in
            for _ in 0..<2 { _ = insert("A", ["x": "1"], in: context) }
        }
        #expect(try error(version([["x"]])).code == NSMigrationConstraintViolationError)
    }

    @Test func aStoreInUseIsRefused() throws {
        let old = model(NSEntityDescription("A"))
        try fill(old) { _ = insert("A", [:], in: $0) }
        let other = try OpenStore(url, old)
        #expect(try other.context.all("A").count == 1)
        let next = model(NSEntityDescription("A"), NSEntityDescription("B"))
        let found = try error(next)
        #expect(found.code == NSPersistentStoreTimeoutError)
        #expect(found.localizedFailureReason == "Another process or coordinator has the store open.")
        try other.close()
        try migrate(next) { context in
            let found = try context.all("A")
            #expect(found.count == 1)
        }
    }

    // MARK: History

    @Test func historyIsCarriedOver() throws {
        let options: [AnyHashable: Any] = [NSPersistentHistoryTrackingKey: true]
        func version(_ names: [String], extra: [String]) -> NSManagedObjectModel {
            let kept = NSAttributeDescription("kept", .stringAttributeType)
            kept.preservesValueInHistoryOnDeletion = true
            let attributes = extra.map { NSAttributeDescription($0, .stringAttributeType) }
            let model = NSManagedObjectModel()
            model.entities =
                names.map { NSEntityDescription($0) } + [
                    NSEntityDescription(
                        "M", [kept, NSAttributeDescription("v", .stringAttributeType)] + attributes)
                ]
            return model
        }
        let opened = try OpenStore(url, version(["Z"], extra: []), options: options)
        let first = insert("M", ["kept": "k"], in: opened.context)
        _ = insert("Z", [:], in: opened.context)
        try #require(opened.save() == [])
        first.setValue("2", forKey: "v")
        try #require(opened.save() == [])
        opened.context.delete(first)
        try #require(opened.save() == [])
        try opened.close()
        try migrate(version(["A", "B"], extra: ["a"]), options: options) { context in
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
            let result = try #require(try context.execute(request) as? NSPersistentHistoryResult)
            let changes = try #require(result.result as? [NSPersistentHistoryTransaction])
                .flatMap { $0.changes ?? [] }
            #expect(changes.map(\.changedObjectID.entity.name) == ["M", "M", "M"])
            #expect(changes.map(\.changeType) == [.insert, .update, .delete])
            #expect(changes[1].updatedProperties?.map(\.name) == ["v"])
            #expect(changes[2].tombstone?["kept"] as? String == "k")
        }
    }
}
