// Random edits and saves of contexts that know nothing of each other's, on one store.

@testable import CoreData
import CoreDataTestSupport
import Foundation

/// A context that edits and saves, with the objects that it holds.
final class GraphEditor {
    let name: String
    let context: NSManagedObjectContext
    var held: [NSManagedObject] = []

    init(_ name: String, _ context: NSManagedObjectContext) {
        self.name = name
        self.context = context
    }

    convenience init(_ name: String, _ coordinator: NSPersistentStoreCoordinator) {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        self.init(name, context)
    }

    var present: [NSManagedObject] {
        held.filter { $0.managedObjectContext === context && !$0.isDeleted }
    }

    func hold(_ objects: [NSManagedObject]) {
        for object in objects where !held.contains(where: { $0 === object }) { held.append(object) }
    }
}

/// A run whose steps follow a seed, and what it finds wrong.
class RivalGraphRun {
    let seed: UInt64
    var random: SeededGenerator
    let stack: TestStack
    let model: NSManagedObjectModel
    var editors: [GraphEditor] = []
    var coordinators: [NSPersistentStoreCoordinator]
    private(set) var log: [String] = []
    private(set) var faults: [String] = []
    private(set) var saves = 0
    var made = 0
    private let skipped: Set<Int>
    private var step = 0

    init(
        seed: UInt64, skipping skipped: Set<Int> = [], type: String = NSSQLiteStoreType, besides: Bool = true,
        unique: Bool = false
    ) throws {
        self.seed = seed
        self.skipped = skipped
        random = SeededGenerator(seed: seed &* 7919)
        model = RivalGraphModel.make(seed: seed)
        if unique { model.entitiesByName["Tag"]?.uniquenessConstraints = [["name"]] }
        stack = try TestStack(type: type, model: model)
        coordinators = [stack.coordinator]
        if besides, seed % 2 == 1, type != NSInMemoryStoreType {
            let beside = NSPersistentStoreCoordinator(managedObjectModel: model)
            try beside.addPersistentStore(ofType: type, configurationName: nil, at: stack.url, options: nil)
            coordinators.append(beside)
        }
        for number in 0..<(seed % 3 == 0 ? 3 : 2) {
            editors.append(
                GraphEditor(["A", "B", "C"][number], coordinators[number % coordinators.count]))
        }
    }

    func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    func pick<T>(of things: [T]) -> T? { things.isEmpty ? nil : things[pick(things.count)] }

    func note(_ line: String) { log.append(line) }

    func fault(_ line: String) {
        faults.append(line)
        log.append("!! " + line)
    }

    // MARK: Steps

    /// Runs the next step unless it is skipped; its choices follow from the seed and its number.
    private func take(_ action: () throws -> Void) rethrows {
        step += 1
        random = SeededGenerator(seed: seed &* 7919 &+ UInt64(step) &* 104_729)
        if !skipped.contains(step) { try action() }
    }

    /// The steps of a run with so many rounds of edits: those that make the first graph, the rounds, the last saves.
    static func stepCount(_ steps: Int) -> Int { 30 + steps * 4 + 3 }

    func run(steps: Int) throws {
        let first = editors[0]
        for _ in 0..<10 { take { insert(first) } }
        for _ in 0..<20 { try take { try edit(first) } }
        try save(first)
        for editor in editors { try look(editor) }
        for number in 0..<steps * 4 where faults.isEmpty {
            try take {
                let editor = editors[pick(editors.count)]
                if number % 4 == 3 {
                    if pick(3) == 0 { try save(editor) }
                } else {
                    try edit(editor)
                }
            }
        }
        for editor in editors where faults.isEmpty { try take { try save(editor) } }
    }

    /// Has an editor hold all objects, some of them with their values.
    func look(_ editor: GraphEditor) throws {
        note("\(editor.name) looks")
        for name in RivalGraphModel.entities {
            editor.hold(try editor.context.all(name, sort: "number").filter { !$0.isDeleted })
        }
        for object in editor.present where pick(2) == 0 { _ = object.graphValues() }
    }

    func insert(_ editor: GraphEditor) {
        made += 1
        let entity = pick(of: ["Knot", "Knot", "Loop", "Bag", "Tag", "Pin"]) ?? "Knot"
        let object = editor.context.make(entity, ["name": "n\(made)", "number": made])
        note("\(editor.name) inserts \(entity) n\(made)")
        editor.hold([object])
    }

    func edit(_ editor: GraphEditor) throws {
        let present = editor.present
        guard present.count > 3, let object = pick(of: present) else { return insert(editor) }
        switch pick(20) {
        case 0: insert(editor)
        case 1, 2:
            note("\(editor.name) deletes \(label(object))")
            editor.context.delete(object)
        case 3:
            editor.context.processPendingChanges()
        case 4, 5:
            made += 1
            note("\(editor.name) sets \(label(object)).name to n\(made)")
            object.setValue("n\(made)", forKey: "name")
        default: relate(object, editor)
        }
    }

    func label(_ object: NSManagedObject) -> String { object.graphName }

