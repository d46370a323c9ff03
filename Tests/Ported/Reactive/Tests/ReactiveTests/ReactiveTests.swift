import Combine
import CoreData
import XCTest

@testable import Reactive

final class ReactiveTests: XCTestCase {
    private let store = JobStore()
    private var context: NSManagedObjectContext { store.container.viewContext }
    private var cancellables = Set<AnyCancellable>()

    @discardableResult
    private func job(_ title: String, _ effort: Double = 1) -> Job {
        let job = Job(context: context)
        job.title = title
        job.effort = effort
        return job
    }

    func testAListFollowsItsJobs() throws {
        let list = JobList(context)
        job("Paint", 2)
        let sand = job("Sand", 3)
        try context.save()
        XCTAssertEqual(list.titles, ["Paint", "Sand"])
        XCTAssertEqual(list.effort, 5)
        XCTAssertEqual(list.saves, 1)
        list.filter = "S"
        XCTAssertEqual(list.titles, ["Sand"])
        sand.isDone = true
        try context.save()
        XCTAssertEqual(list.titles, [])
        XCTAssertEqual(list.effort, 2)
    }

    func testValuesAndChangesOfAnObject() throws {
        let paint = job("Paint")
        var values: [Bool] = []
        var changes = 0
        paint.publisher(for: \.isDone).sink { values.append($0) }.store(in: &cancellables)
        paint.objectWillChange.sink { _ in changes += 1 }.store(in: &cancellables)
        paint.isDone = true
        paint.title = "Paint twice"
        XCTAssertEqual(values, [false, true])
        XCTAssertEqual(changes, 2)
    }

    func testCalculatedValues() {
        let paint = job("Paint", 2)
        var labels: [String?] = []
        let observation = paint.observe(\.label, options: [.initial, .new]) { labels.append($1.newValue) }
        paint.effort = 3
        paint.isDone = true
        XCTAssertEqual(labels, ["Paint: 2.0", "Paint: 3.0", "done"])
        observation.invalidate()
        var summaries: [String] = []
        paint.publisher(for: \.summary).sink { summaries.append($0) }.store(in: &cancellables)
        paint.title = "Sand"
        XCTAssertEqual(summaries, ["Paint: 3.0", "Sand: 3.0"])
    }

    func testSaving() {
        job("Paint")
        let saved = expectation(description: "saved")
        var results: [Bool] = []
        context.savePublisher()
            .flatMap { _ in self.context.savePublisher() }
            .receive(on: DispatchQueue.main)
            .sink(
                receiveCompletion: { completion in
                    if case .failure(let error) = completion { XCTFail("\(error)") }
                    saved.fulfill()
                }, receiveValue: { results.append($0) }
            )
            .store(in: &cancellables)
        wait(for: [saved], timeout: 5)
        XCTAssertEqual(results, [false])
    }

    func testMergedNotifications() throws {
        var names: [Notification.Name] = []
        let center = NotificationCenter.default
        center.publisher(for: .NSManagedObjectContextWillSave, object: context)
            .merge(with: center.publisher(for: .NSManagedObjectContextDidSave, object: context))
            .map { $0.name }
            .sink { names.append($0) }
            .store(in: &cancellables)
        job("Paint")
        try context.save()
        XCTAssertEqual(names, [.NSManagedObjectContextWillSave, .NSManagedObjectContextDidSave])
    }
}
