// The connections of one store beside the one that the coordinator's lock guards.

import CoreDataSupport
import Synchronization

/// A connection, or what is kept together with one.
package protocol ConnectionHolder: AnyObject, Sendable {
    var heldConnection: ServerConnection { get }
}

extension ServerConnection: ConnectionHolder {
    package var heldConnection: ServerConnection { self }
}

/// A bounded number of connections with what is kept for each. Nobody waits for one: who gets none does its work in turn, with
/// the lock held.
package final class ServerPool<Holder: ConnectionHolder>: Sendable {
    private struct State {
        var idle: [Holder] = []
        /// Connections that are idle or taken.
        var count = 0
        var isClosed = false
    }

    private let state = Mutex(State())
    private let limit: Int
    private let make: @Sendable () throws -> Holder

    /// - Parameters:
    ///   - limit: how many connections there are at most, idle ones included.
    ///   - make: opens a connection.
    package init(limit: Int, make: @escaping @Sendable () throws -> Holder) {
        self.limit = limit
        self.make = make
    }

    /// A connection that works, until it is given back; `nil` if all are taken, or the pool is closed.
    package func take() throws -> Holder? {
        while true {
            let (found, mayMake) = state.withLock { state -> (Holder?, Bool) in
                if let idle = state.idle.popLast() { return (idle, false) }
                if state.isClosed || state.count >= limit { return (nil, false) }
                state.count += 1
                return (nil, true)
            }
            if let found {
                if !found.heldConnection.wasClosedByServer { return found }
                drop(found)
                continue
            }
            return try mayMake ? made() : nil
        }
    }

    private func made() throws -> Holder {
        do {
            return try make()
        } catch {
            state.withLock { $0.count -= 1 }
            throw error
        }
    }

    /// Takes a connection back. One that is in a transaction still, or broken, is closed.
    package func giveBack(_ holder: Holder) {
        let connection = holder.heldConnection
        let isKept = state.withLock { state in
            guard !state.isClosed, connection.isIdle, !connection.isBroken else { return false }
            state.idle.append(holder)
            return true
        }
        if !isKept { drop(holder) }
    }

    private func drop(_ holder: Holder) {
        holder.heldConnection.close()
        state.withLock { $0.count -= 1 }
    }

    /// Closes the connections, those that are taken once they are given back.
    package func close() {
        let idle = state.withLock { state in
            defer { state.idle = [] }
            state.isClosed = true
            state.count -= state.idle.count
            return state.idle
        }
        for holder in idle { holder.heldConnection.close() }
    }
}
