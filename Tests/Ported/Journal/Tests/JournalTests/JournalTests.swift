import CoreData
import Journal
import XCTest

final class JournalTests: XCTestCase {
    private var folder: URL!
    private var defaults: UserDefaults!
    private let suite = "JournalTests"

    override func setUpWithError() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defaults = UserDefaults(suiteName: suite)
        defaults.removePersistentDomain(forName: suite)
    }

    override func tearDownWithError() throws {
        defaults.removePersistentDomain(forName: suite)
        try FileManager.default.removeItem(at: folder)
    }

    private func stack() -> JournalStack {
        JournalStack(at: folder.appendingPathComponent("Journal.sqlite"), defaults: defaults)
    }

    private let feed = Data(
        """
        [{"code": "a", "text": "One", "date": 100}, {"code": "b", "text": "Two", "date": 200},
         {"code": "a", "text": "One again", "date": 300}]
        """.utf8)

    private let letters = Data(
        """
        [{"code": "c", "text": "Dear", "written_at": 86400, "rating": 2, "tags": ["home", "post"]},
         {"code": "d", "text": "Dearest", "tags": ["post"]}]
        """.utf8)

    func testFeedIsImportedAndMergedByHistory() async throws {
        let stack = stack()
        let context = stack.container.viewContext
        let count = try await FeedImporter(stack).importFeed(feed)
        XCTAssertEqual(count, 3)
        try await stack.mergeHistory()
        let token = try XCTUnwrap(stack.lastToken)
        let texts = try await context.perform {
            try context.fetch(Entry.sortedRequest).map(\.text)
        }
        XCTAssertEqual(texts, ["One again", "Two"])

        let entries = try await context.perform { try context.fetch(Entry.sortedRequest) }
        try await FeedImporter(stack).delete([entries[0]])
        try await stack.mergeHistory()
        XCTAssertNotEqual(stack.lastToken, token)
        let left = try await context.perform { try context.fetch(Entry.fetchRequest()).map(\.code) }
        XCTAssertEqual(left, ["b"])
        XCTAssertTrue(entries[0].isDeleted || entries[0].managedObjectContext == nil)
        try stack.forgetHistory()
    }

    func testExcludedModelsAreLeftOut() {
        XCTAssertEqual(JournalStack.modelNames, ["Journal"])
    }

    func testBadFeed() async throws {
        do {
            _ = try await FeedImporter(stack()).importFeed(Data("[{}]".utf8))
            XCTFail("no error")
        } catch FeedError.wrongDataFormat(let error) {
            XCTAssertTrue(error is DecodingError)
            XCTAssertTrue(
                FeedError.wrongDataFormat(error: error).localizedDescription.hasPrefix("Could not digest"))
        }
    }

    func testObjectsAreDecodedAndEncoded() throws {
        let stack = JournalStack(inMemory: true)
        let context = stack.container.viewContext
        let entries = try FeedImporter(stack).decode(letters)
        XCTAssertEqual(entries.map(\.code), ["c", "d"])
        XCTAssertEqual(entries[0].section, "1970-01")
        XCTAssertEqual((entries[0].tags as? Set<Tag>)?.map(\.name).sorted(), ["home", "post"])
        XCTAssertEqual(Tag.count(in: context), 3)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        encoder.dateEncodingStrategy = .secondsSince1970
        XCTAssertEqual(
            String(decoding: try encoder.encode(entries[1]), as: UTF8.self),
            #"{"code":"d","rating":0,"tags":["post"],"text":"Dearest","written_at":null}"#)
        XCTAssertThrowsError(try JSONDecoder().decode([Entry].self, from: letters)) { error in
            guard case DecodingFailure.noContext = error else { return XCTFail("\(error)") }
        }
    }

    func testPreview() throws {
        let context = JournalStack.preview.container.viewContext
        XCTAssertEqual(Entry.count(in: context), 3)
        XCTAssertEqual(
            Entry.count(in: context) { $0.predicate = Entry.predicate(format: "text ENDSWITH %@", "2") }, 1)
        let description = try XCTUnwrap(JournalStack.preview.container.persistentStoreDescriptions.first)
        XCTAssertEqual(description.url?.path, "/dev/null")
    }

    func testValuesOfEveryKind() throws {
        let stack = stack()
        let context = stack.container.viewContext
        let entry: Entry = context.insertObject()
        XCTAssertEqual(entry.date, Date(timeIntervalSince1970: 0))
        XCTAssertEqual(entry.kind, .note)
        entry.code = "x"
        entry.kind = .dream
        entry.mood = Mood(name: "calm")
        entry.place = Place(latitude: 1, longitude: 2)
        for number in 0..<3 {
            let photo = Photo(context: context)
            photo.id = UUID()
            photo.data = Data(repeating: UInt8(number), count: 10)
            entry.insertIntoPhotos(photo, at: 0)
        }
        let tag: Tag = context.insertObject()
        entry.addToTags(tag)
        entry.addToTags(NSSet(object: context.insertObject() as Tag))
        XCTAssertTrue(context.saveOrRollback())
        context.reset()

        let read = try XCTUnwrap(Entry.fetch(in: context).first)
        XCTAssertEqual(read.kind, .dream)
        XCTAssertEqual(read.mood, Mood(name: "calm"))
        XCTAssertEqual(read.place, Place(latitude: 1, longitude: 2))
        XCTAssertEqual(read.photos?.count, 3)
        XCTAssertEqual((read.photos?.firstObject as? Photo)?.data?.first, 2)
        XCTAssertEqual(read.photos?.array.compactMap { ($0 as? Photo)?.data?.first }, [2, 1, 0])
        XCTAssertEqual(read.mutableSetValue(forKey: "tags") as? Set<Tag>, read.tags as? Set<Tag>)
        XCTAssertEqual(read.tags?.count, 2)
        read.rating = 7
        XCTAssertThrowsError(try context.save()) { error in
            XCTAssertEqual((error as NSError).domain, "Journal")
            XCTAssertEqual(error.localizedDescription, "A rating has 0 to 5 stars")
        }
        XCTAssertFalse(context.saveOrRollback())
        XCTAssertEqual(read.rating, 0)
    }

    func testRepositories() async throws {
        let stack = stack()
        let context = stack.container.viewContext
        let repository = CoreDataRepository<Entry>(context: context)
        for (code, rating) in [("a", 1), ("b", 5), ("c", 3)] {
            let entry = try repository.create().get()
            entry.code = code
            entry.text = rating > 2 ? "good" : "bad"
            entry.rating = Int16(rating)
        }
        try await context.perform { try context.save() }
        let good = try repository.get(
            predicate: NSPredicate(format: "%K > %d", #keyPath(Entry.rating), 2),
            sortDescriptors: [NSSortDescriptor(keyPath: \Entry.rating, ascending: false)]
        ).get()
        XCTAssertEqual(good.map(\.code), ["b", "c"])
        XCTAssertEqual(try repository.maximum(of: "rating", by: "text"), ["good": 5, "bad": 1])

        let other = AsyncRepository<Entry>(container: stack.container)
        let ids = try await other.ids(matching: NSPredicate(format: "code == %@", "a"))
        XCTAssertEqual(ids.count, 1)
        try await other.update(ids[0]) { $0.rating = 4 }
        context.refreshAllObjects()
        XCTAssertEqual((context.object(with: ids[0]) as? Entry)?.rating, 4)
        _ = try repository.delete(good[0]).get()
        XCTAssertTrue(context.saveOrRollback())
        XCTAssertEqual(Entry.count(in: context), 2)
    }

    func testManagedClasses() throws {
        let context = stack().container.viewContext
        let first = Tag.findOrCreate(in: context, matching: NSPredicate(format: "name == %@", "a")) {
            $0.name = "a"
        }
        XCTAssertTrue(context.saveOrRollback())
        let again = Tag.findOrCreate(in: context, matching: NSPredicate(format: "name == %@", "a")) { _ in
            XCTFail("there")
        }
        XCTAssertEqual(first, again)
        XCTAssertEqual(Tag.cached(in: context, forKey: "one") { first }, first)
        XCTAssertEqual(Tag.cached(in: context, forKey: "one") { nil }, first)
        context.refreshAllObjects()
        let tags = Tag.fetch(in: context) { $0.returnsObjectsAsFaults = true }
        XCTAssertTrue(tags.allSatisfy(\.isFault))
        tags.fetchFaults()
        XCTAssertFalse(tags.contains { $0.isFault })
        context.metadata["seen"] = 3 as NSNumber
        XCTAssertTrue(context.saveOrRollback())
        XCTAssertEqual(context.metadata["seen"] as? Int, 3)
        XCTAssertNotNil(context.metadata[NSStoreUUIDKey])
    }

    func testListFollowsChanges() throws {
        let context = JournalStack(inMemory: true).container.viewContext
        let list = EntryList(context)
        XCTAssertEqual(list.source.titles, [])
        let entry: Entry = context.insertObject()
        entry.code = "1"
        entry.text = "First"
        try context.save()
        XCTAssertEqual(list.steps, ["begin", "section 1970-01 at 0", "insert 0.0", "end"])
        list.steps = []
        entry.rating = 1
        context.processPendingChanges()
        XCTAssertEqual(list.steps, ["begin", "update First", "end"])
        list.steps = []
        context.delete(entry)
        try context.save()
        XCTAssertEqual(list.steps.sorted(), ["begin", "delete 0.0", "end", "no section 1970-01"])
    }

    func testObserversOfObjectsAndSaves() throws {
        let context = JournalStack(inMemory: true).container.viewContext
        let entry: Entry = context.insertObject()
        entry.code = "1"
        var changes: [ObjectObserver.Change] = []
        try context.save()
        let observer = ObjectObserver(entry) { changes.append($0) }
        var counts: [[Int]] = []
        let token = context.addSaveObserver { note in
            XCTAssertTrue(note.context === context)
            counts.append([Array(note.inserted).count, Array(note.updated).count, Array(note.deleted).count])
        }
        entry.text = "changed"
        let saved = expectation(forNotification: .NSManagedObjectContextDidSave, object: context) { note in
            (note.userInfo?[NSUpdatedObjectsKey] as? Set<NSManagedObject>)?.contains(entry) == true
        }
        try context.save()
        wait(for: [saved], timeout: 5)
        context.delete(entry)
        try context.save()
        XCTAssertEqual(changes, [.update, .delete])
        XCTAssertEqual(counts, [[0, 1, 0], [0, 0, 1]])
        NotificationCenter.default.removeObserver(token)
        withExtendedLifetime(observer) {}
    }

    func testStreamOfSaves() async throws {
        let stack = stack()
        let background = stack.newTaskContext()
        var stream = saves(of: background).makeAsyncIterator()
        try await background.perform {
            for number in 0..<2 {
                let tag: Tag = background.insertObject()
                tag.name = "\(number)"
            }
            try background.save()
        }
        let count = await stream.next()
        XCTAssertEqual(count, 2)
        let total = try await stack.container.performBackgroundTask { try $0.count(for: Tag.fetchRequest()) }
        XCTAssertEqual(total, 2)
    }

    func testBatchUpdateReachesTheViewContext() throws {
        let stack = stack()
        let context = stack.container.viewContext
        let entries = try FeedImporter(stack).decode(letters)
        XCTAssertEqual(try FeedImporter(stack).rate("POST", 5), 2)
        XCTAssertEqual(entries.map(\.rating), [5, 5])
        XCTAssertFalse(context.hasChanges)
    }

    @MainActor func testChildContext() async throws {
        let stack = JournalStack(inMemory: true)
        let main = stack.container.viewContext
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = main
        let id = try await child.perform {
            let entry = Entry(context: child)
            entry.code = "child"
            try child.obtainPermanentIDs(for: [entry])
            try child.save()
            return entry.objectID
        }
        XCTAssertTrue(main.hasChanges)
        let entry = try XCTUnwrap(main.registeredObject(for: id) as? Entry)
        XCTAssertTrue(entry.isInserted)
        XCTAssertEqual(entry.code, "child")
        let done = expectation(description: "saved")
        main.performChanges {
            entry.text = "from main"
            done.fulfill()
        }
        await fulfillment(of: [done], timeout: 10)
        XCTAssertEqual(Entry.count(in: stack.newTaskContext()), 1)
    }

    @MainActor func testOverridesInAnExtensionOfAGeneratedClass() throws {
        let context = JournalStack(inMemory: true).container.viewContext
        let photo = Photo(context: context)
        XCTAssertNotNil(photo.id)
        photo.data = Data([1, 2])
        XCTAssertEqual(photo.description, "photo of 2 bytes")
        photo.data = Data()
        XCTAssertThrowsError(try context.save()) { error in
            XCTAssertEqual((error as? CocoaError)?.code, .validationMissingMandatoryProperty)
        }
        photo.data = nil
        try context.save()
        XCTAssertFalse(photo.objectID.isTemporaryID)
    }
}
