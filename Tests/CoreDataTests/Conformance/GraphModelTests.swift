// Random edits of a small graph, undone, merged, saved and refreshed, against a graph of plain values.
//
// COREDATA_SEED=n runs one sequence again, COREDATA_LONG_TESTS=1 many more and longer ones.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct GraphModelTests {
    private static let environment = ProcessInfo.processInfo.environment
    static let seeds: [UInt64] =
        environment["COREDATA_SEED"].flatMap { UInt64($0) }.map { [$0] }
        ?? Array(1...UInt64(rounds(8, long: 400)))

    @Test(arguments: [StoreKind.sqlite, .inMemory] + StoreKind.onServers, seeds)
    func theContextIsAsTheModelSays(_ kind: StoreKind, _ seed: UInt64) throws {
        let stack = try UndoStack(kind)
        try stack.context.run { () throws in
            var walk = GraphWalk(stack, seed: seed)
            for _ in 0..<rounds(80, long: 300) { try walk.step() }
            #expect(walk.log.count > 40)
        }
    }
}

/// A graph as values: what each node has, by label. Every relationship is kept on one side.
struct PlainGraph: Equatable {
    struct PlainNode: Equatable {
        var number = 0
        var group: String?
        var partner: String?
        var whole: String?
        var parts: [String] = []
        var friends: Set<String> = []
    }

    var nodes: [String: PlainNode] = [:]
    var labels: [String] { nodes.keys.sorted() }

    mutating func setPartner(_ label: String, _ partner: String?) {
        if let partner {
            for other in labels where nodes[other]?.partner == partner { nodes[other]?.partner = nil }
        }
        nodes[label]?.partner = partner
    }

    mutating func setWhole(_ label: String, _ whole: String?) {
        if let old = nodes[label]?.whole { nodes[old]?.parts.removeAll { $0 == label } }
        nodes[label]?.whole = whole
        if let whole { nodes[whole]?.parts.append(label) }
    }

    /// The rule of `parts` is "cascade", that of all others "nullify".
    mutating func delete(_ label: String) {
        var gone: Set<String> = []
        var work = [label]
        while let next = work.popLast() {
            if gone.insert(next).inserted { work += nodes[next]?.parts ?? [] }
        }
        for label in gone { nodes[label] = nil }
        for label in labels {
            guard var node = nodes[label] else { continue }
            if node.group.map(gone.contains) == true { node.group = nil }
            if node.partner.map(gone.contains) == true { node.partner = nil }
            if node.whole.map(gone.contains) == true { node.whole = nil }
            node.parts.removeAll(where: gone.contains)
            node.friends.subtract(gone)
            nodes[label] = node
        }
    }

    /// In words, with the other sides of all relationships.
    var summaries: [String: String] {
        var result: [String: String] = [:]
        for (label, node) in nodes {
            func others(_ isOther: (PlainNode) -> Bool) -> [String] {
                nodes.filter { isOther($0.value) }.map(\.key).sorted()
            }
            result[label] = Self.summary(
                node.number,
                [
                    node.parts, [node.whole].compactMap(\.self), others { $0.group == label },
                    [node.group].compactMap(\.self), [node.partner].compactMap(\.self),
                    others { $0.partner == label }, node.friends.sorted(),
                    others { $0.friends.contains(label) },
                ])
        }
        return result
    }

    static let relationships = [
        "parts", "whole", "members", "group", "partner", "partnerOf", "friends", "friendOf",
    ]

    static func summary(_ number: Int, _ related: [[String]]) -> String {
        zip(relationships, related).reduce("\(number)") { $0 + " \($1.0)=\($1.1.joined(separator: ","))" }
    }
}

/// One sequence of edits, in a context and in the model.
struct GraphWalk {
    private let stack: UndoStack
    private let seed: UInt64
    private var random: SeededGenerator
    private var number = 0
    /// The graphs that the context shows and the store has.
    private var current = PlainGraph()
    private var saved = PlainGraph()
    private var undoable: [PlainGraph] = []
    private var redoable: [PlainGraph] = []
    private(set) var log: [String] = []

