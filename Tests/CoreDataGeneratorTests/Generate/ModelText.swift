// Models for tests, as Xcode writes them.

import CoreDataGenerator
import CoreDataTestSupport
import Foundation

/// A model in a folder that lasts as long as the value.
struct ModelText {
    private let folder: TemporaryFolder
    let url: URL

    /// A model with these elements inside `<model>`.
    init(_ elements: String, name: String = "Heroes") throws {
        folder = try TemporaryFolder()
        url = folder.file(name + ".xcdatamodel")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        let text = """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
            \(elements)
            </model>
            """
        try Data(text.utf8).write(to: url.appendingPathComponent("contents"))
    }

    /// The files' texts by name.
    func generate(_ change: (inout GenerationOptions) -> Void = { _ in }) throws -> [String: String] {
        let files = try generation(change).files
        return Dictionary(uniqueKeysWithValues: files.map { ($0.name, $0.text) })
    }

    func generation(_ change: (inout GenerationOptions) -> Void = { _ in }) throws -> CodeGenerator {
        var options = GenerationOptions()
        change(&options)
        return try CodeGenerator(SourceModel(contentsOf: url), options: options)
    }

    /// One file's text for one model.
    func text(_ change: (inout GenerationOptions) -> Void = { _ in }) throws -> String {
        try generate {
            $0.isOneFile = true
            change(&$0)
        }["Heroes+CoreDataModel.swift"] ?? ""
    }

    static let hero = """
        <entity name="Hero" representedClassName="Hero" syncable="YES" codeGenerationType="class">
            <attribute name="age" optional="YES" attributeType="Integer 16" usesScalarValueType="YES"/>
            <attribute name="name" attributeType="String">
                <userInfo><entry key="documentation" value="What the papers call them."/></userInfo>
            </attribute>
            <relationship name="powers" optional="YES" toMany="YES" deletionRule="Cascade" \
        destinationEntity="Power" inverseName="hero" inverseEntity="Power"/>
        </entity>
        <entity name="Power" representedClassName="Power" syncable="YES" codeGenerationType="category">
            <attribute name="title" optional="YES" attributeType="String"/>
            <relationship name="hero" optional="YES" maxCount="1" deletionRule="Nullify" \
        destinationEntity="Hero" inverseName="powers" inverseEntity="Hero"/>
        </entity>
        """
}
