// `coredata generate`, run as a person would.

import Foundation
import Testing

@Suite struct GenerateCommandTests {
    private static let model = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
            <entity name="Hero" representedClassName="Hero" codeGenerationType="class">
                <attribute name="name" optional="YES" attributeType="String"/>
                <relationship name="friends" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Hero"/>
            </entity>
            <entity name="Power" representedClassName="Power"/>
        </model>
        """

    /// A model with this text; its path.
    private func model(_ text: String, in folder: TemporaryFolder) throws -> String {
        let url = folder.file("Heroes.xcdatamodel")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url.appendingPathComponent("contents"))
        return url.path
    }

    @Test func classesAreTheirOwnersToEdit() throws {
        let folder = try TemporaryFolder()
        let (model, output) = (try model(Self.model, in: folder), folder.file("Model"))
        let first = try CommandLineRun("generate", model, "--output", output.path)
        #expect(first.status == 0)
        #expect(first.lines == ["wrote Hero+CoreDataClass.swift", "wrote Hero+CoreDataProperties.swift"])

        let file = output.appendingPathComponent("Hero+CoreDataClass.swift")
        try Data("// mine\n".utf8).write(to: file)
        let second = try CommandLineRun("generate", model, "-o", output.path)
        #expect(second.lines == ["kept Hero+CoreDataClass.swift", "unchanged Hero+CoreDataProperties.swift"])
        #expect(try String(contentsOf: file, encoding: .utf8) == "// mine\n")
        let third = try CommandLineRun("generate", model, "-o", output.path, "--overwrite")
        #expect(third.lines.first == "wrote Hero+CoreDataClass.swift")
    }

    @Test func whatClassesOfferIsStatedForKeys() throws {
        let folder = try TemporaryFolder()
        let (model, output) = (try model(Self.model, in: folder), folder.file("Model"))
        _ = try CommandLineRun("generate", model, "--output", output.path)
        let file = output.appendingPathComponent("Hero+CoreDataClass.swift")
        let text = """
            import CoreData
            public class Hero: NSManagedObject {
                var shout: String { (name ?? "").uppercased() }
                func validateName(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}
            }
            """
        try Data(text.utf8).write(to: file)
        func properties() throws -> String {
            try String(
                contentsOf: output.appendingPathComponent("Hero+CoreDataProperties.swift"), encoding: .utf8)
        }
        #expect(
            try CommandLineRun("generate", model, "-o", output.path).lines.last
                == "wrote Hero+CoreDataProperties.swift")
        #expect(try properties().contains("keys.getter(\"shout\", \\Hero.shout)"))
        #expect(try properties().contains("keys.validator(\"name\")"))
        // Members that were generated before are no calculated properties.
        #expect(try !properties().contains("keys.getter(\"name\""))
        let more = folder.file("More.swift")
        try Data("extension Hero { var whisper: String { \"\" } }".utf8).write(to: more)
        _ = try CommandLineRun("generate", model, "-o", output.path, "--source", more.path)
        #expect(try properties().contains("keys.getter(\"whisper\", \\Hero.whisper)"))
        #expect(try !properties().contains("shout"))
    }

    @Test func optionsReachTheSources() throws {
        let folder = try TemporaryFolder()
        let (model, output) = (try model(Self.model, in: folder), folder.file("Model"))
        let run = try CommandLineRun(
            "generate", model, "-o", output.path, "--mode", "class", "--access", "internal", "--per-model",
            "--sets")
        #expect(run.lines == ["wrote Heroes+CoreDataModel.swift"])
        let text = try String(
            contentsOf: output.appendingPathComponent("Heroes+CoreDataModel.swift"), encoding: .utf8)
        #expect(text.contains("internal class Power: NSManagedObject"))
        #expect(text.contains("internal var friends: Set<Hero>"))
        let one = try CommandLineRun(
            "generate", model, "-o", output.path, "--mode", "class", "--entity", "Power")
        #expect(one.lines == ["wrote Power+CoreDataClass.swift", "wrote Power+CoreDataProperties.swift"])
    }

    @Test func wordsThatAreNoneOfTheOptions() throws {
        let folder = try TemporaryFolder()
        let run = try CommandLineRun("generate", "M.xcdatamodel", "-o", folder.url.path, "--access", "secret")
        #expect(run.status == 64)
        #expect(run.errors.contains("internal, package, public, open"))
    }

    @Test func mistakesAreNamedAndNothingIsWritten() throws {
        let folder = try TemporaryFolder()
        let text = Self.model.replacingOccurrences(
            of: "destinationEntity=\"Hero\"", with: "destinationEntity=\"Nobody\"")
        let (model, output) = (try model(text, in: folder), folder.file("Model"))
        let run = try CommandLineRun("generate", model, "-o", output.path)
        #expect(run.status == 1)
        #expect(run.errors.contains("Heroes.xcdatamodel: error: entity Hero, property friends: "))
        #expect(!FileManager.default.fileExists(atPath: output.path))
    }

    @Test func modelsThatAskForNothingAreToldSo() throws {
        let folder = try TemporaryFolder()
        let text = Self.model.replacingOccurrences(of: " codeGenerationType=\"class\"", with: "")
        let run = try CommandLineRun("generate", try model(text, in: folder), "-o", folder.file("Model").path)
        #expect(run.status == 1)
        #expect(run.errors.contains("--mode class"))
    }

    @Test func classesForSwiftData() throws {
        let folder = try TemporaryFolder()
        let (model, output) = (try model(Self.model, in: folder), folder.file("Model"))
        let run = try CommandLineRun(
            "generate", model, "-o", output.path, "--swiftdata", "--access", "internal")
        #expect(run.status == 0)
        #expect(run.lines == ["wrote Hero.swift", "wrote Power.swift"])
        let hero = try String(contentsOf: output.appendingPathComponent("Hero.swift"), encoding: .utf8)
        #expect(
            hero.contains(
                "import SwiftData\n\n@Model\nfinal class Hero {\n    var name: String?\n    var friends: [Hero] = []\n"
            ))
        #expect(
            try CommandLineRun("generate", model, "-o", output.path, "--swiftdata").lines.first
                == "kept Hero.swift")
    }
}
