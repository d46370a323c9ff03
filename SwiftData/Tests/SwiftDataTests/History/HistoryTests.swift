// The history of a store: transactions, their changes, descriptors, deletion.

import Foundation
import Testing

@testable import SwiftData

@Suite struct HistoryTests {
    private let fixture: HistoryFixture
    private var container: ModelContainer { fixture.container }

    init() throws { fixture = try HistoryFixture() }

    private func history(
        _ descriptor: HistoryDescriptor<DefaultHistoryTransaction> = HistoryDescriptor()
    ) throws -> [DefaultHistoryTransaction] {
        try fixture.context().fetchHistory(descriptor)
    }

    @Test func changesOfEveryKind() throws {
        let context = fixture.context(author: "garage")
        let car = Vehicle(plate: "A 1")
        let truck = Truck(plate: "T 1", load: 7.5)
        context.insert(car)
        context.insert(truck)
        try context.save()
        car.wheels = 3
        try context.save()
        context.delete(truck)
        try context.save()

        let all = try history()
        #expect(all.count == 3)
        #expect(
            all.allSatisfy {
                $0.author == "garage" && !$0.processIdentifier.isEmpty && !$0.storeIdentifier.isEmpty
            })
        #expect(all.map(\.transactionIdentifier) == all.map(\.transactionIdentifier).sorted())
        #expect(all.map(\.timestamp) == all.map(\.timestamp).sorted())
        #expect(Set(all.map(\.bundleIdentifier)).count == 1)
        #expect(Set(all).count == 3 && Set(all.map(\.id)).count == 3)

        let inserted = all[0].changes
        #expect(inserted.count == 2)
        let first = try #require(
            inserted.compactMap { change -> DefaultHistoryInsert<Vehicle>? in
                if case .insert(let insert as DefaultHistoryInsert<Vehicle>) = change { insert } else { nil }
            }.first)
        #expect(first.changedPersistentIdentifier == car.persistentModelID)
        #expect(first.transactionIdentifier == all[0].transactionIdentifier)
        #expect(
            inserted.contains { change in
                if case .insert(let insert as DefaultHistoryInsert<Truck>) = change {
                    return insert.changedPersistentIdentifier == truck.persistentModelID
                }
                return false
            })

        guard case .update(let update as DefaultHistoryUpdate<Vehicle>)? = all[1].changes.first else {
            Issue.record("no update in \(all[1].changes)")
            return
        }
        #expect(update.changedPersistentIdentifier == car.persistentModelID)
        #expect(update.updatedAttributes.map { $0 as PartialKeyPath<Vehicle> } == [\.wheels])
        #expect(update.containsAttribute(\.wheels) && !update.containsAttribute(\.plate))
        #expect(all[1].changes.first?.changedPersistentIdentifier == car.persistentModelID)

        guard case .delete(let delete as DefaultHistoryDelete<Truck>)? = all[2].changes.first else {
            Issue.record("no deletion in \(all[2].changes)")
            return
        }
        #expect(delete.tombstone[\.load] as? Double == 7.5)
        #expect(delete.tombstone[\.plate] as? String == "T 1")
        #expect(delete.tombstone[\.wheels] == nil)
        #expect(delete.changeIdentifier > update.changeIdentifier)
        #expect(delete.transactionIdentifier == all[2].transactionIdentifier)
        #expect(
            Set([delete, delete]).count == 1 && Set([update, update]).count == 1
                && Set([first, first]).count == 1)
    }

    @Test func inheritedPropertiesOfASubclass() throws {
        let context = fixture.context()
        let truck = Truck(plate: "T 1", load: 7.5)
        context.insert(truck)
        try context.save()
        (truck.wheels, truck.load) = (8, 9)
        try context.save()
        guard case .update(let update as DefaultHistoryUpdate<Truck>)? = try history().last?.changes.first
        else {
            Issue.record("no update")
            return
        }
        #expect(update.containsAttribute(\.wheels) && update.containsAttribute(\.load))
        #expect(update.updatedAttributes.map { truck[keyPath: $0] as? Int } == [8, nil])
        #expect(!update.containsAttribute(\.plate))
    }

    @Test func whatCameAfterAToken() throws {
        try fixture.add("A 1", author: "a")
        let token = try #require(try history().last).token
        #expect(token.tokenValue?.count == 1)
        try fixture.add("B 1", author: "b")
        try fixture.add("A 2", author: "a")
        let later = try history(HistoryDescriptor(predicate: #Predicate { $0.token > token }))
        #expect(later.map(\.author) == ["b", "a"])
        #expect(later.allSatisfy { $0.token > token && !($0.token < token) })
        let author: String? = "a"
        let mine = try history(
            HistoryDescriptor(predicate: #Predicate { $0.token > token && $0.author == author }))
        #expect(mine.map(\.author) == ["a"])
        #expect(mine.first?.changes.count == 1)
        let copy = try JSONDecoder().decode(DefaultHistoryToken.self, from: JSONEncoder().encode(token))
        #expect(copy == token && copy.id == token && !copy.storeIdentifier.isEmpty)
        let again = try history(HistoryDescriptor(predicate: #Predicate { $0.token > copy }))
        #expect(again == later)
    }

    @Test func descriptorsSortAndCut() throws {
        for number in 1...5 { try fixture.add("A \(number)", author: number % 2 == 0 ? "even" : "odd") }
        let numbers = try history().map(\.transactionIdentifier)
        var descriptor = HistoryDescriptor<DefaultHistoryTransaction>(
            predicate: #Predicate { $0.author == "odd" },
            sortBy: [SortDescriptor(\.transactionIdentifier, order: .reverse)])
        #expect(try history(descriptor).map(\.transactionIdentifier) == [numbers[4], numbers[2], numbers[0]])
        descriptor.fetchLimit = 2
        #expect(try history(descriptor).map(\.transactionIdentifier) == [numbers[4], numbers[2]])
        #expect(descriptor.sortBy.count == 1 && descriptor.predicate != nil)
    }

    @Test func deletingWhatIsOld() throws {
        try fixture.add("A 1")
        let old = try #require(try history().last).token
        try fixture.add("A 2")
        let kept = try #require(try history().last).token
        try fixture.context().deleteHistory(
            HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token < kept }))
        #expect(try history().map(\.token) == [kept])
        try fixture.add("A 3")
        #expect(try history(HistoryDescriptor(predicate: #Predicate { $0.token > kept })).count == 1)
        #expect(throws: SwiftDataError.historyTokenExpired) {
            try fixture.context().deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>())
            _ = try history(HistoryDescriptor(predicate: #Predicate { $0.token > old }))
        }
    }

    @Test func boundsGoToTheStore() {
        let token = DefaultHistoryToken(["s": 3])
        let day = Date(timeIntervalSinceReferenceDate: 5)
        func scope(_ predicate: Predicate<DefaultHistoryTransaction>) -> HistoryScope {
            HistoryScope(predicate)
        }
        #expect(scope(#Predicate { $0.token > token && $0.author == "a" }).token == token)
        #expect(scope(#Predicate { $0.token > token && $0.author == "a" }).author == "a")
        #expect(scope(#Predicate { token < $0.token }).token == token)
        #expect(scope(#Predicate { $0.token >= token }).token == nil)
        #expect(scope(#Predicate { $0.timestamp >= day }).since == day)
        #expect(scope(#Predicate { $0.token < token }) == HistoryScope(nil))
        // Only one side of it need hold.
        #expect(scope(#Predicate { $0.token > token || $0.author == "a" }) == HistoryScope(nil))
    }
}
