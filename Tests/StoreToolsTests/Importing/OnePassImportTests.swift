// Files of plain values are read once: what is wrong is found while the rest is inserted, and takes it back.

import CoreData
import CoreDataTestSupport
import Foundation
import StoreTools
import Testing

struct OnePassImportTests {
    private let model: MoveModel
    private let store: OpenStore

    init() throws {
        model = try MoveModel()
        let path = model.folder.file("Store.sqlite").path
        try model.makeStore(path, count: 0)
        store = try OpenStore(path: path, access: .writing)
    }

    private func importing(
        _ entity: String, _ text: String, updating: Bool = false, reads: @escaping () -> Void = {}
    ) throws -> StoreImport {
        let url = model.folder.file("\(UUID().uuidString).csv")
        try Data(text.utf8).write(to: url)
        let entity = try store.model.requiredEntity(entity)
        return try StoreImport(into: store, entity: entity, updating: updating) {
            reads()
            return try CSVReader(url)
        }
    }

    private func values(_ entity: String, _ key: String) throws -> [String] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.sortDescriptors = [NSSortDescriptor(key: key, ascending: true)]
        return try store.context.fetch(request).map { $0.value(forKey: key).map { "\($0)" } ?? "nil" }
    }

    @Test func `A file is read once`() throws {
        var reads = 0
        let lines = (0..<5000).map { "tag \(10_000 + $0)\n" }.joined()
        let work = try importing("Tag", "label\n" + lines, reads: { reads += 1 })
        try expect(work.insertWhileChecking(leavingOut: false), equals: 5000)
        #expect(reads == 1 && work.failureCount == 0)
        try expect(values("Tag", "label").suffix(1), equals: ["tag 14999"])
    }

    /// The import of a file that can't be read from its first record on said that it added none.
    @Test(arguments: ["a,\"open\nb,2\n", "\"a\"b,1\nc,2\n"])
    func `A file whose first record is malformed is refused`(_ records: String) throws {
        let work = try importing("Novel", "name,small\n" + records)
        #expect(throws: ImportFailure.self) { try work.insertWhileChecking(leavingOut: false) }
        try expect(values("Novel", "name"), equals: [])
    }

    @Test func `A wrong record takes all others back, and those behind it are checked too`() throws {
        // More rows than are written at once stand before it.
        let many = (0..<3000).map { "b\($0),1\n" }.joined()
        let text = "name,small\n" + many + "c,x\nd,2\ne,70000\n"
        let work = try importing("Novel", text)
        try expect(work.insertWhileChecking(leavingOut: false), equals: 0)
        expect(work.failureCount, equals: 2)
        expect(work.takeFailures().map(\.line), equals: [3002, 3004])
        try expect(values("Novel", "name"), equals: [])
        let kept = try importing("Novel", text)
        try expect(kept.insertWhileChecking(leavingOut: true), equals: 3001)
        expect(kept.failureCount, equals: 2)
        try expect(values("Novel", "name").count, equals: 3001)
    }

    @Test func `Empty fields are nil where records have names, and defaults elsewhere`() throws {
        try expect(
            importing("Tag", "id,label\nTag/7,\nTag/8,\"\"\n").insertWhileChecking(leavingOut: false),
            equals: 2)
        try expect(values("Tag", "label"), equals: ["nil", ""])
    }

    @Test func `A value that another object has takes all back`() throws {
        try expect(importing("Person", "name\nAnn\n").insertWhileChecking(leavingOut: false), equals: 1)
        let work = try importing("Person", "name\nBob\nAnn\n")
        let error = try #require(throws: NSError.self) { try work.insertWhileChecking(leavingOut: true) }
        expect(error.code, equals: NSManagedObjectConstraintMergeError)
        try expect(values("Person", "name"), equals: ["Ann"])
        try expect(work.check(), equals: 2)
        try expect(work.findConflicts(), equals: 1)
        try expect(work.insert(total: 1), equals: 1)
        try expect(values("Person", "name"), equals: ["Ann", "Bob"])
    }

    @Test(arguments: [("Book", "name\na\n"), ("Person", "name,favourite\na,\n"), ("Novel", "tree\n1\n")])
    func `Files that need more than one look are left to the other way`(_ entity: String, _ text: String)
        throws
    {
        let work = try importing(entity, text)
        #expect(try work.insertWhileChecking(leavingOut: false) == nil)
        try expect(work.insert(total: work.check()), equals: 1)
        #expect(
            try importing("Person", "name\nb\n", updating: true).insertWhileChecking(leavingOut: false) == nil
        )
    }

    @Test func `Rules of an abstract entity hold for those that inherit`() throws {
        let rated = NSAttributeDescription()
        (rated.name, rated.attributeType) = ("stars", .integer16AttributeType)
        rated.setValidationPredicates(
            [NSPredicate(format: "SELF <= 5")], withValidationWarnings: ["too many"])
        let (parent, child) = (NSEntityDescription(), NSEntityDescription())
        (parent.name, parent.isAbstract, parent.properties) = ("Rated", true, [rated])
        (child.name, parent.subentities) = ("Film", [child])
        let rules = NSManagedObjectModel()
        rules.entities = [parent, child]
        let place = model.folder.file("Films.sqlite").path
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: rules)
        try coordinator.remove(try StoreAddress(place).open(in: coordinator))
        let films = try OpenStore(path: place, access: .writing)
        let file = model.folder.file("films.csv")
        try Data("stars\n3\n6\n".utf8).write(to: file)
        let work = try StoreImport(into: films, entity: try films.model.requiredEntity("Film")) {
            try CSVReader(file)
        }
        try expect(work.insertWhileChecking(leavingOut: true), equals: 1)
        expect(work.takeFailures().map(\.line), equals: [3])
    }

    @Test func `A file that can't be read to its end adds nothing`() throws {
        let work = try importing("Tag", "label\na\n\"b")
        let failure = try #require(throws: ImportFailure.self) {
            try work.insertWhileChecking(leavingOut: true)
        }
        expect(failure.line, equals: 3)
        try expect(values("Tag", "label"), equals: [])
    }
}
