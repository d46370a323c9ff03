// XML store files, in the form that Apple's framework uses:
//
//   <database>
//     <databaseInfo>
//       <version>134481920</version> <UUID>…</UUID> <nextObjectID>105</nextObjectID>
//       <metadata><plist version="1.0"><dict>…</dict></plist></metadata>
//     </databaseInfo>
//     <object type="EMPLOYEE" id="z102">
//       <attribute name="salary" type="int32">10</attribute>
//       <relationship name="boss" type="0/1" destination="EMPLOYEE" idrefs="z103"></relationship>
//     </object>
//   </database>
//
// Types of relationships are the least and the greatest count. Values that are nil are left out. The number
// in an id is the row's key. If rows of two entities have one key, as in copies of SQLite stores, bits from
// 40 on tell the entity, so that no two objects have one id.

package import CoreDataSQL
import CoreDataSchema
package import CoreDataSupport
package import Foundation

/// The form of `NSXMLStoreType`.
package enum XMLForm: StoreFileForm {
    package static let type = StoreTypeName.xml
    package static let keepsVersions = false
    package static let sharesKeys = true
    package static let firstKey: Int64 = 102
    /// Numbers in ids from here on tell an entity too.
    package static let keyLimit: Int64 = 1 << 40

    package static func recognizes(_ start: Data) -> Bool {
        start.range(of: Data("<database".utf8)) != nil
    }

    package static func metadata(_ data: Data) throws -> StoreMetadata {
        try reading(data) { scanner in
            while let child = try scanner.nextChild() {
                if child.name == "databaseInfo" { return try XMLHead(child).metadata }
            }
            throw StoreFileFailure("the document has no databaseInfo", kind: .foreign)
        }
    }

    package static func read(_ data: Data, into rows: MemoryRows) throws -> StoreMetadata {
        try reading(data) { scanner in
            var head: XMLHead?
            var reader = XMLRowReader(rows)
            while let child = try scanner.nextChild() {
                switch child.name {
                case "databaseInfo": head = try XMLHead(child)
                case "object": try reader.read(child)
                default: throw StoreFileFailure("the document has the unknown element <\(child.name)>")
                }
            }
            guard let head else { throw StoreFileFailure("the document has no databaseInfo", kind: .foreign) }
            try reader.finish(nextKey: head.nextKey)
            return head.metadata
        }
    }

    package static func data(_ rows: MemoryRows, metadata: StoreMetadata) throws -> Data {
        let next = max(rows.state.lastKeys.values.max() ?? 0, firstKey - 1) + 1
        var writer = XMLRowWriter(rows)
        return Data((try XMLHead(metadata, nextKey: next).opening() + writer.text() + "</database>\n").utf8)
    }

    package static func data(_ data: Data, renewing metadata: StoreMetadata) throws -> Data {
        let next = try reading(data) { scanner in
            while let child = try scanner.nextChild() {
                if child.name == "databaseInfo" { return try XMLHead(child).nextKey }
            }
            throw StoreFileFailure("the document has no databaseInfo", kind: .foreign)
        }
        // The head has no text that could hold its own end tag.
        guard let end = data.range(of: Data("</databaseInfo>".utf8)) else {
            throw StoreFileFailure("the document's databaseInfo has no end")
        }
        return Data(try XMLHead(metadata, nextKey: next).opening().utf8)
            + data[end.upperBound...].drop { $0 == 10 }
    }

    /// Runs the closure on the children of the document's root element.
    private static func reading<Result>(
        _ data: Data, body: (inout XMLChildReader) throws -> Result
    ) throws -> Result {
        if data.starts(with: Data("SQLite format 3\0".utf8)) {
            throw StoreFileFailure("the file is an SQLite database", kind: .mismatch)
        }
        if data.starts(with: BinaryForm.mark) {
            throw StoreFileFailure("the file is a binary store", kind: .mismatch)
        }
        guard data.prefix(4096).range(of: Data("<database".utf8)) != nil else {
            throw StoreFileFailure("the file isn't an XML store", kind: .foreign)
        }
        do {
            var reader = try XMLChildReader(data, root: "database")
            return try body(&reader)
        } catch let failure as ArchiveFailure {
            throw StoreFileFailure(failure.reason)
        }
    }
}

