// The forms of store files that are read and written whole: XML and binary.

package import CoreDataSQL
package import CoreDataSchema
package import CoreDataSupport
package import Foundation

/// Between the bytes of a file and rows in memory.
package protocol StoreFileForm {
    /// `NSStoreType` of stores in this form.
    static var type: String { get }
    /// Indicates whether rows keep their versions in the file.
    static var keepsVersions: Bool { get }
    /// Indicates that no two rows of the store have the same key, whatever their entities.
    static var sharesKeys: Bool { get }
    /// The first key of a new store.
    static var firstKey: Int64 { get }

    /// Indicates whether a file that begins with these bytes, at most 4,096, is a store in this form.
    static func recognizes(_ start: Data) -> Bool
    /// Returns the metadata of the store. Reads no rows. Throws `StoreFileFailure`.
    static func metadata(_ data: Data) throws -> StoreMetadata
    /// Fills `rows`, which are empty, and returns what the store says about itself. Throws `StoreFileFailure`.
    static func read(_ data: Data, into rows: MemoryRows) throws -> StoreMetadata
    /// The whole file. Throws for a value that the form can't hold.
    static func data(_ rows: MemoryRows, metadata: StoreMetadata) throws -> Data
    /// The same rows with other metadata.
    static func data(_ data: Data, renewing metadata: StoreMetadata) throws -> Data
}

extension StoreFileForm {
    /// A form without a mark of its own is told by the type that a client names.
    package static func recognizes(_ start: Data) -> Bool { false }
}

/// The reason why a store file can't be read.
package struct StoreFileFailure: Error, CustomStringConvertible {
    package enum Kind {
        /// The file is something else.
        case foreign
        /// The file is a store of another type, or in a form of this type that isn't ours.
        case mismatch
        case damaged
        /// The file has an entity or property that the model lacks.
        case model
    }

    package var kind = Kind.damaged
    package let reason: String
    package var entity: String?
    package var property: String?

    package init(_ reason: String, kind: Kind = .damaged, entity: String? = nil, property: String? = nil) {
        self.reason = reason
        self.kind = kind
        self.entity = entity
        self.property = property
    }

    package var description: String { reason }

    /// The error that a client sees.
    package func error(_ url: URL?) -> NSError {
        let (code, sentence) =
            switch kind {
            case .foreign:
                (
                    NSFileReadCorruptFileError,
                    "The file couldn't be opened because it isn't in the correct format."
                )
            case .mismatch:
                (ErrorCode.typeMismatch, "The file is a persistent store of another type.")
            case .damaged: (NSFileReadCorruptFileError, "The persistent store's file is damaged.")
            case .model:
                (ErrorCode.incompatibleSchema, "The persistent store cannot be opened.")
            }
        return CoreDataError.make(
            code, description: sentence, file: url, entity: entity, property: property, reason: reason)
    }
}

/// Makes rows out of what a file says, refusing what a row of the model can't hold.
package struct RowFiller {
    package let model: ModelRuntime
    package let entity: EntityRuntime
    package let row: StoredRow

    /// Keys above would leave no room for further ones.
    package static let largestKey: Int64 = 1 << 60

    package init(_ entity: EntityRuntime, key: Int64, version: Int64) throws {
        guard key > 0, key <= Self.largestKey, version > 0 else {
            throw StoreFileFailure("a row has the key \(key) and the version \(version)", entity: entity.name)
        }
        model = entity.modelRuntime
        self.entity = entity
        row = StoredRow(entity, primaryKey: key, owning: OwnedRow.empty(entity.layout))
        row.pointer.words[0] = UInt64(bitPattern: version)
    }

    /// Sets an attribute.
    package func set(_ value: Value, slot: Slot) throws {
        let words = row.pointer.words
        switch (slot.kind, value) {
        case (_, .null): return
        case (.integer16, .integer(let number)), (.integer32, .integer(let number)),
            (.integer64, .integer(let number)):
            SlotValue.setWord(UInt64(bitPattern: number), slot: slot, in: words)
        case (.boolean, .bool(let flag)): SlotValue.setWord(flag ? 1 : 0, slot: slot, in: words)
        case (.boolean, .integer(let number)): SlotValue.setWord(number == 0 ? 0 : 1, slot: slot, in: words)
        case (.double, .double(let number)), (.float, .double(let number)):
            SlotValue.setWord(number.bitPattern, slot: slot, in: words)
        case (.date, .date(let date)):
            SlotValue.setWord(date.timeIntervalSinceReferenceDate.bitPattern, slot: slot, in: words)
        case (.string, .string), (.uri, .url), (.uuid, .uuid), (.decimal, .decimal), (.data, .data),
            (.externalData, .data), (.transformable, .data):
            OwnedRow.set(CellBox(value), slot: slot, in: words)
        default:
            throw StoreFileFailure("a value is of another type", entity: entity.name, property: slot.name)
        }
    }

    /// Sets a to-one relationship.
    package func point(_ slot: Slot, relation: RelationRuntime, to target: EntityRuntime, key: Int64)
        throws
    {
        let destination = relation.destination(in: model)
        guard target.isKind(of: destination), key > 0 else {
            throw StoreFileFailure(
                "the relationship leads to the entity \(target.name)", entity: entity.name,
                property: slot.name)
        }
        SlotValue.setWord(UInt64(bitPattern: key), slot: slot, in: row.pointer.words)
        if slot.kind == .toOneOfSeveral { row.pointer.words[slot.word + 1] = UInt64(target.number) }
    }
}