    init(_ stack: UndoStack, seed: UInt64) {
        self.stack = stack
        self.seed = seed
        random = SeededGenerator(seed: seed)
    }

    private var context: NSManagedObjectContext { stack.context }

    mutating func step() throws {
        switch Int.random(in: 0..<40, using: &random) {
        case 0..<24: try edit()
        case 24..<28: undo()
        case 28..<30: redo()
        case 30..<33: try save()
        case 33: try refresh()
        case 34: refreshAll()
        case 35: start("rollback", saved) { $0.rollback() }
        case 36: start("reset", saved) { $0.reset() }
        default: try merge()
        }
        try expectAgreement()
    }

    // MARK: Edits

    /// One group of undo.
    private mutating func edit() throws {
        let before = current
        stack.manager.beginUndoGrouping()
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            current = try changed(current, in: context)
        }
        stack.manager.endUndoGrouping()
        undoable.append(before)
        redoable = []
    }

    /// Changes a graph in a context and in the model. Something changes each time.
    private mutating func changed(
        _ before: PlainGraph, in context: NSManagedObjectContext
    ) throws -> PlainGraph {
        var graph = before
        try change(context, &graph)
        return graph
    }

    private mutating func change(_ context: NSManagedObjectContext, _ graph: inout PlainGraph) throws {
        number += 1
        let labels = graph.labels
        guard labels.count > 2, Int.random(in: 0..<6, using: &random) > 0 || labels.count > 8,
            let label = labels.randomElement(using: &random),
            let other = labels.randomElement(using: &random),
            let plain = graph.nodes[label]
        else { return insert(context, &graph) }
        let node = try self.node(label, context)
        let isNone = Bool.random(using: &random)
        switch Int.random(in: 0..<12, using: &random) {
        case 0..<3:
            log.append("\(label).number = \(number)")
            node.setValue(number, forKey: "number")
            graph.nodes[label]?.number = number
        case 3, 4:
            let group = plain.group == other || isNone ? nil : other
            log.append("\(label).group = \(group ?? "nil")")
            node.setValue(try group.map { try self.node($0, context) }, forKey: "group")
            graph.nodes[label]?.group = group
        case 5, 6:
            let partner = plain.partner == other || isNone ? nil : other
            log.append("\(label).partner = \(partner ?? "nil")")
            node.setValue(try partner.map { try self.node($0, context) }, forKey: "partner")
            graph.setPartner(label, partner)
        case 7, 8:
            let whole = plain.whole == other || isNone ? nil : other
            log.append("\(label).whole = \(whole ?? "nil")")
            node.setValue(try whole.map { try self.node($0, context) }, forKey: "whole")
            if plain.whole != whole { graph.setWhole(label, whole) }
        case 9, 10:
            let friends = node.mutableSetValue(forKey: "friends")
            log.append("\(label).friends ± \(other)")
            if plain.friends.contains(other) {
                friends.remove(try self.node(other, context))
                graph.nodes[label]?.friends.remove(other)
            } else {
                friends.add(try self.node(other, context))
                graph.nodes[label]?.friends.insert(other)
            }
        default:
            log.append("delete \(label)")
            context.delete(node)
            context.processPendingChanges()
            graph.delete(label)
        }
    }

    private mutating func insert(_ context: NSManagedObjectContext, _ graph: inout PlainGraph) {
        let label = "n\(number)"
        log.append("insert \(label)")
        context.node(label).setValue(0, forKey: "number")
        graph.nodes[label] = PlainGraph.PlainNode()
    }

    private func node(_ label: String, _ context: NSManagedObjectContext) throws -> Node {
        let request = NSFetchRequest<Node>(entityName: "Node")
        request.predicate = NSPredicate(format: "label == %@", label)
        return try #require(try context.fetch(request).first, "\(label) is missing, \(trail)")
    }

    // MARK: The context's own operations

    private mutating func undo() {
        guard let before = undoable.popLast() else { return }
        log.append("undo")
        stack.manager.undo()
        redoable.append(current)
        current = before
    }

    private mutating func redo() {
        guard let after = redoable.popLast() else { return }
        log.append("redo")
        stack.manager.redo()
        undoable.append(current)
        current = after
    }

    private mutating func save() throws {
        log.append("save")
        do {
            try context.save()
        } catch {
            try #require(Bool(false), "\(error), \(trail)")
        }
        saved = current
        #expect(!context.hasChanges, "\(trail)")
        try expect(try stack.storedGraph(context: context), saved, "store")
    }

    /// Unsaved changes stay.
    private mutating func refreshAll() {
        log.append("refresh all")
        context.refreshAllObjects()
    }

    private mutating func refresh() throws {
        guard let label = current.labels.randomElement(using: &random) else { return }
        let node = try self.node(label, context)
        let keeps = node.hasChanges || Bool.random(using: &random)
        log.append("refresh \(label), \(keeps)")
        context.refresh(node, mergeChanges: keeps)
    }

    /// Performs an operation that ends all unsaved changes, and forgets all that could be undone.
    private mutating func start(
        _ name: String, _ graph: PlainGraph, _ body: (NSManagedObjectContext) -> Void
    ) {
        log.append(name)
        body(context)
        forgetUndo(graph)
    }

    private mutating func forgetUndo(_ graph: PlainGraph) {
        stack.manager.removeAllActions()
        (undoable, redoable) = ([], [])
        current = graph
    }

    /// Another context's save. With unsaved changes here it is one of values that didn't change here.
    private mutating func merge() throws {
        let other = stack.container.newBackgroundContext()
        nonisolated(unsafe) var notification: Notification?
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: other, queue: nil
        ) { notification = $0 }
        defer { NotificationCenter.default.removeObserver(token) }
        log.append("merge:")
        var walk = self
        try other.run { () throws in
            if walk.current == walk.saved, !walk.context.hasChanges {
                for _ in 0..<3 { walk.saved = try walk.changed(walk.saved, in: other) }
                walk.current = walk.saved
            } else {
                try walk.changeElsewhere(other)
            }
            try other.save()
        }
        self = walk
        if let notification { context.mergeChanges(fromContextDidSave: notification) }
        forgetUndo(current)
    }

    private mutating func changeElsewhere(_ other: NSManagedObjectContext) throws {
        let labels = saved.labels.filter { current.nodes[$0]?.number == saved.nodes[$0]?.number }
        guard let label = labels.randomElement(using: &random) else { return }
        number += 1
        log.append("\(label).number = \(number)")
        try node(label, other).setValue(number, forKey: "number")
        saved.nodes[label]?.number = number
        current.nodes[label]?.number = number
    }

    // MARK: Agreement

    private var trail: String { "seed \(seed): \(log.suffix(60).joined(separator: "; "))" }

    private func expectAgreement() throws {
        try expect(context.plainGraph(), current, "context")
        if current != saved { #expect(context.hasChanges, "\(trail)") }
    }

    private func expect(_ found: [String: String], _ graph: PlainGraph, _ name: String) throws {
        let different = difference(found, graph.summaries)
        try #require(different == [], "\(name), \(trail)")
    }
}

extension NSManagedObjectContext {
    /// All nodes by label, with what the plain graph knows of them.
    fileprivate func plainGraph() throws -> [String: String] {
        let nodes = try fetch(NSFetchRequest<Node>(entityName: "Node"))
        return Dictionary(
            nodes.map { node in
                let number = node.value(forKey: "number") as? Int ?? -1
                return (node.label, PlainGraph.summary(number, PlainGraph.relationships.map(node.labels)))
            }, uniquingKeysWith: { $0 + " twice " + $1 })
    }
}

extension UndoStack {
    fileprivate func storedGraph(context: NSManagedObjectContext) throws -> [String: String] {
        let other = container.newBackgroundContext()
        return try other.run { try other.plainGraph() }
    }
}
