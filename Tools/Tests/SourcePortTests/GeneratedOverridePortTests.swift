// Overrides in extensions of classes that the plugin makes, which have no place in the sources to move to.

import Foundation
import SourcePort
import Testing

@Suite struct GeneratedOverridePortTests {
    private static let model = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
            <entity name="Item" representedClassName="Item" syncable="YES" codeGenerationType="class">
                <attribute name="date" optional="YES" attributeType="Date" usesScalarValueType="NO"/>
            </entity>
        </model>
        """

    /// A source and the remarks on it, as porting leaves them in a target whose model is this one.
    private func ported(
        _ text: String, settings: String = "", modelIn folder: String = "App"
    ) throws -> (text: String, remarks: [String]) {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        let sources = root.appendingPathComponent("Sources/App")
        let model = root.appendingPathComponent("Sources/\(folder)/Model.xcdatamodeld/Model.xcdatamodel")
        defer { try? FileManager.default.removeItem(at: root) }
        for folder in [sources, model] {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        try Data(Self.model.utf8).write(to: model.appendingPathComponent("contents"))
        let manifest = ".target(name: \"App\"\(settings), plugins: [\"CoreDataModelPlugin\"])"
        try Data(manifest.utf8).write(to: root.appendingPathComponent("Package.swift"))
        let source = sources.appendingPathComponent("Item.swift")
        try Data(text.utf8).write(to: source)
        let results = try SourcePort.results(at: [root.appendingPathComponent("Sources")])
        return (results.first?.new ?? text, results.flatMap(\.remarks).map(\.text))
    }

    @Test func theClassCallsTheExtension() throws {
        let result = try ported(
            """
            import CoreData

            extension Item {
                /// Sets the date.
                public override func awakeFromInsert() {
                    super.awakeFromInsert()
                    date = Date()
                }

                @objc override open func validateValue(
                    _ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String
                ) throws { try super.validateValue(value, forKey: key) }

                override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> { [] }

                public override var description: String { "item" }
            }

            """)
        #expect(
            result.text == """
                import CoreData

                extension Item {
                    /// Sets the date.
                    #if canImport(ObjectiveC)
                    public override func awakeFromInsert() { awakeFromInsertOverrideOfItem() }
                    #endif
                    public func awakeFromInsertOverrideOfItem() {
                        super.awakeFromInsert()
                        date = Date()
                    }

                    #if canImport(ObjectiveC)
                    @objc override open func validateValue(
                        _ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String
                    ) throws { try validateValueOverrideOfItem(value, forKey: key) }
                    #endif
                    public func validateValueOverrideOfItem(
                        _ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String
                    ) throws { try super.validateValue(value, forKey: key) }

                    #if canImport(ObjectiveC)
                    override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> { keyPathsForValuesAffectingValueOverrideOfItem(forKey: key) }
                    #endif
                    class func keyPathsForValuesAffectingValueOverrideOfItem(forKey key: String) -> Set<String> { [] }

                    #if canImport(ObjectiveC)
                    public override var description: String { descriptionOverrideOfItem }
                    #endif
                    public var descriptionOverrideOfItem: String { "item" }
                }

                """)
        #expect(result.remarks.isEmpty)
        #expect(try ported(result.text).text == result.text)
    }

    @Test func inATargetOfTheMainActorTheMemberIsNobodys() throws {
        let result = try ported(
            "extension Item {\n    override func willSave() {}\n}\n",
            settings: ", swiftSettings: [.defaultIsolation(MainActor.self)]")
        #expect(result.text.contains("    nonisolated func willSaveOverrideOfItem() {}"))
    }

    @Test func aClassOfAnotherTargetIsLeftToAPerson() throws {
        let source = "extension Item {\n    override func willSave() {}\n}\n"
        let result = try ported(source, modelIn: "Model")
        #expect(result.text == source)
        #expect(result.remarks == ["only the class itself can override: move this into Item"])
    }

    @Test func observersOfAPropertyAreLeftToAPerson() throws {
        let result = try ported("extension Item {\n    override var date: Date? { didSet { note() } }\n}\n")
        #expect(result.remarks == ["only the class itself can override: move this into Item"])
    }
}
