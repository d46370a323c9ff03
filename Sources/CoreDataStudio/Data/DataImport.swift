// Objects from a CSV or JSON file: first looked at, then made as unsaved objects, so that the person sees them, and
// saves or undoes them together.

import CoreData
import StoreTools

/// One import into an entity.
final class DataImport {
    static let limit = 20_000
    private static let previewed = 20

    /// The target of a column: a property, an element (`address.city`), or a to-one
    /// relationship, whose object is named `Entity/12` or found by an attribute (`boss.name`).
    /// The empty target leaves the column out.
    private let mapping: [String: String]
    private let entity: NSEntityDescription
    private let workspace: DataWorkspace
    private let grants: Grants
    private var found: [String: NSManagedObject] = [:]
    private(set) var failures: [(line: Int, message: String)] = []

    init(
        _ entity: NSEntityDescription, mapping: [String: String], workspace: DataWorkspace,
        grants: Grants
    ) throws {
        if entity.isAbstract {
            throw StudioProblem(status: 422, "\(entity.name ?? "") is abstract: choose an entity below it.")
        }
        self.entity = entity
        self.mapping = mapping
        self.workspace = workspace
        self.grants = grants
        for target in Set(mapping.values) where !target.isEmpty { try checkTarget(target) }
    }

    private func checkTarget(_ target: String) throws {
        let path = target.split(separator: ".").map(String.init)
        guard let property = entity.propertiesByName[path.first ?? target] else {
            throw StudioProblem(status: 422, "\(entity.name ?? "") has no property “\(target)”.")
        }
        if let lock = property.lock { throw StudioProblem(status: 422, "“\(target)” can't be set. \(lock)") }
        if let relationship = property as? NSRelationshipDescription {
            if relationship.isToMany {
                throw StudioProblem(
                    status: 422, "“\(target)” is a to-many relationship: import its other side.")
            }
            if let destination = relationship.destinationEntity {
                try grants.require(.read, entity: destination)
            }
        }
    }

    /// Returns the likely targets of a file's columns: by name, whatever the case.
    static func guess(_ columns: [String], entity: NSEntityDescription) -> [String: String] {
        var mapping: [String: String] = [:]
        for column in columns {
            let parts = column.split(separator: ".").map(String.init)
            let wanted = (parts.first ?? column).lowercased().filter { $0.isLetter || $0.isNumber }
            let match = entity.properties.first { property in
                property.lock == nil && (property as? NSRelationshipDescription)?.isToMany != true
                    && [property.name, property.label].contains {
                        $0.lowercased().filter { $0.isLetter || $0.isNumber } == wanted
                    }
            }
            mapping[column] = match.map { ([$0.name] + parts.dropFirst()).joined(separator: ".") } ?? ""
        }
        return mapping
    }

    /// Reads all records without making objects: columns, the first records, and what is wrong with which line.
    static func columns(_ reader: any ImportReader) throws -> (
        columns: [String], records: [ImportRecord], count: Int
    ) {
        var columns: [String] = []
        var records: [ImportRecord] = []
        var count = 0
        while let record = try reader.next() {
            for (name, _) in record.cells where !columns.contains(name) { columns.append(name) }
            if records.count < previewed { records.append(record) }
            count += 1
            if count > limit {
                throw StudioProblem(
                    status: 413, "The file has more than \(limit) records: pages take no more at once.")
            }
            if columns.count > 500 { throw StudioProblem(status: 413, "The file has more than 500 columns.") }
        }
        return (columns, records, count)
    }

