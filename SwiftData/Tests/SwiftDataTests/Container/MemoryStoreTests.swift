// Stores in memory behave as files do.

import Foundation
import SwiftData
import Testing

@Suite struct MemoryStoreTests {
    private let container: ModelContainer
    private let context: ModelContext

    init() throws {
        container = try Self.open(ModelConfiguration(isStoredInMemoryOnly: true))
        context = ModelContext(container)
    }

    private static func open(_ configurations: ModelConfiguration...) throws -> ModelContainer {
        try ModelContainer(
            for: Schema([Vehicle.self, Truck.self, Journey.self, Country.self]),
            configurations: configurations)
    }

    private func history(
        _ predicate: Predicate<DefaultHistoryTransaction>? = nil
    ) throws -> [DefaultHistoryTransaction] {
        try context.fetchHistory(HistoryDescriptor(predicate: predicate))
    }

    @Test func theyKeepAHistory() throws {
        context.author = "garage"
        let car = Vehicle(plate: "A 1")
        context.insert(car)
        try context.save()
        let token = try #require(try history().last).token
        context.author = "yard"
        car.wheels = 3
        try context.save()
        context.delete(car)
        try context.save()

        let all = try history()
        #expect(all.map(\.author) == ["garage", "yard", "yard"])
        #expect(Set(all.map(\.storeIdentifier)) == [car.persistentModelID.storeIdentifier ?? ""])
        #expect(try history(#Predicate { $0.token > token }) == Array(all.dropFirst()))
        let author: String? = "garage"
        #expect(try history(#Predicate { $0.author == author }) == Array(all.prefix(1)))
        guard case .insert(let insert as DefaultHistoryInsert<Vehicle>)? = all[0].changes.first,
            case .update(let update as DefaultHistoryUpdate<Vehicle>)? = all[1].changes.first,
            case .delete(let delete as DefaultHistoryDelete<Vehicle>)? = all[2].changes.first
        else {
            Issue.record("other changes: \(all.map(\.changes))")
            return
        }
        #expect(insert.changedPersistentIdentifier == update.changedPersistentIdentifier)
        #expect(update.containsAttribute(\.wheels) && !update.containsAttribute(\.plate))
        #expect(delete.tombstone[\.plate] as? String == "A 1")
    }

