// An empty store with attributes and relationships of all kinds, to import into.

import Foundation
import Testing

/// A copy of nothing real: authors with rules and a uniqueness constraint, stars below them, books, profiles and tags.
struct LibraryStore {
    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("Library.sqlite").path
        let model = folder.file("Library.xcdatamodel")
        try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
        try Data(Self.model.utf8).write(to: model.appendingPathComponent("contents"))
        try CommandLineRun("create", path, "--model", model.path).expectSuccess()
    }

    /// A file with this text.
    func file(_ name: String, _ text: String) throws -> String {
        try Data(text.utf8).write(to: folder.file(name))
        return folder.file(name).path
    }

    /// Runs `coredata import` on a file with this text.
    func importing(_ entity: String, _ name: String, _ text: String, _ options: String...) throws
        -> CommandLineRun
    {
        try CommandLineRun(arguments: ["import", path, entity, file(name, text)] + options)
    }

    /// The rows that plain SQL finds, as CSV.
    func rows(_ sql: String) throws -> [String] {
        Array(try CommandLineRun("sql", path, sql, "--format", "csv").lines.dropFirst())
    }

    private static func attribute(_ name: String, _ type: String, _ more: String = "") -> String {
        "<attribute name=\"\(name)\" optional=\"YES\" attributeType=\"\(type)\" \(more)/>"
    }

    private static func toOne(_ name: String, _ destination: String, _ inverse: String) -> String {
        "<relationship name=\"\(name)\" optional=\"YES\" maxCount=\"1\" deletionRule=\"Nullify\" "
            + "destinationEntity=\"\(destination)\" inverseName=\"\(inverse)\" inverseEntity=\"\(destination)\"/>"
    }

    private static func toMany(_ name: String, _ destination: String, _ inverse: String, _ more: String = "")
        -> String
    {
        "<relationship name=\"\(name)\" optional=\"YES\" toMany=\"YES\" deletionRule=\"Nullify\" \(more) "
            + "destinationEntity=\"\(destination)\" inverseName=\"\(inverse)\" inverseEntity=\"\(destination)\"/>"
    }

    private static let model = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="Author">
        \(attribute("email", "String"))
        <attribute name="name" attributeType="String" minValueString="2" maxValueString="10"
            regularExpressionString="[A-Za-z0-9 ]+"/>
        \(attribute("rank", "Integer 16", #"minValueString="0" maxValueString="100" defaultValueString="5""#))
        \(toMany("books", "Book", "author"))
        \(toMany("edited", "Book", "editor", #"ordered="YES""#))
        <uniquenessConstraints><uniquenessConstraint><constraint value="email"/></uniquenessConstraint>
        </uniquenessConstraints>
        </entity>
        <entity name="Star" parentEntity="Author">\(attribute("prize", "String"))</entity>
        <entity name="Tag"><attribute name="label" attributeType="String"/>\(toMany("books", "Book", "tags"))</entity>
        <entity name="Profile">\(attribute("bio", "String"))\(toOne("book", "Book", "profile"))</entity>
        <entity name="Book">
        \(attribute("address", "Composite", #"composite="Address""#))
        \(attribute("data", "Binary"))
        \(attribute("float", "Float"))
        \(attribute("issue", "Integer 16", #"defaultValueString="7""#))
        \(attribute("extra", "Transformable", #"valueTransformerName="NSSecureUnarchiveFromData""#))
        \(attribute("look", "Transformable", #"valueTransformerName="LookTransformer""#))
        \(attribute("note", "String", #"defaultValueString="none""#))
        \(attribute("title", "String"))
        \(toOne("author", "Author", "books"))
        \(toOne("editor", "Author", "edited"))
        \(toOne("profile", "Profile", "book"))
        \(toMany("tags", "Tag", "books"))
        </entity>
        <composite name="Address">\(attribute("city", "String"))\(attribute("zip", "Integer 32"))</composite>
        </model>
        """
}
