// A query's rows as a file: CSV or JSON.

import CoreData
import StoreTools

/// Builds the file, or a part of it, up to a bound.
struct DataExport: @unchecked Sendable {
    // Unchecked: columns hold descriptions of a model in use, which don't change.

    enum Form: String {
        case csv, json

        var type: String { self == .csv ? "text/csv; charset=utf-8" : "application/json; charset=utf-8" }
    }

    /// Rows and bytes that one answer may have. Pages put longer files together from parts.
    static let rows = 10_000
    static let limit = 64 << 20

    let form: Form
    private let columns: [KeyPathColumn]

    init(_ form: Form, of entity: NSEntityDescription, keys: [String]?) throws {
        self.form = form
        let identity = entity.propertiesByName["id"] == nil ? "id" : "objectID"
        // Columns of the grid only: others lead to objects that the person may not see.
        for key in keys ?? [] { _ = try GridColumn(key, of: entity) }
        var columns =
            try keys.map { try ([identity] + $0).map { try KeyPathColumn($0, of: entity) } }
            ?? KeyPathColumn.standard(for: entity, withToMany: false)
        for number in columns.indices { columns[number].keepsBytes = true }
        self.columns = columns
    }

    /// The rows of a part of the file; the first has the names of the columns before them. A whole file of JSON is a
    /// list, its parts are what stands between the brackets.
    func data(_ objects: [NSManagedObject], isWhole: Bool, isFirst: Bool) throws -> Data {
        var data = Data(isWhole && form == .json ? "[".utf8 : "".utf8)
        if form == .csv, isFirst {
            data.append(
                contentsOf: (columns.map { Self.field($0.name) }.joined(separator: ",") + "\r\n").utf8)
        }
        for (place, object) in objects.enumerated() {
            let values = columns.map { $0.value(of: object) }
            data.append(contentsOf: line(values, isFirst: isFirst && place == 0).utf8)
            if data.count > Self.limit {
                throw StudioProblem(
                    status: 413,
                    "That is more than \(Self.limit >> 20) MB at once: leave out columns, or use coredata export."
                )
            }
        }
        if isWhole, form == .json { data.append(contentsOf: (objects.isEmpty ? "]\n" : "\n]\n").utf8) }
        return data
    }

    /// Chosen objects with their unsaved changes, as a whole file.
    func text(_ objects: [NSManagedObject]) throws -> String {
        String(decoding: try data(objects, isWhole: true, isFirst: true), as: UTF8.self)
    }

    private func line(_ values: [PrintedValue], isFirst: Bool) -> String {
        switch form {
        case .json:
            let record = PrintedValue.record(
                zip(columns, values).map { PrintedValue.Field($0.name, value: $1) })
            return (isFirst ? "\n" : ",\n") + record.json
        case .csv: return values.map(Self.field).joined(separator: ",") + "\r\n"
        }
    }

    private static func field(_ value: PrintedValue) -> String {
        switch value {
        case .null: ""
        case .text(let text): text.isEmpty ? "\"\"" : field(text)
        case .bytes(let data): data.base64EncodedString()
        case .list, .record: field(value.json)
        default: field(value.cell)
        }
    }

    private static func field(_ text: String) -> String {
        guard
            text.utf8.contains(where: { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }) || text.first == " "
                || text.last == " "
        else { return text }
        return "\"" + text.replacingOccurrences(of: "\"", with: "\"\"") + "\""
    }
}

extension DataWorkspace {
    /// Chosen rows as CSV or JSON, for the clipboard.
    func text(_ wanted: DataRoutes.RowsText, grants: Grants) throws -> StudioValue {
        guard let form = DataExport.Form(rawValue: wanted.form) else {
            throw StudioProblem(status: 400, "Rows are copied as csv or json.")
        }
        let entity = try entity(wanted.entity)
        let objects = try StudioProblem.bounded(wanted.ids).map { name in
            let object = try object(name)
            for action in [StudioAction.read, .export] { try grants.require(action, entity: object.entity) }
            guard object.entity.isKindOf(entity: entity) else {
                throw StudioProblem(status: 422, "\(name.prefix(200)) is no \(wanted.entity).")
            }
            return object
        }
        return ["text": .text(try DataExport(form, of: entity, keys: wanted.columns).text(objects))]
    }
}
