// The functions that triggers of derived attributes call. Without them SQLite refuses every write to a table
// that has such a trigger.

package import CoreDataSQL
import Foundation

extension Connection {
    /// Registers what Apple's triggers call, under the names that are in the files.
    func registerTriggerFunctions() throws {
        let log = derivedLog
        for name in [
            "NSCoreDataDATriggerUpdatedAffectedObjectValue",
            "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue",
        ] {
            try register(
                name, argumentCount: 5,
                body: .scalar { arguments in
                    log.report(arguments)
                    return .null
                })
        }
        try register(
            "NSCoreDataNow", argumentCount: 0,
            body: .scalar { _ in .double(Date().timeIntervalSinceReferenceDate) }
        )
    }
}

extension SQLiteEngine {
    /// Makes the triggers that the file lacks, for this connection: the file stays as it is.
    package func keep(_ derived: DerivedTriggers) throws {
        if derived.isEmpty { return }
        for trigger in derived.missing(from: Set(try derivedTriggers())) {
            try execute(SQLStatement(trigger.statement(isTemporary: true)))
        }
    }

    /// The names of the triggers in the file that keep derived attributes.
    package func derivedTriggers() throws -> [String] {
        try connection.texts(SQLiteDialect().catalogue.triggers.text).filter { $0.hasPrefix("Z_DA_") }
    }

    /// Indicates whether triggers' values are kept until a caller takes them.
    package var reportsDerivedValues: Bool {
        get { connection.derivedLog.isKeeping }
        set { connection.derivedLog.isKeeping = newValue }
    }

    /// The derived values that triggers wrote since they were last taken, from a position on. They can still be taken.
    package func derivedValues(from position: Int) -> ArraySlice<DerivedValue> {
        connection.derivedLog.values(from: position)
    }

    /// The derived values that triggers wrote since this was last asked, in order. A rolled back transaction's
    /// are not among them.
    package func takeDerivedValues() -> [DerivedValue] { connection.derivedLog.take() }
}
