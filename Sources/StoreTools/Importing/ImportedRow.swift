// A record with its values made for the model.

import CoreData

/// The target of a relationship in a file.
enum ImportTarget: Hashable {
    case object(NSManagedObjectID)
    /// Another record of the file, by its number.
    case record(Int)
}

/// An object that a record describes.
struct ImportedRow {
    /// The record's number in the file, from 1, wrong ones counted.
    let number: Int
    let record: ImportRecord
    let entity: NSEntityDescription
    /// Values of attributes by name, `NSNull` for nil where the record says so.
    var values: [String: Any] = [:]
    var targets: [(relationship: NSRelationshipDescription, objects: [ImportTarget])] = []
    /// Relationships to records that weren't found in the store, and may be in the file.
    var sought: [(column: ImportColumn, key: SoughtKey)] = []
    /// Indicates that only an object can be made of it, not a row of a batch.
    var needsObject = false

    func failure(_ error: any Error) -> ImportFailure { record.failure(readable(error)) }
}

/// An attribute's value that a relationship's object is found by.
struct SoughtKey: Hashable {
    let entity: String
    let attribute: String
    let value: AnyHashable
}

extension ImportRecord {
    func failure(_ reason: String) -> ImportFailure {
        ImportFailure(line: line, reason, file: file, record: name)
    }

    /// `object 3`, or `object 3 of Book` where the file has several entities; nil where the line says enough.
    var name: String? {
        number.map { "object \($0)" + (entity.map { " of " + $0 } ?? "") }
    }

    /// The record's place alone.
    var withoutCells: ImportRecord {
        ImportRecord(line: line, number: number, cells: [], entity: entity, file: file)
    }

    /// The record as another one's failure names it.
    var place: String { name ?? "line \(line)" }
}

/// Counts the records of a file, wrong ones among them.
struct NumberedRecords {
    private let reader: any ImportReader
    private(set) var number = 0

    init(_ reader: any ImportReader) { self.reader = reader }

    /// The next record, or what is wrong with it; nil after the last. Throws where nothing can be read any more.
    mutating func next() throws -> Result<ImportRecord, ImportFailure>? {
        do {
            guard let record = try reader.next() else { return nil }
            number += 1
            return .success(record)
        } catch let failure as ImportFailure where failure.isOfOneRecord {
            number += 1
            return .failure(failure)
        }
    }
}
