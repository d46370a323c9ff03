// The children of a context, and what it tells them: which temporary keys became permanent ones.

import Foundation
import Synchronization

/// The permanent key that took the place of a temporary one.
struct KeyReplacement: Sendable {
    let temporary: Int64
    let key: Int64
    /// Number of the root entity.
    let root: Int
    /// As the coordinator has it.
    let store: NSPersistentStore
}

/// A child's record of a key replacement.
struct PermanentKey {
    let key: Int64
    /// Number of the table in the child's registry.
    let table: Int32
}

/// The children of a context, with a log of keyReplacements for those that haven't taken them over yet. It doesn't keep
/// them alive.
final class ChildList: Sendable {
    private struct Child {
        let address: ContextAddress
        /// The number of key replacements that the child has taken over, counted from the
        /// first that there ever was.
        var taken: Int
    }

    private struct State {
        var children: [Child] = []
        var log: [KeyReplacement] = []
        /// The number of key replacements that every child had, so that they left the log.
        var dropped = 0
    }

    private let state = Mutex(State())

    func add(_ child: NSManagedObjectContext) {
        state.withLock { state in
            let taken = state.dropped + state.log.count
            state.children.append(Child(address: ContextAddress(child), taken: taken))
        }
    }

    func remove(_ child: NSManagedObjectContext) {
        let address = ContextAddress(child)
        state.withLock { state in state.children.removeAll { $0.address == address } }
    }

    /// Logs keyReplacements for the children that are alive.
    func note(_ keyReplacements: @autoclosure () -> [KeyReplacement]) {
        state.withLock { state in
            if state.children.isEmpty { return state = State() }
            state.log += keyReplacements()
        }
    }

    /// The keyReplacements that a child hasn't taken over yet; from now on it has.
    func take(for child: NSManagedObjectContext) -> [KeyReplacement] {
        state.withLock { state in
            guard let place = state.children.firstIndex(where: { $0.address == ContextAddress(child) })
            else { return [] }
            let end = state.dropped + state.log.count
            if state.children[place].taken == end { return [] }
            let fresh = Array(state.log[(state.children[place].taken - state.dropped)...])
            state.children[place].taken = end
            let all = state.children.map(\.taken).min() ?? end
            state.log.removeFirst(all - state.dropped)
            state.dropped = all
            return fresh
        }
    }
}

extension NSManagedObjectContext {
    /// Takes over what the parent's objects got since this context last asked.
    final func applyKeyReplacements() {
        if let parentContext { takeOver(parentContext.children.take(for: self)) }
    }

    /// The same after all contexts above have done so, each on its queue.
    final func catchUpWithParents() {
        guard let parentContext else { return }
        if parentContext.parentContext != nil {
            parentContext.answer(self) { parentContext.catchUpWithParents() }
        }
        applyKeyReplacements()
    }

    /// Gives the context's objects the permanent keys that its parent's got. Words of rows that no object may change
    /// keep the temporary ones: `permanent(_:)` translates.
    final func takeOver(_ keyReplacements: [KeyReplacement]) {
        if keyReplacements.isEmpty { return }
        for keyReplacement in keyReplacements {
            let table = registry.tableNumber(store: asked(keyReplacement.store), root: keyReplacement.root)
            parentState.permanentKeys[keyReplacement.temporary] = PermanentKey(
                key: keyReplacement.key, table: Int32(table))
            guard let object = registry.object(table: 0, primaryKey: keyReplacement.temporary) else {
                continue
            }
            registry.unregister(object, table: 0, primaryKey: keyReplacement.temporary)
            object.primaryKey = keyReplacement.key
            object.table = Int32(table)
            object.identity = nil
            registry.register(object, table: table, primaryKey: keyReplacement.key)
        }
        children.note(keyReplacements)
    }
}
