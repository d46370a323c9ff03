import CoreData
import XCTest

@testable import Lists

final class ListsTests: XCTestCase {
    private var store: ChoreStore!
    private var context: NSManagedObjectContext { store.context }

    override func setUp() {
        super.setUp()
        store = ChoreStore()
    }

    private func request(_ descriptors: [NSSortDescriptor]) -> NSFetchRequest<Chore> {
        let request = NSFetchRequest<Chore>(entityName: "Chore")
        request.sortDescriptors = descriptors
        return request
    }

    /// An object's own fetch, while it is made, tells nobody of it.
    func testNobodyHearsOfHalfMadeObjects() throws {
        let list = try ListSource(
            request([NSSortDescriptor(key: #keyPath(Chore.place), ascending: true)]), in: context)
        for _ in 0..<2 { _ = Chore(context: context) }
        XCTAssertEqual(list.events, [])
        context.processPendingChanges()
        XCTAssertEqual(list.items.map { $0.place }, [1, 2])
        XCTAssertEqual(list.events, ["begin", "insert Chore 1 at 0", "insert Chore 2 at 1", "end"])
    }

    func testMovesAndSections() throws {
        for (title, room) in [("Sweep", "Hall"), ("Cook", "Kitchen"), ("Wash", "Kitchen")] {
            let chore = Chore(context: context)
            chore.title = title
            chore.room = room
        }
        try context.save()
        let list = try ListSource(
            request([
                NSSortDescriptor(key: #keyPath(Chore.room), ascending: true),
                NSSortDescriptor(keyPath: \Chore.title, ascending: true),
            ]), sectionsBy: #keyPath(Chore.room), in: context)
        XCTAssertEqual(list.sections, ["Hall:1", "Kitchen:2"])
        let changed = expectation(description: "changed")
        list.didChange = { changed.fulfill() }
        list.items[0].room = "Kitchen"
        context.delete(list.items[2])
        try context.save()
        wait(for: [changed], timeout: 5)
        XCTAssertEqual(list.sections, ["Kitchen:2"])
        XCTAssertEqual(list.items.map { $0.title }, ["Cook", "Sweep"])
        XCTAssertTrue(list.events.contains("close Hall"))
        XCTAssertTrue(list.events.contains("delete Wash at 1"))
    }

    func testNoOrder() throws {
        _ = Chore(context: context)
        XCTAssertEqual(try ListSource(request([]), in: context).items.count, 1)
    }

    func testObserversWithOneMethod() {
        let chore = Chore(context: context)
        let watcher = TitleWatcher(chore)
        chore.title = "Dust"
        chore.room = "Hall"
        chore.title = nil
        XCTAssertEqual(watcher.titles, ["Dust", "none"])
    }

    func testObserversBySelectorAndByKey() throws {
        let counter = ChangeCounter(context)
        let chore = Chore(context: context)
        counter.follow(chore)
        chore.isDone = true
        try context.save()
        XCTAssertEqual(counter.states, [false, true])
        XCTAssertEqual(counter.changes, 1)
        XCTAssertEqual(counter.saves.count, 1)
        let inserted = counter.saves[0].userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject>
        XCTAssertEqual(inserted, [chore])
        try context.save()
        XCTAssertEqual(counter.saves.count, 2)
    }
}
