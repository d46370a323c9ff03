// An app's models as Xcode's template has them: no isolation is stated, and that of the target is the main actor.

import Foundation
import SwiftData

enum Category: String, Codable, CaseIterable {
    case food, rent, travel
}

struct Place: Codable, Equatable {
    var latitude = 0.0
    var longitude = 0.0
}

@Model
final class Account {
    #Unique<Account>([\.name])
    @Attribute(.unique) var id: UUID
    var name: String
    var isOpen = true
    @Relationship(deleteRule: .cascade, inverse: \Entry.account) var entries: [Entry] = []
    @Transient var note = ""

    init(name: String) {
        id = UUID()
        self.name = name
    }

    var total: Int { entries.reduce(0) { $0 + $1.amount } }

    static func == (left: Account, right: Account) -> Bool { left.id == right.id }
}

@Model
class Entry {
    #Index<Entry>([\.amount], [\.amount, \.category])
    var amount: Int
    var category: Category
    var place: Place?
    var account: Account?

    init(amount: Int, category: Category = .food) {
        self.amount = amount
        self.category = category
    }

    static var large: Predicate<Entry> { #Predicate { $0.amount > 100 } }
}

@Model
final class Transfer: Entry {
    var receiver: String

    init(amount: Int, receiver: String) {
        self.receiver = receiver
        super.init(amount: amount, category: .rent)
    }
}

/// Stated as nonisolated, as apps do for the models of their actors.
@Model
nonisolated final class Rate {
    var currency: String
    var value: Double

    init(currency: String, value: Double) {
        self.currency = currency
        self.value = value
    }
}

@ModelActor
actor RateImporter {
    func add(_ currency: String, _ value: Double) throws -> PersistentIdentifier {
        let rate = Rate(currency: currency, value: value)
        modelContext.insert(rate)
        try modelContext.save()
        return rate.persistentModelID
    }

    func value(of id: PersistentIdentifier) -> Double? { self[id, as: Rate.self]?.value }

    /// Works with models of which the target's isolation is all that is said.
    func close(_ name: String) throws {
        let accounts = try modelContext.fetch(
            FetchDescriptor<Account>(predicate: #Predicate { $0.name == name }))
        for account in accounts { account.isOpen = false }
        try modelContext.save()
    }
}

enum LedgerSchema: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] {
        [Account.self, Entry.self, Transfer.self, Rate.self]
    }
}

enum LedgerPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [LedgerSchema.self] }
    static var stages: [MigrationStage] { [] }
}

/// What a view reads, with the main context.
@Observable
final class Book {
    let context: ModelContext

    init(_ container: ModelContainer) { context = container.mainContext }

    func accounts() throws -> [Account] {
        try context.fetch(
            FetchDescriptor<Account>(
                predicate: #Predicate { $0.isOpen }, sortBy: [SortDescriptor(\.name)]))
    }
}
