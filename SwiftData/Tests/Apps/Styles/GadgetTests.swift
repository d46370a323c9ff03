// Properties of every kind that encodes itself.

import Foundation
import SwiftData
import Testing

@Suite(.serialized) struct GadgetTests {
    let url = URL.temporaryDirectory.appending(component: "odd-\(UUID().uuidString).store")
    func clean() {
        for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: url.path() + end) }
        try? FileManager.default.removeItem(
            at: url.deletingLastPathComponent().appending(
                component: "." + url.deletingPathExtension().lastPathComponent + "_SUPPORT"))
    }
    func container() throws -> ModelContainer {
        try ModelContainer(for: Gadget.self, configurations: ModelConfiguration(url: url))
    }

    @Test func everything() throws {
        defer { clean() }
        let id: PersistentIdentifier
        let lots = Lots(
            d: Date(timeIntervalSinceReferenceDate: 1), url: URL(string: "a:b"), data: Data([1]), dec: 2.5,
            l: .high, m: [.low, .mid], o: .init(s: "q", t: 4))
        do {
            let context = ModelContext(try container())
            let g = Gadget(name: "G")
            context.insert(g)
            g.model = "m"; g.context = "c"; g.object = 1; g.number = 2; g.value = 3; g.values = [4];
            g.keeper = "k"; g.base = 6; g.references = 7
            g.maybe = 4; g.array = ["x"]; g.dictionary = ["a": [1]]
            g.shape = .box(Pt(x: 1, y: 2), Pt()); g.optionalShape = .circle(radius: 2);
            g.shapes = [.none, .circle(radius: 1)]
            g.strict = Strict(4); g.unkeyed = Unkeyed(7, 8); g.level = .high; g.levels = [.low, .mid]
            g.wrapper = Wrapper(wrapped: 3, list: [1, 2]);
            g.optionalWrapper = Wrapper(wrapped: Pt(x: 1), list: [Pt()])
            g.expr = .add(.num(1), .add(.num(2), .num(3))); g.lots = lots; g.optionalLots = lots;
            g.manyLots = [lots, Lots()]
            g.index = [1, 5]
            g.blobs = [Data(repeating: 1, count: 300_000)]
            g.parts = [Part("a"), Part("b")]; g.spare = [Part("s")]; g.mainPart = Part("m");
            g.set = [Spare(n: 1)]
            try context.save()
            id = g.persistentModelID
        }
        let context = ModelContext(try container())
        let g = try #require(context.model(for: id) as? Gadget)
        #expect(
            g.model == "m" && g.context == "c" && g.object == 1 && g.number == 2 && g.value == 3
                && g.values == [4] && g.keeper == "k" && g.base == 6 && g.references == 7)
        #expect(g.maybe == 4 && g.array == ["x"] && g.dictionary == ["a": [1]])
        #expect(
            g.shape == .box(Pt(x: 1, y: 2), Pt()) && g.optionalShape == .circle(radius: 2)
                && g.shapes == [.none, .circle(radius: 1)])
        #expect(
            g.strict == Strict(4) && g.unkeyed == Unkeyed(7, 8) && g.level == .high
                && g.levels == [.low, .mid])
        #expect(
            g.wrapper == Wrapper(wrapped: 3, list: [1, 2])
                && g.optionalWrapper == Wrapper(wrapped: Pt(x: 1), list: [Pt()]))
        #expect(g.expr == .add(.num(1), .add(.num(2), .num(3))))
        #expect(g.lots == lots)
        #expect(g.optionalLots == lots)
        #expect(g.manyLots.first == lots && g.manyLots.count == 2)
        #expect(g.index == [1, 5])
        #expect(g.blobs.first?.count == 300_000)
        #expect(
            g.parts.map(\.name).sorted() == ["a", "b"] && g.spare?.map(\.name) == ["s"]
                && g.mainPart?.name == "m" && g.set.map(\.n) == [1])
        #expect(g.set.first?.owners?.first === g)
        #expect(g.parts.first?.gadget === g && g.spare?.first?.spareOf === g && g.mainPart?.mainOf === g)
        g.spare = nil
        g.mainPart = nil
        g.optionalLots = nil
        g.optionalShape = nil
        g.optionalWrapper = nil
        g.lots.n.t = 9
        g.lots.o = nil
        g.set.removeAll()
        try context.save()
        let h = try #require(try ModelContext(context.container).fetch(FetchDescriptor<Gadget>()).first)
        #expect(h.spare?.isEmpty ?? true)
        #expect(
            h.mainPart == nil && h.optionalLots == nil && h.optionalShape == nil && h.optionalWrapper == nil
                && h.lots.n.t == 9 && h.lots.o == nil && h.set.isEmpty)
        let level = Level.high
        #expect(
            try context.fetchCount(
                FetchDescriptor<Gadget>(
                    predicate: #Predicate { $0.level == level && $0.price == 5 && $0.maybe == 4 })) == 1)
        #expect(
            try context.fetchCount(FetchDescriptor<Gadget>(predicate: #Predicate { $0.level.rawValue > 5 }))
                == 1)
        #expect(
            try context.fetchCount(FetchDescriptor<Gadget>(predicate: #Predicate { $0.lots.n.t == 9 })) == 1)
        #expect(
            try context.fetchCount(
                FetchDescriptor<Gadget>(
                    predicate: #Predicate { $0.optionalLots == nil && $0.optionalShape == nil })) == 1)
        #expect(throws: SwiftDataError.self) {
            try context.fetchCount(FetchDescriptor<Gadget>(predicate: #Predicate { $0.array.contains("x") }))
        }
    }

    @Test func twoContainersOfOneFile() throws {
        defer { clean() }
        let (one, two) = (try container(), try container())
        let (a, b) = (ModelContext(one), ModelContext(two))
        a.insert(Gadget(name: "x"))
        try a.save()
        let g = try #require(try b.fetch(FetchDescriptor<Gadget>()).first)
        g.name = "y"
        try b.save()
        #expect(try ModelContext(one).fetch(FetchDescriptor<Gadget>()).map(\.name) == ["y"])
        #expect(try a.fetch(FetchDescriptor<Gadget>(predicate: #Predicate { $0.name == "y" })).count == 1)
    }

    @Test func historyShapes() throws {
        defer { clean() }
        let context = ModelContext(try container())
        context.author = "me"
        let g = Gadget(name: "x")
        context.insert(g)
        try context.save()
        g.name = "z"
        g.parts.append(Part("p"))
        try context.save()
        var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
        descriptor.sortBy = [SortDescriptor(\.timestamp, order: .reverse)]
        descriptor.fetchLimit = 1
        let last = try #require(try context.fetchHistory(descriptor).first)
        #expect(last.author == "me" && last.changes.count == 2)
        #expect(
            !last.storeIdentifier.isEmpty && !last.processIdentifier.isEmpty && !last.bundleIdentifier.isEmpty
                && last.transactionIdentifier > 0)
        for change in last.changes {
            switch change {
            case .insert(let insert): #expect(insert.changedPersistentIdentifier.entityName == "Part")
            case .update(let update):
                #expect(update.changedPersistentIdentifier == g.persistentModelID)
                if let update = update as? DefaultHistoryUpdate<Gadget> {
                    #expect(update.updatedAttributes.contains(\Gadget.name))
                } else {
                    Issue.record("no update")
                }
            case .delete: Issue.record("none")
            @unknown default: Issue.record("none")
            }
        }
    }
}
