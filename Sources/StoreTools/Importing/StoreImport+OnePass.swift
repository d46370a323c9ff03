// An import that reads its file once: records are inserted as they are checked, and taken back if one is wrong.

import CoreData

/// A column whose cells are values of an attribute, and say nothing of other objects.
private struct PlainColumn {
    let name: String
    /// Nil for the names of the records themselves.
    let attribute: NSAttributeDescription?
    /// Indicates whether records must have a value.
    let isRequired: Bool
    /// Indicates whether the attribute has rules of its own.
    let isValidated: Bool
}

extension StoreImport {
    /// Ends the batch of an import in which records are wrong.
    private struct WrongRecords: Error {}

    /// Inserts the records of a file as they are checked, all of them in one transaction.
    ///
    /// - Parameter leavingOut: whether the right records are added although others are wrong.
    /// - Returns: the number of new objects, 0 if records are wrong and the right ones aren't wanted without them. Nil, with nothing
    ///   done, if the file isn't one of plain attributes of one entity: then `check()` and `insert(total:)` import it.
    /// - Throws: the errors of reading the file, and of saving.
    public func insertWhileChecking(leavingOut: Bool) throws -> Int? {
        let reader = try reader()
        guard !isUpdating, let entity, let columns = try plainColumns(of: reader, entity: entity)
        else { return nil }
        var records = NumberedRecords(reader)
        let shown = Progress(entity.name ?? "", total: nil)
        defer { shown.finish() }
        // Records behind a wrong one are still checked.
        let unwanted = NSMutableDictionary()
        do {
            return try insertBatch(entity) { values in
                while let next = try records.next() {
                    shown.step()
                    let isWanted = self.failureCount == 0 || leavingOut
                    do {
                        try self.fill(isWanted ? values : unwanted, from: next.get(), columns, of: entity)
                        if isWanted { return true }
                    } catch {
                        self.note(Self.failure(error, next: next), of: records.number)
                    }
                }
                if self.failureCount > 0, !leavingOut { throw WrongRecords() }
                return false
            }
        } catch is WrongRecords {
            return 0
        }
    }

    /// The columns of a file, if each is a plain one.
    private func plainColumns(
        of reader: any ImportReader, entity: NSEntityDescription
    ) throws -> [PlainColumn]? {
        // The name of a record may state an entity that inherits.
        guard let names = reader.columns, entity.subentities.isEmpty, !entity.isAbstract else { return nil }
        let rules = rules(of: entity)
        var columns: [PlainColumn] = []
        for name in names {
            switch try headColumn(name, of: entity).target {
            case .identity:
                columns.append(PlainColumn(name: name, attribute: nil, isRequired: false, isValidated: false))
            case .attribute(let attribute)
            where attribute.attributeType != .compositeAttributeType
                && attribute.attributeType != .transformableAttributeType:
                columns.append(
                    PlainColumn(
                        name: name, attribute: attribute,
                        isRequired: rules.required.contains { $0 === attribute },
                        isValidated: rules.validated.contains(name)))
            default: return nil
            }
        }
        let isWhole = rules.required.allSatisfy { property in columns.contains { $0.attribute === property } }
        return isWhole ? columns : nil
    }

    /// Puts a record's values into a row, in place of those of the one before.
    private func fill(
        _ values: NSMutableDictionary, from record: ImportRecord, _ columns: [PlainColumn],
        of entity: NSEntityDescription
    ) throws {
        values.removeAllObjects()
        let statesNil = try name(of: record, entity) != nil
        for (column, (_, cell)) in zip(columns, record.cells) {
            guard let attribute = column.attribute else { continue }
            guard let value = try value(cell, attribute: attribute, statesNil: statesNil) else {
                if column.isRequired { throw EntityRules.missing(attribute) }
                continue
            }
            if column.isValidated, !(value is NSNull) {
                try validate(value, for: column.name, of: entity)
            }
            values[column.name] = value
        }
    }
}
