// Random edits in groups, undone all the way back and redone all the way forth: at each step the whole graph must be
// as it was.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct UndoGraphTests {
    @Test(arguments: [StoreKind.sqlite, .inMemory] + StoreKind.onServers, 0..<rounds(3, long: 6))
    func everyStepComesBack(kind: StoreKind, seed: Int) throws {
        let stack = try UndoStack(kind)
        try stack.context.run { () throws in
            var walk = RandomWalk(stack, seed: UInt64(seed), saves: false)
            try walk.run()
        }
    }

    @Test(arguments: [StoreKind.sqlite, .inMemory] + StoreKind.onServers, 10..<rounds(12, long: 18))
    func everyStepComesBackWithSavesInBetween(kind: StoreKind, seed: Int) throws {
        let stack = try UndoStack(kind)
        try stack.context.run { () throws in
            var walk = RandomWalk(stack, seed: UInt64(seed), saves: true)
            try walk.run()
        }
    }
}

private struct RandomWalk {
    private let stack: UndoStack
    private let context: NSManagedObjectContext
    private let saves: Bool
    private var random: SeededGenerator
    private var nodes: [Node] = []
    /// The graph after each group.
    private var graphs: [[String: String]] = [[:]]

    init(_ stack: UndoStack, seed: UInt64, saves: Bool) {
        self.stack = stack
        context = stack.context
        self.saves = saves
        random = SeededGenerator(seed: seed)
    }

    mutating func run() throws {
        for _ in 0..<14 {
            stack.group {
                for _ in 0..<Int.random(in: 1...8, using: &random) { edit() }
            }
            graphs.append(try context.graph())
            try disturb()
        }
        let last = graphs.count - 1
        try walk(from: last, to: 0)
        try walk(from: 0, to: last)
        var place = last
        for _ in 0..<4 {
            let next = Int.random(in: 0...last, using: &random)
            try walk(from: place, to: next)
            place = next
        }
        try context.save()
        #expect(difference(try stack.storedGraph(), graphs[place]).isEmpty)
    }

    /// Undoes or redoes group by group.
    private mutating func walk(from start: Int, to end: Int) throws {
        var place = start
        while place != end {
            if end < place {
                context.undo()
                place -= 1
            } else {
                context.redo()
                place += 1
            }
            let found = difference(try context.graph(), graphs[place])
            try #require(found.isEmpty, "at step \(place) of \(start) to \(end)")
            try disturb()
        }
    }

    /// Does things that must make no difference: saving, and turning objects into faults.
    private mutating func disturb() throws {
        guard saves, Int.random(in: 0..<3, using: &random) == 0 else { return }
        let graph = try context.graph()
        try context.save()
        #expect(!context.hasChanges)
        let found = difference(try stack.storedGraph(), graph)
        try #require(found.isEmpty, "saved")
        if Bool.random(using: &random) { context.refreshAllObjects() }
    }

    // MARK: Edits

    private mutating func edit() {
        let alive = nodes.filter(\.isThere)
        guard alive.count > 2, let node = alive.randomElement(using: &random),
            let other = alive.randomElement(using: &random)
        else { return insert() }
        switch Int.random(in: 0..<14, using: &random) {
        case 0, 1, 2: insert()
        case 3: context.delete(node)
        case 4: context.processPendingChanges()
        case 5, 6: setAttribute(of: node)
        case 7: node.setValue(Bool.random(using: &random) ? other : nil, forKey: "whole")
        case 8: node.setValue(Bool.random(using: &random) ? other : nil, forKey: "group")
        case 9: node.setValue(Bool.random(using: &random) ? other : nil, forKey: "partner")
        case 10: shuffle(node)
        default: toggle(other, in: node)
        }
    }

    private mutating func insert() {
        let node = context.node("n\(nodes.count)")
        nodes.append(node)
        guard let other = nodes.filter(\.isThere).randomElement(using: &random) else { return }
        node.setValue(other, forKey: "group")
    }

    private mutating func setAttribute(of node: Node) {
        let number = Int.random(in: 0..<100, using: &random)
        switch number % 6 {
        case 0: node.setValue(Double(number) / 4, forKey: "height")
        case 1: node.setValue(Decimal(number), forKey: "price")
        case 2: node.setValue(["t\(number)", "u"], forKey: "tags")
        case 3: node.setValue(["city": "c\(number)", "floor": number], forKey: "place")
        case 4:
            let size = number.isMultiple(of: 4) ? 200_000 : 10
            node.setValue(Data(repeating: UInt8(number), count: size), forKey: "blob")
        default: node.setValue(number < 20 ? nil : number, forKey: "number")
        }
    }

    private mutating func toggle(_ other: Node, in node: Node) {
        let key = ["friends", "friendOf", "peers", "members"].randomElement(using: &random) ?? "friends"
        if Bool.random(using: &random) {
            let list = node.mutableOrderedSetValue(forKey: "list")
            if list.contains(other) { list.remove(other) } else { list.insert(other, at: 0) }
        } else {
            let set = node.mutableSetValue(forKey: key)
            if set.contains(other) { set.remove(other) } else { set.add(other) }
        }
    }

    private mutating func shuffle(_ node: Node) {
        for key in ["parts", "list"] {
            let members = (node.value(forKey: key) as? NSOrderedSet)?.array.shuffled(using: &random) ?? []
            node.setValue(NSOrderedSet(array: members), forKey: key)
        }
    }
}
