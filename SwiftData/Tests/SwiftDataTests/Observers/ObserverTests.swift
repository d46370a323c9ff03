// Observers of results, of history, and queries for other interfaces.

import CoreData
import Foundation
import Observation
import Synchronization
import Testing

@testable import SwiftData

@Suite(.timeLimit(.minutes(20))) struct ObserverTests {
    private let fixture: HistoryFixture

    init() throws { fixture = try HistoryFixture() }

    /// Waits for the next change of what a closure reads.
    private func change<Value>(after act: () throws -> Void, of read: () -> Value) async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        _ = withObservationTracking(read) { continuation.finish() }
        try act()
        for await _ in stream {}
    }

    @Test func resultsFollowTheirContext() throws {
        let context = fixture.context()
        let observer = try ResultsObserver<Vehicle, Never>(
            sortBy: [SortDescriptor(\.plate)], modelContext: context)
        #expect(observer.results.isEmpty && observer.sections == nil && observer.sectionBy == nil)
        let changed = Mutex(false)
        _ = withObservationTracking {
            observer.results.count
        } onChange: {
            changed.withLock { $0 = true }
        }
        context.insert(Vehicle(plate: "B"))
        context.insert(Vehicle(plate: "A"))
        context.processPendingChanges()
        #expect(changed.withLock { $0 })
        #expect(observer.results.map(\.plate) == ["A", "B"])
        let first = try #require(observer.element(at: [0, 0]))
        #expect(first.plate == "A" && observer.indexPath(for: first) == [0, 0])
        #expect(observer.element(at: [0, 2]) == nil && observer.element(at: [1, 0]) == nil)
        context.delete(first)
        #expect(observer.results.map(\.plate) == ["B"] && observer.indexPath(for: first) == nil)
        observer.filterBy = #Predicate { $0.plate == "C" }
        #expect(observer.results.isEmpty && observer.filterBy != nil)
        observer.fetchDescriptor = FetchDescriptor(sortBy: [SortDescriptor(\.plate, order: .reverse)])
        #expect(observer.results.count == 1 && observer.sortBy.count == 1 && observer.fetchError == nil)
        #expect(observer.modelContext === context)
    }

    @Test func resultsFollowOtherContexts() throws {
        let observer = try ResultsObserver<Vehicle, Never>(
            fetchDescriptor: FetchDescriptor(sortBy: [SortDescriptor(\.plate)]),
            modelContainer: fixture.container)
        #expect(observer.results.isEmpty)
        try fixture.add("A 1")
        #expect(observer.results.map(\.plate) == ["A 1"])
        let second = try ResultsObserver<Vehicle, Never>(
            filterBy: #Predicate { $0.plate == "A 2" }, modelContainer: fixture.container)
        try fixture.add("A 2")
        #expect(second.results.count == 1 && observer.results.count == 2)
        let third = try ResultsObserver<Vehicle, Never>(
            fetchDescriptor: FetchDescriptor(), modelContext: fixture.context())
        #expect(third.results.count == 2)
    }

    @Test func sections() throws {
        let context = fixture.context()
        for (target, length) in [("Rome", 3), ("Oslo", 1), ("Rome", 2)] {
            context.insert(Journey(target: target, kilometres: length))
        }
        let order = [SortDescriptor(\Journey.target), SortDescriptor(\Journey.kilometres)]
        let observer = try ResultsObserver<Journey, String>(
            sortBy: order, sectionBy: \.target, modelContext: context)
        let sections = try #require(observer.sections)
        #expect(sections.sectionNames == ["Oslo", "Rome"] && sections.count == 2)
        #expect(
            sections[1].map(\.kilometres) == [2, 3] && sections[1].id == "Rome" && sections[1].name == "Rome")
        #expect(sections[sectionName: "Rome"]?.count == 2 && sections[sectionName: "Bern"] == nil)
        #expect(sections.index(ofSectionNamed: "Rome") == 1 && sections.contains(sectionName: "Oslo"))
        let last = try #require(observer.element(at: [1, 1]))
        #expect(last.kilometres == 3 && observer.indexPath(for: last) == [1, 1])
        #expect(observer.element(at: [2, 0]) == nil && observer.sectionBy == \Journey.target)
        last.target = "Aden"
        #expect(observer.sections?.sectionNames == ["Aden", "Oslo", "Rome"])

        try context.save()
        let all = FetchDescriptor<Journey>(sortBy: order)
        let container = fixture.container
        let two = try [
            ResultsObserver<Journey, String>(
                fetchDescriptor: all, sectionBy: \.target, modelContext: context),
            ResultsObserver<Journey, String>(
                fetchDescriptor: all, sectionBy: \.target, modelContainer: container),
            ResultsObserver<Journey, String>(sortBy: order, sectionBy: \.target, modelContainer: container),
        ]
        #expect(two.allSatisfy { $0.sections?.count == 3 })
    }

    @Test func historyIsCounted() async throws {
        let all = try HistoryObserver(modelContainer: fixture.container)
        let some = try HistoryObserver(
            observedModels: [Vehicle.self], authors: ["a"], modelContainer: fixture.container)
        #expect(some.eventCounter == 0 && some.authors == ["a"] && some.observedModels.count == 1)
        try await change(after: { try fixture.add("B 1", author: "b") }) { all.eventCounter }
        let context = fixture.context(author: "a")
        context.insert(Journey(target: "Rome"))
        try await change(after: { try context.save() }) { all.eventCounter }
        context.insert(Truck(plate: "T 1", load: 1))
        try await change(after: { try context.save() }) { some.eventCounter }
        #expect(some.eventCounter == 1)
        #expect(some.modelContainer === fixture.container)
    }

    @Test func historyIsCountedFromAToken() async throws {
        try fixture.add("A 1")
        let token = try #require(
            try fixture.context().fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).last
        ).token
        let present = try HistoryObserver(
            historyTokens: [token.storeIdentifier: token], modelContainer: fixture.container)
        #expect(present.eventCounter == 0)
        try fixture.add("A 2")
        let behind = try HistoryObserver(
            historyTokens: [token.storeIdentifier: token], modelContainer: fixture.container)
        #expect(behind.eventCounter == 1)
    }

    /// A save may still be announced when an observer begins behind it.
    @Test func aSaveIsCountedOnceWhileItIsAnnounced() throws {
        try fixture.add("A 1")
        let token = try #require(
            try fixture.context().fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).last
        ).token
        try fixture.add("A 2")
        let coordinator = fixture.container.coordinator
        // A thread of its own: this test doesn't give way to tasks.
        let announcing = Thread {
            while !Thread.current.isCancelled {
                NotificationCenter.default.post(name: .NSPersistentStoreRemoteChange, object: coordinator)
                Thread.sleep(forTimeInterval: 0.0001)
            }
        }
        announcing.start()
        defer { announcing.cancel() }
        for _ in 1...50 {
            let behind = try HistoryObserver(
                historyTokens: [token.storeIdentifier: token], modelContainer: fixture.container)
            #expect(behind.eventCounter == 1)
        }
    }

    @Test func savesOfOtherContainersAreCounted() async throws {
        let observer = try HistoryObserver(modelContainer: fixture.container)
        let other = try HistoryFixture.open(fixture.url)
        try await change(
            after: {
                let context = ModelContext(other)
                context.insert(Vehicle(plate: "X"))
                try context.save()
            }, of: { observer.eventCounter })
        #expect(observer.eventCounter >= 1)
    }

    @Test func liveQueries() async throws {
        let query = LiveQuery(fixture.container) { context in
            try context.fetch(FetchDescriptor<Vehicle>(sortBy: [SortDescriptor(\.plate)])).map(\.plate)
        }
        var values = query.makeAsyncIterator()
        #expect(try await values.next() == [])
        try fixture.add("A 1")
        #expect(try await values.next() == ["A 1"])
        // A save that changes nothing of interest brings no value.
        let context = fixture.context()
        context.insert(Journey(target: "Rome"))
        try context.save()
        try fixture.add("A 2")
        #expect(try await values.next() == ["A 1", "A 2"])
    }
}
