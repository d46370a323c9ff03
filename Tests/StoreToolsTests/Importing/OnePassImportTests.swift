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
        #expect(try work.insertWhileChecking(leavingOut: false) == 5000)
        #expect(reads == 1 && work.failureCount == 0)
        #expect(try values("Tag", "label").suffix(1) == ["tag 14999"])
    }

    @Test func `A wrong record takes all others back, and those behind it are checked too`() throws {
        // More rows than are written at once stand before it.
        let many = (0..<3000).map { "b\($0),1\n" }.joined()
        let text = "name,small\n" + many + "c,x\nd,2\ne,70000\n"
        let work = try importing("Novel", text)
        #expect(try work.insertWhileChecking(leavingOut: false) == 0)
        #expect(work.failureCount == 2)
        #expect(work.takeFailures().map(\.line) == [3002, 3004])
        #expect(try values("Novel", "name") == [])
        let kept = try importing("Novel", text)
        #expect(try kept.insertWhileChecking(leavingOut: true) == 3001)
        #expect(kept.failureCount == 2)
        #expect(try values("Novel", "name").count == 3001)
    }

    @Test func `Empty fields are nil where records have names, and defaults elsewhere`() throws {
        #expect(
            try importing("Tag", "id,label\nTag/7,\nTag/8,\"\"\n").insertWhileChecking(leavingOut: false) == 2
        )
        #expect(try values("Tag", "label") == ["nil", ""])
    }

    @Test func `A value that another object has takes all back`() throws {
        #expect(try importing("Person", "name\nAnn\n").insertWhileChecking(leavingOut: false) == 1)
        let work = try importing("Person", "name\nBob\nAnn\n")
        let error = try #require(throws: NSError.self) { try work.insertWhileChecking(leavingOut: true) }
        #expect(error.code == NSManagedObjectConstraintMergeError)
        #expect(try values("Person", "name") == ["Ann"])
        #expect(try work.check() == 2)
        #expect(try work.findConflicts() == 1)
        #expect(try work.insert(total: 1) == 1)
        #expect(try values("Person", "name") == ["Ann", "Bob"])
    }

    @Test(arguments: [("Book", "name\na\n"), ("Person", "name,favourite\na,\n"), ("Novel", "tree\n1\n")])
    func `Files that need more than one look are left to the other way`(_ entity: String, _ text: String)
        throws
    {
        let work = try importing(entity, text)
        #expect(try work.insertWhileChecking(leavingOut: false) == nil)
        #expect(try work.insert(total: work.check()) == 1)
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
        #expect(try work.insertWhileChecking(leavingOut: true) == 1)
        #expect(work.takeFailures().map(\.line) == [3])
    }

    @Test func `A file that can't be read to its end adds nothing`() throws {
        let work = try importing("Tag", "label\na\n\"b")
        let failure = try #require(throws: ImportFailure.self) {
            try work.insertWhileChecking(leavingOut: true)
        }
        #expect(failure.line == 3)
        #expect(try values("Tag", "label") == [])
    }
}
