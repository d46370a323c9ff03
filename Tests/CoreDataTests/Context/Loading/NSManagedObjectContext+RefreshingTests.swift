import CoreData
import CoreDataTestSupport
import Testing

/// A class that writes down the calls it gets.
final class Diary: NSManagedObject {
    var calls: [String] = []

    override func awakeFromInsert() { calls.append("insert") }
    override func awakeFromFetch() { calls.append("fetch") }
    override func awake(fromSnapshotEvents flags: NSSnapshotEventType) {
        calls.append("snapshot \(flags.rawValue)")
    }
    override func willTurnIntoFault() { calls.append("willFault") }
    override func didTurnIntoFault() { calls.append("didFault") }
    override func prepareForDeletion() { calls.append("delete") }
    override func willSave() { calls.append("willSave") }
    override func didSave() { calls.append("didSave") }

    static func stack(_ type: String = NSSQLiteStoreType) throws -> TestStack {
        let model = CompanyModel.make()
        model.entitiesByName["Note"]?.managedObjectClassName = "CoreDataTests.Diary"
        return try TestStack(type: type, model: model)
    }
}

@Suite struct RefreshingTests {
    private func saved(_ type: String = NSSQLiteStoreType) throws -> (TestStack, Diary) {
        let stack = try Diary.stack(type)
        let note = try stack.context.run { () throws in
            let note = try #require(stack.context.make("Note", ["text": "a"]) as? Diary)
            try stack.context.save()
            note.calls = []
            return note
        }
        return (stack, note)
    }

    @Test func refreshWithoutMergingDropsChanges() throws {
        let (stack, note) = try saved()
        stack.context.performAndWait {
            note.setValue("b", forKey: "text")
            stack.context.refresh(note, mergeChanges: false)
            #expect(note.isFault && !note.hasChanges && !stack.context.hasChanges)
            expect(note.calls, equals: ["willFault", "didFault", "snapshot 32"])
            #expect(note.text("text") == "a" && note.calls.last == "fetch")
        }
    }

    @Test func refreshWithMergingKeepsChanges() throws {
        let (stack, note) = try saved()
        let company = try stack.context.run { () throws in
            let company = stack.context.make("Company", ["name": "Acme"])
            try stack.context.save()
            return company
        }
        let other = stack.another()
        try other.run { () throws in
            let theirs = try other.all("Company")[0]
            theirs.setValue(Date(timeIntervalSinceReferenceDate: 5), forKey: "founded")
            theirs.setValue("Theirs", forKey: "name")
            try other.save()
        }
        stack.context.performAndWait {
            company.setValue("Mine", forKey: "name")
            stack.context.refresh(company, mergeChanges: true)
            #expect(!company.isFault && company.text("name") == "Mine" && company.hasChanges)
            expect((company.value(forKey: "founded") as? Date)?.timeIntervalSinceReferenceDate, equals: 5)
            expect(company.committedValues(forKeys: ["name"])["name"] as? String, equals: "Theirs")
            stack.context.refresh(note, mergeChanges: true)
            #expect(note.isFault)
        }
    }

