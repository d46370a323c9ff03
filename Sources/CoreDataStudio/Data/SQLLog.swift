// The statements that a session's last actions needed.

import CoreData
import Synchronization

/// Keeps the SQL of the last actions, bounded in number and length.
final class SQLLog: Sendable {
    static let actions = 20
    static let statements = 200
    static let length = 20_000

    struct Action: Sendable {
        let number: Int
        let title: String
        let date: Date
        var runs: [SQLRun] = []
        /// Those that are left out as well.
        var count = 0
        var duration = 0.0
    }

    private struct State {
        var actions: [Action] = []
        var current: Action?
        var count = 0
    }

    private let state = Mutex(State())

    func begin(_ title: String) {
        state.withLock { state in
            state.count += 1
            state.current = Action(number: state.count, title: title, date: Date())
        }
    }

    func note(_ run: SQLRun) {
        state.withLock { state in
            guard state.current != nil else { return }
            state.current?.count += 1
            state.current?.duration += run.duration
            if (state.current?.runs.count ?? 0) < Self.statements { state.current?.runs.append(run) }
        }
    }

    func end() {
        state.withLock { state in
            guard let action = state.current else { return }
            state.current = nil
            if action.count == 0 { return }
            state.actions.append(action)
            if state.actions.count > Self.actions { state.actions.removeFirst() }
        }
    }

    var recent: [Action] { state.withLock(\.actions) }
}

extension SQLRun {
    var value: StudioValue {
        [
            "sql": .text(String(sql.prefix(SQLLog.length))), "milliseconds": .double(duration * 1000),
            "bindings": .texts(bindings.prefix(200).map { String($0.prefix(ShownValue.cell)) }),
        ]
    }
}
