// A model with attributes of all kinds, entities that inherit, and relationships of all kinds; and objects of it.

import CoreData
import CoreDataTestSupport
import Foundation
import StoreTools

struct MoveModel {
    let folder: TemporaryFolder
    let path: String
    let model: NSManagedObjectModel

    init() throws {
        folder = try TemporaryFolder()
        let file = folder.file("Move.xcdatamodel")
        path = file.path
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
        try Data(Self.text.utf8).write(to: file.appendingPathComponent("contents"))
        model = try NSManagedObjectModel.read(from: file)
    }

    /// Makes a store, with objects unless there are to be none.
    func makeStore(_ place: String, count: Int) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        model.hasNoClasses = true
        let store = try StoreAddress(place).open(in: coordinator)
        var metadata = coordinator.metadata(for: store)
        metadata["owner"] = "Ann"
        coordinator.setMetadata(metadata, for: store)
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        if count > 0 { try context.performAndWait { try fill(context, count: count, seed: 7) } }
        try coordinator.remove(store)
    }

    /// All objects of a store, as an export writes them.
    func contents(_ place: String) throws -> [String: [String]] {
        let store = try OpenStore(path: place)
        defer { try? store.close() }
        var contents: [String: [String]] = [:]
        for entity in store.entities where !entity.isAbstract {
            var query = try StoreQuery(entity, withToMany: true)
            query.includesSubentities = false
            for object in try store.context.fetch(query.request) {
                contents[entity.name ?? "", default: []].append(
                    query.columns.map { "\($0.name)=\($0.value(of: object).json)" }.joined(separator: ";"))
            }
        }
        return contents
    }

    private static func attribute(_ name: String, _ type: String, _ more: String = "") -> String {
        "<attribute name=\"\(name)\" optional=\"YES\" attributeType=\"\(type)\" \(more)/>"
    }

    private static func relationship(
        _ name: String, _ destination: String, _ inverse: String, isToMany: Bool = false,
        isOrdered: Bool = false
    ) -> String {
        """
        <relationship name="\(name)" optional="YES" deletionRule="Nullify" destinationEntity="\(destination)" \
        inverseName="\(inverse)" inverseEntity="\(destination)" \(isToMany ? "toMany=\"YES\"" : "maxCount=\"1\"") \
        \(isOrdered ? "ordered=\"YES\"" : "")/>
        """
    }

    private static let text = """
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="Thing" isAbstract="YES">
        \(attribute("name", "String"))\(attribute("small", "Integer 16"))\(attribute("middle", "Integer 32"))
        \(attribute("large", "Integer 64"))\(attribute("flag", "Boolean"))\(attribute("real", "Double"))
        \(attribute("single", "Float"))\(attribute("price", "Decimal"))\(attribute("moment", "Date"))
        \(attribute("uid", "UUID"))\(attribute("site", "URI"))\(attribute("bytes", "Binary"))
        \(attribute("file", "Binary", #"allowsExternalBinaryDataStorage="YES""#))
        \(attribute("tree", "Transformable", #"valueTransformerName="NSSecureUnarchiveFromData""#))
        \(attribute("place", "Composite", #"composite="Place""#))
        \(relationship("parent", "Thing", "children"))
        \(relationship("children", "Thing", "parent", isToMany: true, isOrdered: true))
        \(relationship("tags", "Tag", "things", isToMany: true, isOrdered: true))
        \(relationship("friends", "Thing", "friends", isToMany: true))
        </entity>
        <entity name="Book" parentEntity="Thing">\(attribute("title", "String"))
        \(relationship("author", "Person", "books"))</entity>
        <entity name="Novel" parentEntity="Book">\(attribute("genre", "String"))</entity>
        <entity name="Person">\(attribute("name", "String"))
        \(relationship("books", "Book", "author", isToMany: true))
        \(relationship("favourite", "Tag", "admirer"))
        <uniquenessConstraints><uniquenessConstraint><constraint value="name"/></uniquenessConstraint>
        </uniquenessConstraints></entity>
        <entity name="Tag">\(attribute("label", "String"))
        \(relationship("things", "Thing", "tags", isToMany: true, isOrdered: true))
        \(relationship("admirer", "Person", "favourite"))</entity>
        <composite name="Place">\(attribute("city", "String"))\(attribute("zip", "Integer 32"))</composite>
        </model>
        """

    /// Makes objects with values that a seed decides, some of them nil.
    func fill(_ context: NSManagedObjectContext, count: Int, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        func make(_ entity: String) -> NSManagedObject {
            NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        }
        let people = (0..<max(1, count / 4)).map { number in
            let person = make("Person")
            person.setValue("Person \(number) 'ü'", forKey: "name")
            return person
        }
        let tags = (0..<max(2, count / 5)).map { number in
            let tag = make("Tag")
            tag.setValue("tag \(number)", forKey: "label")
            return tag
        }
        var things: [NSManagedObject] = []
        for number in 0..<count {
            let thing = make(number % 3 == 0 ? "Novel" : "Book")
            set(thing, number, &random)
            if number % 4 != 0 { thing.setValue(people.randomElement(using: &random), forKey: "author") }
            thing.setValue(
                NSOrderedSet(array: Array(tags.shuffled(using: &random).prefix(number % 4))), forKey: "tags")
            if number % 5 != 0 { thing.setValue(things.randomElement(using: &random), forKey: "parent") }
            if let friend = things.randomElement(using: &random) {
                thing.setValue(NSSet(object: friend), forKey: "friends")
            }
            things.append(thing)
        }
        for (person, tag) in zip(people, tags) { person.setValue(tag, forKey: "favourite") }
        try context.save()
        // An order that isn't that of keys.
        for parent in things {
            let children = (parent.value(forKey: "children") as? NSOrderedSet)?.array ?? []
            if children.count > 1 {
                parent.setValue(NSOrderedSet(array: children.reversed()), forKey: "children")
            }
        }
        try context.save()
    }

    private func set(_ thing: NSManagedObject, _ number: Int, _ random: inout SeededGenerator) {
        thing.setValue("Thing \(number)", forKey: "name")
        if number % 7 == 6 { return }
        let whole = Int64.random(in: .min ... .max, using: &random)
        let values: [String: Any] = [
            "small": Int16(truncatingIfNeeded: whole), "middle": Int32(truncatingIfNeeded: whole),
            "large": whole, "flag": number % 2 == 0, "real": Double(whole) / 3, "single": Float(number) / 7,
            "price": Decimal(whole % 100_000_000) / 100,
            "moment": Date(timeIntervalSinceReferenceDate: Double(whole % 1_000_000_000) / 1.7),
            "uid": UUID(), "site": URL(fileURLWithPath: "/place/\(number)"),
            "bytes": Data((0..<number % 50).map { UInt8(truncatingIfNeeded: $0 &* number) }),
            "file": Data(repeating: UInt8(number % 256), count: number % 11 == 0 ? 200_000 : 9),
            "tree": ["a": NSNumber(value: number), "b": "text"] as NSDictionary,
            "place": ["city": "Town \(number)", "zip": NSNumber(value: number)],
            "title": number % 3 == 0 ? "" : "Title\t\(number) – “quoted” \\",
        ]
        for (key, value) in values { thing.setValue(value, forKey: key) }
    }
}