    @Test func theirHistoryIsDeleted() throws {
        for number in 1...3 {
            context.insert(Vehicle(plate: "A \(number)"))
            try context.save()
        }
        let all = try history()
        let (first, second) = (all[0].token, all[1].token)
        try context.deleteHistory(
            HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token < second }))
        #expect(try history() == Array(all.dropFirst()))
        try context.deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>())
        #expect(try history().isEmpty)
        #expect(throws: SwiftDataError.historyTokenExpired) {
            _ = try history(#Predicate { $0.token > first })
        }
        #expect(try context.fetchCount(FetchDescriptor<Vehicle>()) == 3)
    }

    @Test func savesTellTheirPlaceInTheHistory() throws {
        nonisolated(unsafe) var told: [String: any HistoryToken]?
        let observer = NotificationCenter.default.addObserver(
            forName: ModelContext.didSave, object: context, queue: nil
        ) { note in
            told =
                note.userInfo?[ModelContext.NotificationKey.historyTokens.rawValue]
                as? [String: any HistoryToken]
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        context.insert(Vehicle(plate: "A 1"))
        try context.save()
        let last = try #require(try history().last)
        #expect(told?[last.storeIdentifier] as? DefaultHistoryToken == last.token)
    }

    @Test(.timeLimit(.minutes(20))) func observersAreToldOfSaves() async throws {
        let several = try Self.open(
            ModelConfiguration(for: Vehicle.self, isStoredInMemoryOnly: true),
            ModelConfiguration(for: Country.self, isStoredInMemoryOnly: true))
        for container in [container, several] {
            let observer = try HistoryObserver(modelContainer: container)
            let results = try ResultsObserver<Vehicle, Never>(
                fetchDescriptor: FetchDescriptor(), modelContainer: container)
            #expect(observer.eventCounter == 0 && results.results.isEmpty)
            let context = ModelContext(container)
            context.insert(Vehicle(plate: "A 1"))
            try context.save()
            while observer.eventCounter == 0 { try await Task.sleep(for: .milliseconds(5)) }
            #expect(observer.eventCounter == 1 && results.results.map(\.plate) == ["A 1"])
        }
    }

    @Test func twoContainersAreSeparate() throws {
        let other = try Self.open(ModelConfiguration(isStoredInMemoryOnly: true))
        for (number, one) in [container, other].enumerated() {
            let context = ModelContext(one)
            context.insert(Vehicle(plate: "A \(number)"))
            try context.save()
        }
        func plates(_ container: ModelContainer) throws -> [String] {
            try ModelContext(container).fetch(FetchDescriptor<Vehicle>()).map(\.plate)
        }
        #expect(try plates(container) == ["A 0"] && plates(other) == ["A 1"])
        try container.erase()
        #expect(try plates(container) == [] && plates(other) == ["A 1"])
        #expect(try history().isEmpty)
        #expect(
            try ModelContext(other).fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).count == 1)
        try other.erase()
        #expect(try plates(other) == [])
        context.insert(Vehicle(plate: "A 2"))
        try context.save()
        #expect(try plates(container) == ["A 2"] && history().count == 1)
    }

    @Test func severalInOneContainerKeepTheirModels() throws {
        let container = try Self.open(
            ModelConfiguration(
                "vehicles", schema: Schema([Vehicle.self, Truck.self]), isStoredInMemoryOnly: true),
            ModelConfiguration("countries", schema: Schema([Country.self]), isStoredInMemoryOnly: true))
        let context = ModelContext(container)
        for number in 1...2 {
            let (car, country) = (Vehicle(plate: "A \(number)"), Country(code: "AM", name: "Armenia"))
            car.journeys = [Journey(target: "Sevan")]
            context.insert(car)
            context.insert(country)
            try context.save()
            #expect(car.persistentModelID.storeIdentifier != country.persistentModelID.storeIdentifier)
            #expect(try ModelContext(container).fetch(FetchDescriptor<Journey>()).first?.vehicle != nil)
            #expect(try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).count == 2)
            try container.erase()
            #expect(try ModelContext(container).fetchCount(FetchDescriptor<Vehicle>()) == 0)
            #expect(try ModelContext(container).fetchCount(FetchDescriptor<Country>()) == 0)
        }
    }

    @Test func thoseOfOtherModelsNeedNoNames() throws {
        func configurations(_ second: any PersistentModel.Type) -> [ModelConfiguration] {
            [
                ModelConfiguration(for: Country.self, isStoredInMemoryOnly: true),
                ModelConfiguration(for: second, isStoredInMemoryOnly: true),
            ]
        }
        let schema = Schema([Country.self, Vehicle.self])
        let container = try ModelContainer(for: schema, configurations: configurations(Vehicle.self))
        let context = ModelContext(container)
        let (car, country) = (Vehicle(plate: "A 1"), Country(code: "AM", name: "Armenia"))
        context.insert(car)
        context.insert(country)
        try context.save()
        #expect(car.persistentModelID.storeIdentifier != country.persistentModelID.storeIdentifier)
        #expect(throws: SwiftDataError.duplicateConfiguration) {
            try ModelContainer(for: schema, configurations: configurations(Country.self))
        }
    }

    @Test func theirPlaceMayHaveAName() throws {
        let url = URL(fileURLWithPath: "/dev/null/Preview")
        let configuration = ModelConfiguration(url: url)
        #expect(configuration.isStoredInMemoryOnly && configuration.name == "Preview")
        let containers = try (0..<2).map { _ in try Self.open(configuration) }
        let context = ModelContext(containers[0])
        context.insert(Vehicle(plate: "A 1"))
        try context.save()
        #expect(try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).count == 1)
        #expect(try ModelContext(containers[1]).fetchCount(FetchDescriptor<Vehicle>()) == 0)
        try containers[0].erase()
        #expect(try ModelContext(containers[0]).fetchCount(FetchDescriptor<Vehicle>()) == 0)
    }

    @Test func oneThatIsOnlyReadIsEmpty() throws {
        let container = try Self.open(
            ModelConfiguration(schema: nil, isStoredInMemoryOnly: true, allowsSave: false))
        let context = ModelContext(container)
        #expect(try context.fetchCount(FetchDescriptor<Vehicle>()) == 0)
        context.insert(Vehicle(plate: "A 1"))
        #expect(throws: CocoaError.self) { try context.save() }
    }
}
