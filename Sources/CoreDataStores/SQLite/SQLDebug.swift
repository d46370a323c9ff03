// `-com.apple.CoreData.SQLDebug 1…4` among the launch arguments: what the store asks of SQLite, on standard
// error.
//
//   1   statements and how long they took
//   2   and their bindings
//   3   and connections
//   4   as 3

import CoreDataSQL
package import CoreDataSQLiteEngine
import Foundation

/// Writes SQL as it runs.
package struct SQLDebug: Sendable {
    package let level: Int

    /// As the launch arguments say; `nil` if they don't ask for it. Without the argument, the user default of
    /// the same name counts.
    package static let current: SQLDebug? = {
        let name = "com.apple.CoreData.SQLDebug"
        let arguments = ProcessInfo.processInfo.arguments
        var text: String?
        if let place = arguments.firstIndex(of: "-" + name), place + 1 < arguments.count {
            text = arguments[place + 1]
        }
        let level = text.flatMap(Int.init) ?? UserDefaults.standard.integer(forKey: name)
        return level > 0 ? SQLDebug(level: level) : nil
    }()

    /// For the engine.
    package var trace: (TraceEvent) -> Void {
        { event in Self.write(lines(event)) }
    }

    package func noteConnection(_ path: String) {
        if level >= 3 {
            Self.write(["CoreData: annotation: Connecting to sqlite database file at \"\(path)\""])
        }
    }

    /// The lines for a statement that ran.
    package func lines(_ event: TraceEvent) -> [String] {
        var lines = ["CoreData: sql: \(event.sql)"]
        if level >= 2 {
            for (number, binding) in event.bindings.enumerated() {
                lines.append("CoreData: details: SQLite bind[\(number)] = \(Self.text(binding))")
            }
        }
        let parts = event.duration.components
        let seconds = Double(parts.seconds) + Double(parts.attoseconds) * 1e-18
        let kind = event.sql.uppercased().hasPrefix("SELECT") ? "fetch" : "execution"
        let time = String(format: "%.4f", seconds)
        lines.append("CoreData: annotation: sql connection \(kind) time: \(time)s")
        return lines
    }

    private static func text(_ binding: SQLBinding) -> String {
        switch binding {
        case .null: "nil"
        case .integer(let number): "(int64)\(number)"
        case .double(let number): "(double)\(number)"
        case .text(let text): "\"\(text)\""
        case .blob(let bytes): "<\(bytes.count) bytes>"
        }
    }

    private static func write(_ lines: [String]) {
        FileHandle.standardError.write(Data((lines.joined(separator: "\n") + "\n").utf8))
    }
}
