// Files that people keep, as `coredata generate` writes them: what the compiler says of them in each of Swift's modes.

import CoreDataGenerator
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct KeptSourcesTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The arguments by which the compiler finds the library that these tests were built with.
    private static var library: [String] {
        let products = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        let folders =
            [products.appending(path: "Modules")]
            + ["CSQLite", "CSwiftRuntime", "CZlib"].map { root.appending(path: "Sources/\($0)") }
        return folders.flatMap { ["-I", $0.path] }
    }

    /// One attribute of each type, all kinds of relationships, words of the language as names, a fetch request template.
    private static let elements =
        """
        <entity name="Hero" representedClassName="Hero" syncable="YES" codeGenerationType="class">
            <attribute name="default" optional="YES" attributeType="Integer 16" usesScalarValueType="YES"/>
            <attribute name="small" optional="YES" attributeType="Integer 32"/>
            <attribute name="big" optional="YES" attributeType="Integer 64" usesScalarValueType="YES"/>
            <attribute name="half" optional="YES" attributeType="Float" usesScalarValueType="YES"/>
            <attribute name="real" optional="YES" attributeType="Double"/>
            <attribute name="isNew" optional="YES" attributeType="Boolean" usesScalarValueType="YES"/>
            <attribute name="name" attributeType="String"/>
            <attribute name="born" optional="YES" attributeType="Date" usesScalarValueType="NO"/>
            <attribute name="seen" optional="YES" attributeType="Date" usesScalarValueType="YES"/>
            <attribute name="photo" optional="YES" attributeType="Binary"/>
            <attribute name="code" optional="YES" attributeType="UUID" usesScalarValueType="NO"/>
            <attribute name="home" optional="YES" attributeType="URI"/>
            <attribute name="price" optional="YES" attributeType="Decimal"/>
            <attribute name="look" optional="YES" attributeType="Transformable"/>
            <relationship name="powers" optional="YES" toMany="YES" ordered="YES" deletionRule="Cascade" \
        destinationEntity="Power" inverseName="hero" inverseEntity="Power"/>
            <relationship name="friends" optional="YES" toMany="YES" deletionRule="Nullify" \
        destinationEntity="Hero" inverseName="friends" inverseEntity="Hero"/>
        </entity>
        <entity name="Power" representedClassName="Power" syncable="YES" parentEntity="Thing" \
        codeGenerationType="class">
            <attribute name="title" optional="YES" attributeType="String"/>
            <relationship name="hero" optional="YES" maxCount="1" deletionRule="Nullify" \
        destinationEntity="Hero" inverseName="powers" inverseEntity="Hero"/>
        </entity>
        <entity name="Thing" representedClassName="Thing" isAbstract="YES" syncable="YES" \
        codeGenerationType="class">
            <attribute name="id" optional="YES" attributeType="UUID" usesScalarValueType="NO"/>
        </entity>
        <fetchRequest name="named" entity="Hero" predicateString="name BEGINSWITH $NAME AND big &gt; $BIG"/>
        """

    private static let changes: [@Sendable (inout GenerationOptions) -> Void] = [
        { _ in },
        {
            ($0.access, $0.usesNativeSets, $0.usesDecimal) = (.internal, true, true)
            ($0.usesOptionalScalars, $0.keepsRequired) = (true, true)
        },
        { ($0.access, $0.isOneFile) = (.open, true) },
    ]

    @Test(arguments: ["5", "6"], 0..<3)
    func theyCompileWithoutAWarning(mode: String, number: Int) throws {
        let files = try ModelText(Self.elements).generate {
            $0.mode = .class
            Self.changes[number](&$0)
        }
        let sources = try ScratchSources(files)
        // As most targets are, and with the features that a strict one turns on.
        for features in [[], ["InternalImportsByDefault", "MemberImportVisibility", "ExistentialAny"]] {
            let complaints = try sources.run(
                [
                    "swiftc", "-typecheck", "-swift-version", mode, "-warnings-as-errors", "-module-name",
                    "App",
                ]
                    + ["-parse-as-library"] + Self.library
                    + features.flatMap { ["-enable-upcoming-feature", $0] } + sources.files.map(\.path))
            expect(complaints, equals: "")
        }
    }

    private static let handWritten = """
        import CoreData
        class Villain: NSManagedObject {
            lazy var alias = "X"
            @NSManaged var name: String?
            @NSManaged var crimes: Int32
            var heading: String { (name ?? "") + "!" }
            override func awakeFromInsert() {
                super.awakeFromInsert()
                crimes = 1
            }
        }
        extension Villain {
            @NSManaged var late: String?
            var shout: String { heading.uppercased() }
            func validateName(_ value: inout Any?) throws {}
        }
        nonisolated final class Container: NSPersistentContainer, @unchecked Sendable {
            override class func defaultDirectoryURL() -> URL { super.defaultDirectoryURL() }
        }
        final class Colours: ValueTransformer {
            override func transformedValue(_ value: Any?) -> Any? { value }
        }
        func rename(in container: NSPersistentContainer) async throws {
            try await container.performBackgroundTask { context in
                let hero = Hero(context: context)
                hero.name = "Batman"
                hero.addToPowers(Power(context: context))
                for villain in try context.fetch(NSFetchRequest<Villain>(entityName: "Villain")) {
                    villain.name = hero.name
                    villain.crimes += 1
                }
                try context.save()
            }
        }
        """

    /// As Xcode's template has it. Objects belong to their contexts, whatever the target's isolation is.
    @Test func theMainActorMayBeTheTargetsIsolation() throws {
        var files = try ModelText(Self.elements).generate { $0.mode = .class }
        files["Villain.swift"] = Self.handWritten
        let managed = ManagedSources(
            try ScratchSources(["Villain.swift": Self.handWritten]).scan(),
            places: ClassPlaces(moduleName: "App"))
        expect(managed.problems, equals: [])
        files["Managed.swift"] = managed.text
        let sources = try ScratchSources(files)
        for features in [[], ["NonisolatedNonsendingByDefault", "InferIsolatedConformances"]] {
            let complaints = try sources.run(
                [
                    "swiftc", "-typecheck", "-swift-version", "6", "-warnings-as-errors", "-module-name",
                    "App", "-parse-as-library", "-default-isolation", "MainActor",
                ] + Self.library + features.flatMap { ["-enable-upcoming-feature", $0] }
                    + sources.files.map(\.path))
            expect(complaints, equals: "")
        }
    }

    private static let extensions = """
        import CoreData
        extension Thing {
            public func awakeFromInsertOverrideOfThing() {
                super.awakeFromInsert()
                id = UUID()
            }
        }
        extension Power {
            public func awakeFromInsertOverrideOfPower() {
                super.awakeFromInsert()
                title = "none"
            }
            public func validateValueOverrideOfPower(_ value: inout Any?, forKey key: String) throws {
                try super.validateValue(&value, forKey: key)
            }
            public class func keyPathsForValuesAffectingValueOverrideOfPower(forKey key: String) -> Set<String> {
                super.keyPathsForValuesAffectingValue(forKey: key).union([key])
            }
            public var descriptionOverrideOfPower: String { title ?? super.description }
            public func awakeOverrideOfPower(fromSnapshotEvents flags: NSSnapshotEventType) {}
        }
        """

    /// Swift has overrides in classes only, where the extension of a generated class is what people write.
    @Test(arguments: ["5", "6"]) func classesOverrideForTheirExtensions(mode: String) throws {
        let sources = try ScratchSources(["Extensions.swift": Self.extensions])
        let model = try ModelText(Self.elements)
        let target = try TargetGeneration(models: [model.url], sources: sources.files, module: "App")
        let text = try #require(target.files.first?.text)
        let lines = text.split(separator: "\n").filter {
            $0.contains("override ") && $0.contains("OverrideOf")
        }
        .map { $0.drop(while: \.isWhitespace) }
        expect(
            lines,
            equals: [
                "public override var description: String { descriptionOverrideOfPower }",
                "public override func awakeFromInsert() { awakeFromInsertOverrideOfPower() }",
                "public override func validateValue(_ value: inout Any?, forKey key: String) throws "
                    + "{ try validateValueOverrideOfPower(&value, forKey: key) }",
                "public override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> "
                    + "{ keyPathsForValuesAffectingValueOverrideOfPower(forKey: key) }",
                "public override func awake(fromSnapshotEvents flags: NSSnapshotEventType) "
                    + "{ awakeOverrideOfPower(fromSnapshotEvents: flags) }",
                "public override func awakeFromInsert() { awakeFromInsertOverrideOfThing() }",
            ])
        let all = try ScratchSources(["Extensions.swift": Self.extensions, "Model.swift": text])
        let complaints = try all.run(
            ["swiftc", "-typecheck", "-swift-version", mode, "-warnings-as-errors", "-module-name", "App"]
                + ["-parse-as-library"] + Self.library + all.files.map(\.path))
        expect(complaints, equals: "")
    }
}
