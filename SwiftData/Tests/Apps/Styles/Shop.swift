// Models inside of an enumeration, with access levels, own equality, generic helpers.

import Foundation
import SwiftData

// Nested models
enum Shop {
    @Model final class Order {
        enum State: Int, Codable, Sendable { case open = 1, paid, sent }
        @Attribute(.unique) var number: String
        private(set) var state = State.open
        private var secret: String = "s"
        fileprivate var notes: [String] = []
        internal var placed: Date = Date.now
        var total: Decimal = 0
        var lines: [Line] = []
        var customer: Customer?
        #if os(Linux)
            var platform = "linux"
        #else
            var platform = "other"
        #endif

        init(number: String) { self.number = number }
        init?(valid number: String) {
            guard !number.isEmpty else { return nil }
            self.number = number
        }
        init(checking number: String) throws {
            guard number != "bad" else { throw CocoaError(.coderInvalidValue) }
            self.number = number
        }
        func advance() {
            switch state {
            case .open: state = .paid
            case .paid: state = .sent
            case .sent: break
            }
        }
        var secretText: String {
            get { secret }
            set { secret = newValue }
        }
        var description: String { "Order \(number)" }
    }

    @Model final class Line {
        var title: String
        var count: Int
        @Relationship(inverse: \Order.lines) var order: Order?
        init(_ title: String, count: Int = 1) {
            self.title = title
            self.count = count
        }
    }

    @Model final class Customer {
        var id: String = UUID().uuidString
        var firstName: String
        var lastName: String
        @Relationship(deleteRule: .deny, inverse: \Order.customer) var orders: [Order]?
        var fullName: String { [firstName, lastName].joined(separator: " ") }
        init(first: String, last: String) {
            firstName = first
            lastName = last
        }
    }
}

extension Shop.Order: CustomStringConvertible {}
extension Shop.Order: Comparable {
    static func < (a: Shop.Order, b: Shop.Order) -> Bool { a.number < b.number }
}

// Own equality and hash
@Model final class Card: Equatable, Hashable, Identifiable {
    @Attribute(.unique) var id: UUID
    var front: String
    init(id: UUID = UUID(), front: String) {
        self.id = id
        self.front = front
    }
    static func == (lhs: Card, rhs: Card) -> Bool { lhs.id == rhs.id }
    func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

// Sorted children by stored order; the usual answer to unordered relationships.
@Model final class Playlist {
    var name: String
    @Relationship(deleteRule: .cascade) var entries: [Entry] = []
    var sorted: [Entry] { entries.sorted(using: SortDescriptor(\.order)) }
    init(name: String) { self.name = name }
    func move(from source: Int, to destination: Int) {
        var all = sorted
        all.insert(all.remove(at: source), at: destination)
        for (n, entry) in all.enumerated() { entry.order = n }
    }
    func append(_ title: String) {
        let entry = Entry(title: title, order: entries.count)
        entry.playlist = self
        entries.append(entry)
    }
    @Model final class Entry {
        var title: String
        var order: Int
        var playlist: Playlist?
        init(title: String, order: Int) {
            self.title = title
            self.order = order
        }
    }
}

// Everything in one, numeric kinds
@Model final class Numbers {
    var i: Int = 1
    var i8: Int8 = -8
    var i16: Int16 = -16
    var i32: Int32 = -32
    var i64: Int64 = .min
    var u: UInt = .max
    var u8: UInt8 = .max
    var u16: UInt16 = .max
    var u32: UInt32 = .max
    var u64: UInt64 = .max
    var f: Float = 1.5
    var d: Double = .pi
    var dec: Decimal = 3.14
    var b: Bool = true
    var oi: Int?
    var od: Double? = 2
    var ob: Bool?
    var odate: Date? = nil
    var ouuid: UUID?
    var ourl: URL?
    var odata: Data?
    var os: String?
    var ints: [Int] = [1, 2]
    var strings: [String]? = nil
    var dates: [Date] = []
    var urls: [URL] = []
    var uuids: Set<UUID> = []
    var nested: [[String: [Int]]] = [["a": [1]]]
    var tupleLike: Pair<Int, String> = Pair(first: 1, second: "x")
    var optionalPair: Pair<Double, Pair<Int, Int>>?
    var character: String = "c"
    var interval: DateInterval?
    var url: URL = URL(string: "https://example.com")!
    var color: ColorComponents = ColorComponents.black
    init() {}
}

struct Pair<A: Codable & Hashable & Sendable, B: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
    var first: A
    var second: B
}

struct ColorComponents: Codable, Hashable, Sendable {
    let red: Float
    let green: Float
    let blue: Float
    static let black = ColorComponents(red: 0, green: 0, blue: 0)
}

// A model with a generic helper and a protocol with an associated model
protocol Repository {
    associatedtype Model: PersistentModel
    var context: ModelContext { get }
}
extension Repository {
    func all(_ predicate: Predicate<Model>? = nil, sortedBy sort: [SortDescriptor<Model>] = []) throws
        -> [Model]
    {
        try context.fetch(FetchDescriptor(predicate: predicate, sortBy: sort))
    }
    func find(_ id: PersistentIdentifier) -> Model? { context.model(for: id) as? Model }
    func removeAll() throws { try context.delete(model: Model.self) }
}
struct CardRepository: Repository {
    typealias Model = Card
    let context: ModelContext
}
final class AnyStore<Model: PersistentModel> {
    let context: ModelContext
    init(_ context: ModelContext) { self.context = context }
    func count() throws -> Int { try context.fetchCount(FetchDescriptor<Model>()) }
    func first<Value: Comparable>(by keyPath: KeyPath<Model, Value> & Sendable) throws -> Model? {
        var descriptor = FetchDescriptor<Model>(sortBy: [SortDescriptor(keyPath)])
        descriptor.fetchLimit = 1
        return try context.fetch(descriptor).first
    }
}

// Injection by closures
struct CardClient: Sendable {
    var save: @Sendable (String) async throws -> UUID
    var all: @Sendable () async throws -> [String]
}
@ModelActor actor CardStore {
    static let shared: CardStore = {
        do {
            let configuration = ModelConfiguration("shared", isStoredInMemoryOnly: true)
            return CardStore(
                modelContainer: try ModelContainer(for: Card.self, configurations: configuration))
        } catch {
            fatalError("\(error)")
        }
    }()
    func save(_ front: String) throws -> UUID {
        let card = Card(front: front)
        modelContext.insert(card)
        try modelContext.save()
        return card.id
    }
    func fronts() throws -> [String] {
        try modelContext.fetch(FetchDescriptor<Card>(sortBy: [.init(\.front)])).map(\.front)
    }
}
extension CardClient {
    static let live = CardClient(
        save: { try await CardStore.shared.save($0) }, all: { try await CardStore.shared.fronts() })
}

// A view model over the main context
@MainActor @Observable final class PlaylistModel {
    private let context: ModelContext
    private(set) var playlists: [Playlist] = []
    var search = "" { didSet { refresh() } }
    init(context: ModelContext) {
        self.context = context
        refresh()
    }
    func refresh() {
        let search = search
        let predicate: Predicate<Playlist>? =
            search.isEmpty ? nil : #Predicate { $0.name.localizedStandardContains(search) }
        playlists =
            (try? context.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.name)])))
            ?? []
    }
    func add(_ name: String) {
        context.insert(Playlist(name: name))
        refresh()
    }
    func delete(at offsets: IndexSet) {
        for index in offsets { context.delete(playlists[index]) }
        refresh()
    }
}
