// One object of a file that is imported, as the file has it.

import CoreData

/// Names with values, and where they stand.
public struct ImportRecord {
    /// The contents of a record for one property.
    public enum Cell {
        /// Text of a CSV file. The empty text says nothing, unless it stands in quotes.
        case text(String, isQuoted: Bool)
        /// A value of a JSON file.
        case json(Any)
    }

    /// The line that the record begins on, from 1.
    public let line: Int
    /// The record's number in its list, from 1, where its line needn't tell it from others.
    public var number: Int?
    /// The cells by the names of their columns, in order.
    public internal(set) var cells: [(name: String, cell: Cell)]
    /// The entity that the file says the object is of, where it holds several.
    public var entity: String?
    /// The file's name, where there are several.
    public var file: String?

    init(
        line: Int, number: Int? = nil, cells: [(name: String, cell: Cell)], entity: String? = nil,
        file: String? = nil
    ) {
        self.line = line
        self.number = number
        self.cells = cells
        self.entity = entity
        self.file = file
    }
}

/// Reads a file record by record, so that files of any length need the memory of one.
public protocol ImportReader: AnyObject {
    /// The columns, if the file names them before its records.
    var columns: [String]? { get }
    /// Returns the next record; nil after the last.
    ///
    /// - Throws: `ImportFailure` for a record that can't be read.
    func next() throws -> ImportRecord?
}

/// A fault in a line of a file.
public struct ImportFailure: Error, CustomStringConvertible {
    /// The line in the file, from 1.
    public let line: Int
    /// The fault, in words.
    public let reason: String
    /// The file's name, where there are several.
    public var file: String?
    /// The record, where its line needn't tell it from others: `object 3`, `object 3 of Book`.
    public var record: String?
    /// Indicates whether the records that follow can be read all the same.
    public let isOfOneRecord: Bool

    /// A failure at a line.
    ///
    /// - Parameters:
    ///   - line: the line in the file, from 1.
    ///   - reason: what is wrong.
    ///   - file: the file's name, if it is one of several.
    ///   - record: the record, if its line needn't tell it from others.
    ///   - isOfOneRecord: whether the records after it can still be read.
    public init(
        line: Int, _ reason: String, file: String? = nil, record: String? = nil, isOfOneRecord: Bool = false
    ) {
        self.line = line
        self.reason = reason
        self.file = file
        self.record = record
        self.isOfOneRecord = isOfOneRecord
    }

    public var description: String {
        (file.map { $0 + ", " } ?? "") + "line \(line)" + (record.map { ", " + $0 } ?? "") + ": \(reason)"
    }
}
