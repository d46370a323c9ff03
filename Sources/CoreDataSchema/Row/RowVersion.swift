// The version of a row, which each save raises.

/// The successor of a version. A file from outside may hold the greatest number there is,
/// after which it is 1 again.
package enum RowVersion {
    /// Stands for whichever version a row has. No row that a framework wrote has it.
    package static let any: Int64 = 0

    /// Returns the version of a row that is written anew after another writer deleted it: above those that the deleted row may
    /// have got since `version`, so that whoever knows one of them meets a conflict.
    package static func anew(after version: Int64) -> Int64 {
        version > .max - 65_536 ? 65_536 : version + 65_536
    }

    package static func next(after version: Int64) -> Int64 { version == .max ? 1 : version + 1 }
}
