// The version of a row, which each save raises.

/// The successor of a version. A file from outside may hold the greatest number there is,
/// after which it is 1 again.
package enum RowVersion {
    /// Stands for whichever version a row has. No row that a framework wrote has it.
    package static let any: Int64 = 0

    package static func next(after version: Int64) -> Int64 { version == .max ? 1 : version + 1 }
}