    /// Makes the objects. If a line is wrong none is made, unless the wrong ones are to be left out.
    func run(_ reader: any ImportReader, skippingFailures: Bool) throws -> [NSManagedObject] {
        try grants.require(.importing, entity: entity)
        try grants.require(.insert, entity: entity)
        var made: [NSManagedObject] = []
        while let record = try reader.next() {
            let object = NSManagedObject.make(entity, in: workspace.context)
            made.append(object)
            do {
                try fill(object, record: record)
                try object.validateForInsert()
            } catch {
                failures.append((record.line, sentence(error)))
                workspace.context.delete(object)
                made.removeLast()
            }
            if made.count > Self.limit { throw StudioProblem(status: 413, "The file has too many records.") }
        }
        if !failures.isEmpty, !skippingFailures {
            for object in made { workspace.context.delete(object) }
            made = []
        }
        workspace.context.processPendingChanges()
        return made
    }

    private func sentence(_ error: any Error) -> String {
        if let problem = error as? StudioProblem { return problem.message }
        return SaveProblem.problems(of: error).map(\.message).joined(separator: " ")
    }

    private func fill(_ object: NSManagedObject, record: ImportRecord) throws {
        for (column, cell) in record.cells {
            guard let target = mapping[column], !target.isEmpty else { continue }
            let path = target.split(separator: ".").map(String.init)
            if let relationship = entity.relationshipsByName[path[0]] {
                if let other = try related(relationship, path: path, cell: cell) {
                    object.setValue(other, forKey: path[0])
                }
            } else if let input = Self.input(cell, attribute: entity.attributesByName[path[0]]) {
                try workspace.set(target, input: input, of: object, grants: grants)
            }
        }
    }

    /// Nil for a cell that says nothing.
    private static func input(_ cell: ImportRecord.Cell, attribute: NSAttributeDescription?) -> StudioValue? {
        switch cell {
        case .text("", let isQuoted):
            return isQuoted && attribute?.attributeType == .stringAttributeType ? .text("") : nil
        case .text(let text, _): return .text(text)
        case .json(is NSNull): return nil
        case .json(let text as String): return .text(text)
        case .json(let number as NSNumber):
            let isFlag = attribute?.attributeType == .booleanAttributeType
            return isFlag ? .bool(number.boolValue) : .text(number.stringValue)
        case .json(let value):
            let data = try? JSONSerialization.data(withJSONObject: value, options: .fragmentsAllowed)
            guard let data else { return nil }
            if attribute is NSCompositeAttributeDescription {
                return try? JSONDecoder().decode(StudioValue.self, from: data)
            }
            return .text(String(decoding: data, as: UTF8.self))
        }
    }

    private func related(
        _ relationship: NSRelationshipDescription, path: [String], cell: ImportRecord.Cell
    ) throws -> NSManagedObject? {
        guard let input = Self.input(cell, attribute: nil), let text = input.text, !text.isEmpty else {
            return nil
        }
        let name = path.joined(separator: ".") + "\0" + text
        if let known = found[name] { return known }
        let object =
            try path.count > 1 ? search(relationship, key: path[1], text: text) : workspace.object(text)
        guard let destination = relationship.destinationEntity, object.entity.isKindOf(entity: destination)
        else {
            throw StudioProblem(status: 422, "\(text.prefix(100)) can't be in “\(relationship.label)”.")
        }
        found[name] = object
        return object
    }

    private func search(_ relationship: NSRelationshipDescription, key: String, text: String) throws
        -> NSManagedObject
    {
        guard let destination = relationship.destinationEntity,
            let attribute = destination.attributesByName[key],
            !attribute.isTransient, let value = try StudioInput.value(.text(text), for: attribute)
        else {
            throw StudioProblem(
                status: 422, "“\(relationship.label)” can't be found by “\(key.prefix(100))”.")
        }
        let request = NSFetchRequest<NSManagedObject>()
        request.entity = destination
        request.predicate = try NSPredicate(parsing: "%K == %@", arguments: [key, value])
        request.fetchLimit = 2
        let objects = try workspace.fetching { try workspace.context.fetch(request) }
        guard objects.count == 1 else {
            let count = objects.isEmpty ? "no" : "more than one"
            throw StudioProblem(
                status: 422,
                "There is \(count) \(destination.name ?? "") whose \(key) is “\(text.prefix(100))”.")
        }
        return objects[0]
    }
}
