// Models of a shop, cards, play lists and numbers.

import Foundation
import SwiftData
import Testing

@Suite @MainActor struct KindsTests {
    let container: ModelContainer
    var context: ModelContext { container.mainContext }
    init() throws {
        container = try ModelContainer(
            for: Shop.Order.self, Shop.Line.self, Shop.Customer.self, Card.self, Playlist.self, Numbers.self,
            configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    }

    @Test func orders() throws {
        let order = Shop.Order(number: "1")
        context.insert(order)
        order.lines = [Shop.Line("a"), Shop.Line("b", count: 3)]
        order.advance()
        order.secretText = "t"
        #expect(Shop.Order(valid: "") == nil)
        #expect(throws: CocoaError.self) { try Shop.Order(checking: "bad") }
        let other = try Shop.Order(checking: "0")
        context.insert(other)
        let customer = Shop.Customer(first: "A", last: "B")
        order.customer = customer
        try context.save()
        #expect("\(order)" == "Order 1")
        #expect(customer.orders?.count == 1)
        let second = ModelContext(container)
        let found = try second.fetch(FetchDescriptor<Shop.Order>()).sorted()
        #expect(found.map(\.number) == ["0", "1"])
        #expect(found[1].state == .paid)
        #expect(found[1].secretText == "t")
        #expect(found[1].lines.map(\.title).sorted() == ["a", "b"])
        #expect(found[1].customer?.fullName == "A B")
        #expect(found[1].platform == "linux")
        let total = found[1].lines.reduce(0) { $0 + $1.count }
        #expect(total == 4)
        context.delete(customer)
        #expect(throws: (any Error).self) { try context.save() }
        context.rollback()
        context.delete(order)
        context.delete(customer)
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Shop.Customer>()) == 0)
    }

    @Test func equality() throws {
        let id = UUID()
        let (a, b) = (Card(id: id, front: "a"), Card(id: id, front: "b"))
        #expect(a == b)
        #expect(Set([a, b]).count == 1)
        context.insert(a)
        try context.save()
        context.insert(b)
        try context.save()
        let all = try context.fetch(FetchDescriptor<Card>())
        #expect(all.map(\.front) == ["b"])
        #expect(all.contains(a))
        let wanted = [id]
        #expect(
            try context.fetchCount(FetchDescriptor<Card>(predicate: #Predicate { wanted.contains($0.id) }))
                == 1)
        let repository = CardRepository(context: context)
        #expect(
            try repository.all(#Predicate { $0.front == "b" }, sortedBy: [SortDescriptor(\.front)]).count == 1
        )
        #expect(repository.find(all[0].persistentModelID) === all[0])
        #expect(try AnyStore<Card>(context).first(by: \.front)?.front == "b")
        try repository.removeAll()
        try context.save()
        #expect(try AnyStore<Card>(context).count() == 0)
    }

    @Test func playlists() throws {
        let list = Playlist(name: "P")
        context.insert(list)
        for title in ["a", "b", "c"] { list.append(title) }
        list.move(from: 2, to: 0)
        try context.save()
        #expect(list.sorted.map(\.title) == ["c", "a", "b"])
        let again = try #require(try ModelContext(container).fetch(FetchDescriptor<Playlist>()).first)
        #expect(again.sorted.map(\.title) == ["c", "a", "b"])
        #expect(again.entries.allSatisfy { $0.playlist === again })
        list.entries.remove(at: list.entries.firstIndex { $0.title == "a" }!)
        list.entries.swapAt(0, 1)
        list.entries.sort { $0.title < $1.title }
        #expect(Set(list.entries.map(\.title)) == ["b", "c"])
        list.entries.removeAll()
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Playlist.Entry>()) == 3)
        context.delete(list)
        try context.save()
        let model = PlaylistModel(context: context)
        model.add("Rock")
        model.add("Pop")
        #expect(model.playlists.map(\.name) == ["Pop", "Rock"])
        model.search = "roc"
        #expect(model.playlists.map(\.name) == ["Rock"])
        model.delete(at: [0])
        #expect(model.playlists.isEmpty)
        model.search = ""
        #expect(model.playlists.map(\.name) == ["Pop"])
    }

    @Test func numbers() throws {
        let n = Numbers()
        context.insert(n)
        n.uuids = [UUID()]
        n.optionalPair = Pair(first: 1, second: Pair(first: 2, second: 3))
        n.interval = DateInterval(start: Date(timeIntervalSinceReferenceDate: 0), duration: 5)
        try context.save()
        let m = try #require(try ModelContext(container).fetch(FetchDescriptor<Numbers>()).first)
        #expect((m.i, m.i8, m.i16, m.i32, m.i64) == (1, -8, -16, -32, .min))
        #expect((m.u, m.u8, m.u16, m.u32, m.u64) == (.max, .max, .max, .max, .max))
        #expect((m.f, m.d, m.dec, m.b) == (1.5, .pi, 3.14, true))
        #expect((m.oi, m.od, m.ob, m.odate) == (nil, 2, nil, nil))
        #expect(
            m.ints == [1, 2] && m.strings == nil && m.dates.isEmpty && m.urls.isEmpty && m.uuids == n.uuids)
        #expect(m.nested == [["a": [1]]])
        #expect(m.tupleLike == Pair(first: 1, second: "x"))
        #expect(m.optionalPair == n.optionalPair)
        #expect(m.interval?.duration == 5)
        #expect(m.color == .black)
        n.optionalPair?.second.first = 9
        n.strings = ["q"]
        n.strings?.append("r")
        n.oi = 3
        n.oi? += 1
        try context.save()
        let o = try #require(try ModelContext(container).fetch(FetchDescriptor<Numbers>()).first)
        #expect(o.optionalPair?.second.first == 9)
        #expect(o.strings == ["q", "r"])
        #expect(o.oi == 4)
        let big = UInt64.max
        #expect(
            try context.fetchCount(FetchDescriptor<Numbers>(predicate: #Predicate { $0.u64 == big })) == 1)
        #expect(
            try context.fetchCount(FetchDescriptor<Numbers>(predicate: #Predicate { ($0.oi ?? 0) * 2 == 8 }))
                == 1)
        #expect(
            try context.fetchCount(FetchDescriptor<Numbers>(predicate: #Predicate { $0.d > 3.1 && $0.f < 2 }))
                == 1)
    }

    @Test func clients() async throws {
        let id = try await CardClient.live.save("x")
        #expect(try await CardClient.live.all() == ["x"])
        let client = CardClient(save: { _ in id }, all: { [] })
        #expect(try await client.save("") == id)
    }
}
