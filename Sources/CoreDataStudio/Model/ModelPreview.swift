// The products of a model: Swift sources and the tables of an SQLite store.

package import CoreDataGenerator
import CoreDataSQL
import CoreDataSchema
import CoreDataSupport
import Foundation

/// A text that a page shows.
package struct ModelPreview: Sendable, Hashable, Encodable {
    package let name: String
    package let text: String
    /// Indicates whether it is a file for people to edit, which is never written over.
    package var isForEditing = false

    /// The sources that the build plugin and `coredata generate` make of a version. Throws a
    /// `GenerationFailure` with all that is in the way.
    package static func swift(of root: ModelNode, named name: String, options: GenerationOptions = .init())
        throws
        -> [ModelPreview]
    {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "studio-\(UUID().uuidString)")
        let bundle = folder.appendingPathComponent(name + ".xcdatamodel")
        try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try XMLTreeWriter.data(for: root.tree).write(to: bundle.appendingPathComponent("contents"))
        return try CodeGenerator(SourceModel(contentsOf: bundle), options: options).files.map {
            ModelPreview(name: $0.name, text: $0.text, isForEditing: $0.isForEditing)
        }
    }

    /// The statements that make a new store, each on its own lines.
    package static func sql(of root: ModelNode) throws -> [ModelPreview] {
        let blueprint = try LayoutBuilder.blueprint(for: ModelIndex(root.schema()))
        let statements = try SchemaStatements(blueprint, uuid: "", propertyList: Data(), modelCache: nil)
        return statements.statements.map(\.text).filter { $0.hasPrefix("CREATE") }.map { text in
            ModelPreview(name: title(of: text), text: broken(text) + ";")
        }
    }

    /// `TABLE ZHERO`
    private static func title(of text: String) -> String {
        text.split(separator: " ").dropFirst().prefix { !$0.hasPrefix("(") && $0 != "ON" }.prefix(3)
            .joined(separator: " ")
    }

    /// A table's columns on lines of their own.
    private static func broken(_ text: String) -> String {
        guard text.split(separator: " ").prefix(2) == ["CREATE", "TABLE"],
            let start = text.firstIndex(of: "("), text.hasSuffix(")")
        else {
            return text
        }
        var (depth, inside) = (0, "")
        for character in text[text.index(after: start)...].dropLast() {
            if character == "(" { depth += 1 }
            if character == ")" { depth -= 1 }
            inside += character == "," && depth == 0 ? ",\n   " : String(character)
        }
        return text[...start] + "\n    " + inside.trimmingCharacters(in: .whitespaces) + "\n)"
    }
}