/// `databaseInfo`.
package struct XMLHead {
    package let metadata: StoreMetadata
    /// The number of the next new object.
    package let nextKey: Int64

    package init(_ metadata: StoreMetadata, nextKey: Int64) {
        self.metadata = metadata
        self.nextKey = nextKey
    }

    package init(_ element: XMLTree) throws {
        func text(_ name: String) -> String? {
            element.children.first { $0.name == name }?.text.trimmingCharacters(in: .whitespacesAndNewlines)
        }
        guard let uuid = text("UUID"), !uuid.isEmpty else { throw StoreFileFailure("the store has no UUID") }
        let next = text("nextObjectID").flatMap { Int64($0) } ?? XMLForm.firstKey
        guard next > 0, next <= RowFiller.largestKey else {
            throw StoreFileFailure("nextObjectID is impossible")
        }
        nextKey = next
        let list = element.children.first { $0.name == "metadata" }?.children.first { $0.name == "plist" }
        guard let list, let content = list.children.first else {
            metadata = StoreMetadata(uuid: uuid)
            return
        }
        do {
            guard case .dictionary(let entries) = try PropertyList(content) else {
                throw StoreFileFailure("the metadata isn't a dictionary")
            }
            metadata = StoreMetadata(uuid: uuid, entries: entries)
            _ = try metadata.versionHashes()
        } catch let failure as ArchiveFailure {
            throw StoreFileFailure("the metadata can't be read: \(failure)")
        }
    }

    /// The document up to the first object.
    package func opening() throws -> String {
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

            <database>
                <databaseInfo>
                    <version>134481920</version>
                    <UUID>\(try XMLText.checked(metadata.uuid))</UUID>
                    <nextObjectID>\(nextKey)</nextObjectID>
                    <metadata>
                        <plist version="1.0">

            """
        try Self.append(.dictionary(metadata.entries), indent: "                ", to: &text)
        text += """
                        </plist>
                    </metadata>
                </databaseInfo>

            """
        return text
    }

    private static func append(_ list: PropertyList, indent: String, to text: inout String) throws {
        switch list {
        case .null: text += indent + "<string>$null</string>\n"
        case .bool(let flag): text += indent + (flag ? "<true/>\n" : "<false/>\n")
        case .integer(let number): text += indent + "<integer>\(number)</integer>\n"
        case .uid(let number): text += indent + "<integer>\(number)</integer>\n"
        case .real(let number): text += indent + "<real>\(number)</real>\n"
        case .date(let date): text += indent + "<date>\(date.formatted(.iso8601))</date>\n"
        case .data(let data): text += indent + "<data>\(data.base64EncodedString())</data>\n"
        case .string(let string): text += indent + "<string>\(try XMLText.checked(string))</string>\n"
        case .array(let elements), .set(let elements):
            text += indent + "<array>\n"
            for element in elements { try append(element, indent: indent + "    ", to: &text) }
            text += indent + "</array>\n"
        case .dictionary(let entries):
            text += indent + "<dict>\n"
            for entry in entries {
                text += indent + "    <key>\(try XMLText.checked(entry.key))</key>\n"
                try append(entry.value, indent: indent + "    ", to: &text)
            }
            text += indent + "</dict>\n"
        }
    }
}

extension XMLText {
    /// The text with its markup as references. Throws for a character that XML can't hold.
    package static func checked(_ text: String) throws -> String {
        if obstacle(in: text) != nil {
            throw StoreFileFailure("XML can't hold a control character of \"\(text)\"")
        }
        return escaped(text)
    }
}
