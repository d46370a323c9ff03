import CoreData
import XCTest

@testable import Stacks

final class StacksTests: XCTestCase {
    private var folder: URL!

    override func setUpWithError() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    override func tearDownWithError() throws {
        try FileManager.default.removeItem(at: folder)
    }

    func testSavingThroughAWriter() throws {
        let url = folder.appendingPathComponent("Budget.sqlite")
        let stack = try Stack(.file(url))
        let account = Account(context: stack.main)
        account.name = "Checking"
        account.balance = NSDecimalNumber(value: 5_000_000_093)
        let saved = expectation(description: "saved")
        stack.save { error in
            XCTAssertNil(error)
            saved.fulfill()
        }
        wait(for: [saved])
        XCTAssertEqual(stack.numberOfSaves, 1)

        let other = try Stack(.file(url))
        let found = try other.main.fetch(NSFetchRequest<Account>(entityName: "Account"))
        XCTAssertEqual(found.map { $0.balance }, [5_000_000_093])
        for store in other.coordinator.persistentStores + stack.coordinator.persistentStores {
            try store.persistentStoreCoordinator?.remove(store)
        }
        try Stack.destroy(url)
        XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: folder.path), [])
    }

    func testWorkBeside() async throws {
        let stack = try Stack(.memory)
        let id = try await stack.background { context -> NSManagedObjectID in
            XCTAssertEqual(context.name, "background")
            let account = Account(context: context)
            account.name = "Savings"
            try context.obtainPermanentIDs(for: [account])
            return account.objectID
        }
        let name = try await stack.main.perform {
            (try stack.main.existingObject(with: id) as! Account).name
        }
        XCTAssertEqual(name, "Savings")
    }

    /// A store of a configuration opens with it, without it, and beside another one.
    func testConfigurations() throws {
        let cloud = folder.appendingPathComponent("cloud.sqlite")
        let local = folder.appendingPathComponent("local.sqlite")
        let container = NSPersistentContainer(name: "Budget", managedObjectModel: Stack.model)
        container.persistentStoreDescriptions = [(cloud, "Cloud"), (local, "Local")].map { url, name in
            let description = NSPersistentStoreDescription(url: url)
            description.configuration = name
            return description
        }
        container.loadPersistentStores { XCTAssertNil($1) }
        _ = Account(context: container.viewContext)
        _ = Setting(context: container.viewContext)
        try container.viewContext.save()
        for store in container.persistentStoreCoordinator.persistentStores {
            try container.persistentStoreCoordinator.remove(store)
        }
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: cloud, options: nil)
        let hashes = try XCTUnwrap(metadata[NSStoreModelVersionHashesKey] as? [String: Data])
        XCTAssertEqual(hashes, Stack.model.entityVersionHashesByName)
        XCTAssertTrue(Stack.model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
        let whole = try Stack(.file(cloud))
        XCTAssertEqual(try whole.main.count(for: NSFetchRequest<Account>(entityName: "Account")), 1)
        XCTAssertEqual(try whole.main.count(for: NSFetchRequest<Setting>(entityName: "Setting")), 0)
    }

    func testResetAndRefresh() throws {
        let context = try Stack(.memory).main
        let account = Account(context: context)
        account.note = "kept here only"
        context.refresh(account, mergeChanges: false)
        XCTAssertNil(account.note)
        let second = Account(context: context)
        second.name = "Second"
        context.reset()
        XCTAssertTrue(second.isFault)
        XCTAssertNil(second.name)
        XCTAssertEqual(context.registeredObjects, [])
    }

    func testWhatSavesTell() throws {
        let container = NSPersistentContainer(name: "Budget", managedObjectModel: Stack.model)
        let description = NSPersistentStoreDescription(url: folder.appendingPathComponent("history.sqlite"))
        description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
        container.persistentStoreDescriptions = [description]
        container.loadPersistentStores { XCTAssertNil($1) }
        let context = container.viewContext
        var tokens: [Any?] = []
        let observer = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: context, queue: nil
        ) { notification in
            tokens.append(notification.userInfo?["newChangeToken"])
        }
        _ = Account(context: context)
        try context.save()
        try context.save()
        NotificationCenter.default.removeObserver(observer)
        XCTAssertEqual(tokens.count, 2)
        let token = try XCTUnwrap(tokens[0] as? NSPersistentHistoryToken)
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
        let result = try context.execute(request) as? NSPersistentHistoryResult
        XCTAssertEqual((result?.result as? [NSPersistentHistoryTransaction])?.count, 0)

        var removed: Any?
        let removal = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreCoordinatorWillRemoveStore, object: nil, queue: nil
        ) { removed = $0.object }
        let store = container.persistentStoreCoordinator.persistentStores[0]
        try container.persistentStoreCoordinator.remove(store)
        NotificationCenter.default.removeObserver(removal)
        XCTAssertTrue(removed as AnyObject === store)
    }

    /// Stores without a URL of their own lie in a folder that the class tells.
    func testDefaultFolder() {
        let container = NSPersistentContainer(name: "Budget", managedObjectModel: Stack.model)
        let url = container.persistentStoreDescriptions[0].url
        XCTAssertEqual(
            url?.deletingLastPathComponent().path, NSPersistentContainer.defaultDirectoryURL().path)
        XCTAssertEqual(NSPersistentStoreDescription().url?.path, "/dev/null")
    }
}
