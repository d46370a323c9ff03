// The connections of one store beside the one that the coordinator's lock guards.

import CoreDataSupport
import Synchronization

/// A bounded number of connections. Nobody waits for one: who gets none does its work in turn, with the lock held.
package final class ServerPool: Sendable {
    private struct State {
        var idle: [ServerConnection] = []
        /// Connections that are idle or taken.
        var count = 0
        var isClosed = false
    }

    private let state = Mutex(State())
    private let limit: Int
    private let make: @Sendable () throws -> ServerConnection

    /// - Parameters:
    ///   - limit: how many connections there are at most, idle ones included.
    ///   - make: opens a connection.
    package init(limit: Int, make: @escaping @Sendable () throws -> ServerConnection) {
        self.limit = limit
        self.make = make
    }

    /// A connection that works, until it is given back; `nil` if all are taken, or the pool is closed.
    package func take() throws -> ServerConnection? {
        while true {
            let (found, mayMake) = state.withLock { state -> (ServerConnection?, Bool) in
                if let idle = state.idle.popLast() { return (idle, false) }
                if state.isClosed || state.count >= limit { return (nil, false) }
                state.count += 1
                return (nil, true)
            }
            if let found {
                if !found.wasClosedByServer { return found }
                drop(found)
                continue
            }
            return try mayMake ? made() : nil
        }
    }

    private func made() throws -> ServerConnection {
        do {
            return try make()
        } catch {
            state.withLock { $0.count -= 1 }
            throw error
        }
    }

    /// Takes a connection back. One that is in a transaction still, or broken, is closed.
    package func giveBack(_ connection: ServerConnection) {
        let isKept = state.withLock { state in
            guard !state.isClosed, connection.isIdle, !connection.isBroken else { return false }
            state.idle.append(connection)
            return true
        }
        if !isKept { drop(connection) }
    }

    private func drop(_ connection: ServerConnection) {
        connection.close()
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
        for connection in idle { connection.close() }
    }
}