    @Test func refreshWithMergingReadsMembersAgain() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let company = stack.context.make("Company", ["name": "Acme"])
            let first = stack.context.make("Person", ["name": "1", "company": company])
            try stack.context.save()
            let other = stack.another()
            try other.run { () throws in
                _ = other.make("Person", ["name": "2", "company": try other.all("Company")[0]])
                try other.save()
            }
            let mine = stack.context.make("Person", ["name": "3", "company": company])
            expect(company.relatedObjects(forKey: "people", as: NSManagedObject.self), equals: [first, mine])
            stack.context.refresh(company, mergeChanges: true)
            let names = company.value(forKeyPath: "people.name") as? Set<String>
            #expect(names == ["1", "2", "3"] && company.hasChanges)
        }
    }

    @Test func refreshAllKeepsChangedObjects() throws {
        let (stack, note) = try saved()
        try stack.context.run { () throws in
            let other = stack.context.make("Note", ["text": "c"])
            try stack.context.save()
            note.setValue("b", forKey: "text")
            let new = stack.context.make("Note", ["text": "new"])
            stack.context.refreshAllObjects()
            #expect(other.isFault && !note.isFault && note.text("text") == "b" && note.hasChanges)
            #expect(!new.isFault && new.isInserted && new.text("text") == "new")
        }
    }

    @Test func refreshAllForgetsRowsThatFaultsHaveAtHand() throws {
        let (stack, _) = try saved()
        let other = stack.another()
        try stack.context.run { () throws in
            let context = stack.context
            context.reset()
            let companies = ["a", "b"].map { context.make("Company", ["name": $0]) }
            try context.save()
            let fault = try context.all("Note")[0]
            companies[1].setValue("mine", forKey: "name")
            try other.run { () throws in
                try other.all("Note")[0].setValue("fresh", forKey: "text")
                for company in try other.all("Company") {
                    company.setValue(Date.distantPast, forKey: "founded")
                }
                try other.save()
            }
            #expect(fault.isFault)
            let posted = Posted(.NSManagedObjectContextObjectsDidChange, context)
            context.refreshAllObjects()
            expect(posted.objects(NSRefreshedObjectsKey), equals: Set(companies))
            #expect(fault.isFault && fault.text("text") == "fresh")
            expect(companies[1].text("name"), equals: "mine")
            #expect(companies.allSatisfy { $0.value(forKey: "founded") as? Date == .distantPast })
        }
    }

    @Test func transientValuesSurviveASaveButNotARefresh() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let person = stack.context.make("Person", ["name": "Ada", "scratch": "x"])
            try stack.context.save()
            expect(person.text("scratch"), equals: "x")
            person.setValue("y", forKey: "scratch")
            #expect(person.hasChanges && !person.hasPersistentChangedValues && stack.context.hasChanges)
            stack.context.refresh(person, mergeChanges: false)
            #expect(person.text("scratch") == nil)
        }
    }

    @Test func rollbackTakesEverythingBack() throws {
        let (stack, note) = try saved()
        try stack.context.run { () throws in
            let context = stack.context
            let gone = context.make("Note", ["text": "gone"])
            try context.save()
            note.setValue("b", forKey: "text")
            context.delete(gone)
            let new = context.make("Note", ["text": "new"])
            let id = new.objectID
            context.processPendingChanges()
            context.rollback()
            #expect(!context.hasChanges && note.text("text") == "a" && !note.hasChanges)
            #expect(!gone.isDeleted && gone.text("text") == "gone" && gone.managedObjectContext === context)
            #expect(new.managedObjectContext == nil && !new.isInserted)
            #expect(context.registeredObject(for: id) == nil)
            #expect(note.calls.contains("snapshot 16"))
            try expect(context.all("Note").count, equals: 2)
        }
    }

    @Test func rollbackRestoresBothSidesOfRelationships() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let context = stack.context
            let (acme, zeta) = (
                context.make("Company", ["name": "A"]), context.make("Company", ["name": "Z"])
            )
            let person = context.make("Person", ["company": acme])
            let project = context.make("Project")
            person.setValue(Set([project]), forKey: "projects")
            try context.save()
            person.setValue(zeta, forKey: "company")
            person.mutableSetValue(forKey: "projects").removeAllObjects()
            context.rollback()
            #expect(person.value(forKey: "company") as? NSManagedObject === acme)
            expect(acme.relatedObjects(forKey: "people", as: NSManagedObject.self), equals: [person])
            #expect(zeta.relatedObjects(forKey: "people", as: NSManagedObject.self).isEmpty)
            expect(project.relatedObjects(forKey: "members", as: NSManagedObject.self), equals: [person])
            context.delete(person)
            context.processPendingChanges()
            #expect(acme.relatedObjects(forKey: "people", as: NSManagedObject.self).isEmpty)
            context.rollback()
            expect(acme.relatedObjects(forKey: "people", as: NSManagedObject.self), equals: [person])
            #expect(person.value(forKey: "company") as? NSManagedObject === acme)
        }
    }

    @Test func rollbackTellsObservers() throws {
        let (stack, note) = try saved()
        try stack.context.run { () throws in
            let context = stack.context
            let gone = context.make("Note")
            try context.save()
            note.setValue("b", forKey: "text")
            context.delete(gone)
            let new = context.make("Note")
            context.processPendingChanges()
            let posted = Posted(.NSManagedObjectContextObjectsDidChange, context)
            context.rollback()
            expect(posted.objects(NSInsertedObjectsKey), equals: [gone])
            expect(posted.objects(NSDeletedObjectsKey), equals: [new])
            expect(posted.objects(NSRefreshedObjectsKey), equals: [note])
        }
    }

    @Test func resetForgetsEverything() throws {
        let (stack, note) = try saved()
        try stack.context.run { () throws in
            let context = stack.context
            let person = context.make("Person", ["name": "Ada"])
            note.setValue(person, forKey: "author")
            let posted = Posted(.NSManagedObjectContextObjectsDidChange, context)
            context.reset()
            #expect(posted.userInfo?[NSInvalidatedAllObjectsKey] is [NSManagedObjectID])
            #expect(context.registeredObjects.isEmpty && !context.hasChanges)
            #expect(note.managedObjectContext == nil && person.managedObjectContext == nil)
            #expect(!person.isInserted && !note.hasChanges)
            #expect(note.value(forKey: "author") == nil)
            let again = try context.all("Note")[0]
            #expect(again !== note && again.text("text") == "a" && again.objectID == note.objectID)
        }
    }

    @Test func afterAResetObjectsAreFaultsWithoutValues() throws {
        let (stack, note) = try saved()
        try stack.context.run { () throws in
            let context = stack.context
            let person = context.make("Person", ["name": "Ada", "scratch": "x"])
            let company = context.make("Company", ["name": "Acme"])
            try context.save()
            company.setValue(NSSet(array: [person]), forKey: "people")
            note.setValue("changed", forKey: "text")
            let new = context.make("Note", ["text": "new"])
            context.reset()
            for object in [note, person, company, new] {
                #expect(object.isFault && object.managedObjectContext == nil && !object.hasChanges)
            }
            #expect(note.text("text") == nil && new.text("text") == nil && person.text("name") == nil)
            #expect(person.text("scratch") == nil && person.value(forKey: "company") == nil)
            expect((company.value(forKey: "people") as? NSSet)?.count, equals: 0)
            #expect(note.isFault && !note.isDeleted)
        }
    }

    @Test func aNewObjectThatIsRefreshedIsAFaultWithoutValues() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let context = stack.context
            let person = context.make("Person", ["name": "Ada"])
            let note = context.make("Note", ["text": "a", "author": person])
            context.processPendingChanges()
            context.refresh(person, mergeChanges: true)
            #expect(!person.isFault && person.text("name") == "Ada")
            let posted = Posted(.NSManagedObjectContextObjectsDidChange, context)
            context.refresh(person, mergeChanges: false)
            #expect(person.isFault && person.text("name") == nil && !person.isInserted && !person.hasChanges)
            expect(posted.objects(NSRefreshedObjectsKey), equals: [person])
            expect(context.insertedObjects, equals: [note])
            try context.save()
            #expect(try context.all("Person").isEmpty)
            #expect(note.value(forKey: "author") == nil)
            context.insert(person)
            #expect(!person.isFault && person.isInserted && person.value(forKey: "visits") as? Int == 7)
            try context.save()
            try expect(context.all("Person"), equals: [person])
        }
    }
}

/// Keeps the last notification of a name that a context posts.
final class Posted {
    private(set) var all: [[AnyHashable: Any]] = []
    private var token: (any NSObjectProtocol)?

    init(_ name: Notification.Name, _ context: NSManagedObjectContext) {
        nonisolated(unsafe) let this = Weak(self)
        token = NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { note in
            this.posted?.all.append(note.userInfo ?? [:])
        }
    }

    deinit {
        if let token { NotificationCenter.default.removeObserver(token) }
    }

    var userInfo: [AnyHashable: Any]? { all.last }
    var count: Int { all.count }

    func objects(_ key: String) -> Set<NSManagedObject>? { userInfo?[key] as? Set<NSManagedObject> }

    private final class Weak {
        weak var posted: Posted?
        init(_ posted: Posted) { self.posted = posted }
    }
}
