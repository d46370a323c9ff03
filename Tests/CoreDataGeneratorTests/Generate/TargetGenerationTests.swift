// Whole targets: models, hand-written sources and options.

import CoreDataGenerator
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct TargetGenerationTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func source(_ name: String, _ text: String) throws -> URL {
        let url = folder.file(name)
        try Data(text.utf8).write(to: url)
        return url
    }

    @Test func companionsStateWhatSourcesAdd() throws {
        let model = try ModelText(ModelText.hero)
        let sources = try source(
            "Hero.swift",
            """
            import CoreData
            extension Hero {
                var isNew: Bool { age == 0 }
                @objc func validateName(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}
            }
            class Power: NSManagedObject {}
            class Villain: NSManagedObject { @NSManaged var name: String? }
            """)
        let target = try TargetGeneration(models: [model.url], sources: [sources], module: "App")
        expect(target.files.map(\.name), equals: ["Heroes+CoreDataModel.swift", "App+Managed.swift"])
        let text = target.files[0].text
        #expect(text.contains("keys.getter(\"isNew\", \\Hero.isNew)"))
        #expect(text.contains("keys.validator(\"name\")"))
        // Power is internal, so what shows it is internal too.
        #expect(text.contains("internal func addToPowers(_ value: Power)"))
        #expect(text.contains("internal var title: String?"))
        #expect(target.files[1].text.contains("@_silgen_name(\"$s3App7VillainC4nameSSSgvg\")"))
        #expect(!target.files[1].text.contains("Power__Keys"))
    }

    @Test func whatIsForDebuggingIsMadeForDebugging() throws {
        let model = try ModelText(ModelText.hero)
        let sources = try source(
            "Villain.swift",
            """
            import CoreData
            class Villain: NSManagedObject {
                @NSManaged var name: String?
                #if DEBUG
                @NSManaged var trace: String?
                #else
                var shout: String { "" }
                #endif
            }
            """)
        func files(_ conditions: [String]) throws -> [String] {
            try TargetGeneration(
                models: [model.url], sources: [sources], module: "App", conditions: conditions
            ).files.map(\.text)
        }
        let texts = try files([])
        let halves = texts[1].components(separatedBy: "#else\n")
        try #require(halves.count == 2)
        let (debug, release) = (halves[0], halves[1])
        #expect(texts[1].hasPrefix("#if DEBUG\n") && texts[1].hasSuffix("#endif\n"))
        #expect(debug.contains("_get_trace") && debug.contains("_get_name") && !debug.contains("shout"))
        #expect(release.contains("keys.getter(\"shout\""))
        // The model's file is the same for both.
        #expect(!texts[0].contains("DEBUG"))
        // If the target states the condition itself, there is nothing to ask.
        #expect(try !files(["DEBUG"])[1].contains("#if DEBUG"))
    }

    @Test func aClassBelowAHandWrittenOneIsNotSeenFurther() throws {
        let model = try ModelText(
            """
            <entity name="Product" representedClassName="Product" syncable="YES"/>
            <entity name="Hammer" representedClassName="Hammer" parentEntity="Product" syncable="YES" \
            codeGenerationType="class"/>
            """)
        let sources = try source("Product.swift", "import CoreData\nclass Product: NSManagedObject {}")
        let target = try TargetGeneration(models: [model.url], sources: [sources], module: "App")
        #expect(target.files[0].text.contains("internal class Hammer: Product {"))
    }

    @Test func warningsNameTheSourceAndItsLine() throws {
        let model = try ModelText(
            "<entity name=\"Villain\" representedClassName=\"Villain\">"
                + "<attribute name=\"name\" attributeType=\"String\"/></entity>")
        let sources = try source(
            "Villain.swift",
            "import CoreData\nclass Villain: NSManagedObject {\n    @NSManaged var name: Int64\n}\n")
        let target = try TargetGeneration(models: [model.url], sources: [sources], module: "App")
        #expect(target.warnings.map(\.description).contains { $0.hasPrefix(sources.path + ":3: warning: ") })
    }

    @Test func companionsOfGeneratedClassesStateKeyPaths() throws {
        let model = try ModelText(
            ModelText.hero
                + "<entity name=\"Sidekick\" representedClassName=\"Sidekick\" parentEntity=\"Hero\" "
                + "codeGenerationType=\"class\"/>"
                + "<entity name=\"Villain\" representedClassName=\"Villain\" parentEntity=\"Hero\"/>")
        let sources = try source(
            "Villain.swift", "import CoreData\nclass Power: NSManagedObject {}\nclass Villain: Hero {}\n")
        let target = try TargetGeneration(models: [model.url], sources: [sources], module: "App")
        for line in ["name\", \\Hero.name", "powers\", \\Sidekick.powers", "title\", \\Power.title"] {
            #expect(target.files[0].text.contains("keys.keyPath(\"\(line))"), "\(line)")
        }
        #expect(target.files[1].text.contains("keys.keyPath(\"age\", \\Villain.age)"))
    }

    @Test func aClassOfTwoModelsIsAnError() throws {
        let (one, two) = (try ModelText(ModelText.hero), try ModelText(ModelText.hero, name: "Others"))
        let failure = #expect(throws: GenerationFailure.self) {
            try TargetGeneration(models: [one.url, two.url], sources: [], module: "App")
        }
        expect(failure?.problems.count, equals: 2)
        expect(
            failure?.description.contains("the class Hero is generated from the model Heroes as well"),
            equals: true)
    }

    @Test func mistakesOfAllModelsAreReported() throws {
        let wrong = "<entity name=\"Dog\"><attribute name=\"a b\" attributeType=\"String\"/></entity>"
        let (one, two) = (try ModelText(wrong), try ModelText(wrong, name: "Others"))
        let failure = #expect(throws: GenerationFailure.self) {
            try TargetGeneration(models: [one.url, two.url], sources: [], module: "App")
        }
        expect(failure?.problems.map(\.property), equals: ["a b", "a b"])
    }

    @Test func classesAreThoseGeneratedAndThoseInSources() throws {
        let model = try ModelText(
            ModelText.hero + "<entity name=\"Villain\" representedClassName=\"Villain\"/>"
                + "<entity name=\"Other\" representedClassName=\"Other\"/>")
        let sources = try source("Villain.swift", "import CoreData\nclass Villain: NSManagedObject {}\n")
        let classes = try TargetGeneration.classes(
            of: SourceModel(contentsOf: model.url), sources: [sources], module: "App")
        expect(classes, equals: ["Hero", "Power", "Villain"])
    }

    @Test func optionsComeFromAFile() throws {
        let file = try source(
            GenerationOptions.fileName, #"{"mode": "class", "access": "internal", "nativeSets": true}"#)
        let options = try GenerationOptions(contentsOf: file)
        var expected = GenerationOptions()
        expected.mode = .class
        expected.access = .internal
        expected.usesNativeSets = true
        expect(options, equals: expected)
    }

    @Test(arguments: [#"{"acess": "internal"}"#, #"{"access": "secret"}"#, #"{"decimal": 3}"#, "[]", "{"])
    func mistakesInOptionsNameTheFile(_ text: String) throws {
        let file = try source(GenerationOptions.fileName, text)
        let failure = #expect(throws: GenerationFailure.self) { try GenerationOptions(contentsOf: file) }
        expect(failure?.problems.map(\.file), equals: [file.path])
    }
}