    private func relate(_ object: NSManagedObject, _ editor: GraphEditor) {
        let relationships = object.entity.relationshipsByName.values.sorted { $0.name < $1.name }
        guard let relationship = pick(of: relationships) else { return }
        let others = editor.present.filter { other in
            relationship.destinationEntity.map { other.entity.isKindOf(entity: $0) } ?? false
        }
        guard relationship.isToMany else {
            let other = pick(4) == 0 ? nil : pick(of: others)
            note("\(editor.name) sets \(label(object)).\(relationship.name) to \(other.map(label) ?? "nil")")
            return object.setValue(other, forKey: relationship.name)
        }
        guard let other = pick(of: others) else { return }
        if relationship.isOrdered {
            let set = object.mutableOrderedSetValue(forKey: relationship.name)
            if set.contains(other), pick(2) == 0 {
                note("\(editor.name) removes \(label(other)) from \(label(object)).\(relationship.name)")
                set.remove(other)
            } else {
                let place = pick(set.count + 1)
                note(
                    "\(editor.name) puts \(label(other)) into \(label(object)).\(relationship.name) at \(place)"
                )
                if set.contains(other) { set.remove(other) }
                set.insert(other, at: min(place, set.count))
            }
        } else {
            let set = object.mutableSetValue(forKey: relationship.name)
            if set.contains(other), pick(3) > 0 {
                note("\(editor.name) removes \(label(other)) from \(label(object)).\(relationship.name)")
                set.remove(other)
            } else {
                note("\(editor.name) adds \(label(other)) to \(label(object)).\(relationship.name)")
                set.add(other)
            }
        }
    }

    // MARK: Saving

    static let policies: [(String, NSMergePolicy)] = [
        ("error", .error), ("object trump", .mergeByPropertyObjectTrump),
        ("store trump", .mergeByPropertyStoreTrump), ("overwrite", .overwrite), ("rollback", .rollback),
    ]

    func save(_ editor: GraphEditor) throws {
        guard let (name, policy) = pick(of: Self.policies) else { return }
        editor.context.mergePolicy = policy
        nonisolated(unsafe) var changed: [NSManagedObject] = []
        let observer = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: editor.context, queue: nil
        ) { notification in
            for key in [NSInsertedObjectsKey, NSUpdatedObjectsKey] {
                changed += (notification.userInfo?[key] as? Set<NSManagedObject>).map(Array.init) ?? []
            }
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        editor.context.processPendingChanges()
        let versions = editor.context.versions
        do {
            try editor.context.save()
        } catch let error as NSError {
            note("\(editor.name) fails to save by \(name): \(error.code) \(error.localizedDescription)")
            let isConflict = [133020, 133021].contains(error.code)
            if !isConflict && ![1600, 1560].contains(error.code)
                || isConflict && name != "error" && editor.context.parent == nil
            {
                fault("unexpected error \(error)")
            }
            failed(editor, error)
            if pick(2) == 0 || error.code != 133020 {
                note("\(editor.name) rolls back")
                editor.context.rollback()
                let left = editor.context.registeredObjects.filter { $0.hasChanges && !$0.isDeleted }
                if !left.isEmpty { fault("\(editor.name) has changes after a rollback") }
                editor.context.refreshAllObjects()
            }
            return
        }
        saves += 1
        note("\(editor.name) saved by \(name): \(changed.map(\.graphName).sorted().joined(separator: " "))")
        // Nothing was written of objects whose version is as it was, so that they may be stale.
        try check(editor, changed.filter { versions[ObjectIdentifier($0)] != $0.committedVersion })
    }

    /// Called when a save failed.
    func failed(_ editor: GraphEditor, _ error: NSError) {}

    /// Looks at the store and at a context that saved, whose objects were written.
    func check(_ editor: GraphEditor, _ changed: [NSManagedObject]) throws {
        let context = editor.context
        if context.hasChanges { fault("\(editor.name) has changes after its save") }
        let stored = try checkedStore()
        var shown: GraphState = [:]
        for object in changed { shown[object.graphName] = object.graphValues() }
        let same = stored.filter { shown[$0.key] != nil }
        for difference in differences(shown, same) {
            fault("shown by \(editor.name) after its save | stored: " + difference)
        }
        if pick(2) == 0 {
            note("\(editor.name) refreshes")
            context.refreshAllObjects()
            let all = try context.graphState()
            for difference in differences(all, stored) {
                fault("shown by \(editor.name), refreshed | stored: " + difference)
            }
            if context.hasChanges { fault("\(editor.name) has changes after a refresh") }
            try look(editor)
        }
        editor.held.removeAll { $0.isDeleted || $0.managedObjectContext == nil }
    }

    /// The rows of the store, which must not contradict each other.
    func checkedStore() throws -> GraphState {
        let fresh = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        fresh.persistentStoreCoordinator = coordinators.last
        let stored = try fresh.graphState()
        for fault in model.contradictions(in: stored) { self.fault("in the store: " + fault) }
        if stack.coordinator.persistentStores[0].type != NSInMemoryStoreType {
            for problem in try stack.coordinator.verify(stack.coordinator.persistentStores[0])
            where problem.isHarmful {
                fault("\(problem.check): \(problem.rows)")
            }
        }
        return stored
    }
}

extension NSManagedObjectContext {
    fileprivate var versions: [ObjectIdentifier: Int64] {
        Dictionary(registeredObjects.map { (ObjectIdentifier($0), $0.committedVersion) }) { first, _ in first
        }
    }
}
