// The objects of an XML store as text.

package import CoreDataSchema
import CoreDataSupport
import Foundation

/// Writes the rows of a store.
package struct XMLRowWriter {
    private let rows: MemoryRows
    private let names: XMLEntityNames
    /// Keys that rows of several entities have.
    private var shared: Set<Int64> = []

    package init(_ rows: MemoryRows) {
        self.rows = rows
        names = XMLEntityNames(rows.model)
    }

    /// All objects, in the order of their numbers.
    package mutating func text() throws -> String {
        let all = rows.state.tables.values.flatMap { $0.rows.values }.sorted {
            ($0.primaryKey, $0.entity.rootNumber) < ($1.primaryKey, $1.entity.rootNumber)
        }
        for (row, next) in zip(all, all.dropFirst()) where row.primaryKey == next.primaryKey {
            shared.insert(row.primaryKey)
        }
        var text = ""
        for row in all { try append(row, to: &text) }
        return text
    }

    private func append(_ row: StoredRow, to text: inout String) throws {
        text +=
            "    <object type=\"\(XMLText.escaped(names.written(row.entity)))\" id=\"\(try id(row.entity, key: row.primaryKey))\">\n"
        for property in row.entity.properties where !property.schema.isTransient {
            switch property.kind {
            case .attribute(let slot): try append(slot, of: row, to: &text)
            case .composite(let slots): for slot in slots { try append(slot, of: row, to: &text) }
            case .toOne(let slot, let relation):
                if row.pointer.isNull(slot.index) { continue }
                let key = Int64(bitPattern: row.pointer.words[slot.word])
                // The row may be gone, where no inverse or no delete rule emptied the relationship.
                guard rows.row(relation.destination(in: rows.model), primaryKey: key) != nil else { continue }
                try append(relation, keys: [key], to: &text)
            case .toMany(let relation):
                guard relation.isStored else { continue }
                let members = rows.members(relation, of: row.primaryKey).map(\.primaryKey)
                if !members.isEmpty { try append(relation, keys: members, to: &text) }
            case .fetched: break
            }
        }
        text += "    </object>\n"
    }

    private func id(_ entity: EntityRuntime, key: Int64) throws -> String {
        if !shared.contains(key) { return "z\(key)" }
        guard key < XMLForm.keyLimit else {
            throw StoreFileFailure("the key \(key) is too large for an XML store", entity: entity.name)
        }
        return "z\(Int64(entity.rootNumber + 1) * XMLForm.keyLimit + key)"
    }

    private func append(_ relation: RelationRuntime, keys: [Int64], to text: inout String) throws {
        let target = relation.destination(in: rows.model)
        let destination = names.written(target)
        let least = max(0, relation.traits.minCount)
        let greatest = relation.isToMany ? max(0, relation.traits.maxCount) : 1
        text +=
            "        <relationship name=\"\(XMLText.escaped(relation.name))\" type=\"\(least)/\(greatest)\" "
        text += "destination=\"\(XMLText.escaped(destination))\" idrefs=\""
        text += try keys.map { try id(target, key: $0) }.joined(separator: " ") + "\"></relationship>\n"
    }

    private func append(_ slot: Slot, of row: StoredRow, to text: inout String) throws {
        guard var content = try row.text(slot, of: rows) else { return }
        var coding = ""
        if slot.kind == .string, XMLText.obstacle(in: content) != nil {
            content = Data(content.utf8).base64EncodedString()
            coding = " encoding=\"base64\""
        } else {
            content = XMLText.escaped(content)
        }
        text +=
            "        <attribute name=\"\(XMLText.escaped(slot.name))\" type=\"\(slot.kind.xmlName)\"\(coding)>"
        text += content + "</attribute>\n"
    }
}

extension SlotKind {
    fileprivate var xmlName: String {
        switch self {
        case .integer16: "int16"
        case .integer32: "int32"
        case .integer64: "int64"
        case .boolean: "bool"
        case .double: "double"
        case .float: "float"
        case .date: "date"
        case .string: "string"
        case .uri: "uri"
        case .uuid: "uuid"
        case .data, .externalData: "binary"
        case .transformable: "transformable"
        case .decimal: "decimal"
        case .object, .toOne, .toOneOfSeveral: "undefined"
        }
    }
}

/// Entities as XML stores name them: in capitals, unless two differ by these only.
package struct XMLEntityNames {
    private var byWritten: [String: EntityRuntime] = [:]
    private var ambiguous: Set<String> = []
    private let model: ModelRuntime

    package init(_ model: ModelRuntime) {
        self.model = model
        for entity in model.runtimes {
            let written = entity.name.uppercased()
            if byWritten.updateValue(entity, forKey: written) != nil { ambiguous.insert(written) }
        }
    }

    package func written(_ entity: EntityRuntime) -> String {
        let written = entity.name.uppercased()
        return ambiguous.contains(written) ? entity.name : written
    }

    package func entity(_ name: String) -> EntityRuntime? {
        if let exact = model.runtime(named: name) { return exact }
        let written = name.uppercased()
        return ambiguous.contains(written) ? nil : byWritten[written]
    }
}
