// `coredata generate`

import ArgumentParser
import CoreDataGenerator
import Foundation
import StoreTools

struct GenerateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate", abstract: "Writes typed classes for a model.",
        discussion: """
            The sources that the build plugin makes, for those who keep them: one file for a class, which is yours \
            and never overwritten, and one with its properties. They compile against Apple's framework as well.
            Calculated properties, custom accessors and validators in the Swift files of --source, or else of the \
            folder for the files, are stated for look-ups by key; run it again when there are others.

            EXAMPLE
              coredata generate Heroes.xcdatamodeld --output Sources/App/Model
              coredata generate Heroes.xcdatamodeld --output Model --mode class --entity Hero --sets
              coredata generate Heroes.xcdatamodeld --output Model --swiftdata
            """)

    @Argument(help: "The model: .xcdatamodeld, .xcdatamodel, .momd or .mom.")
    var model: String

    @Option(name: .shortAndLong, help: ArgumentHelp("The folder for the files.", valueName: "dir"))
    var output: String

    @Option(
        help: """
            model: what the model says for each entity; class: classes for all; category: extensions of classes \
            that are there.
            """, transform: Self.word)
    var mode = GenerationOptions.Mode.model

    @Option(help: ArgumentHelp("Only this entity. May be repeated.", valueName: "name"))
    var entity: [String] = []

    @Option(
        help: "Who sees the classes and their members: internal, package, public or open.",
        transform: Self.word)
    var access = GenerationOptions.Access.public

    @Option(help: "The module that the sources are for: classes of other modules are left alone.")
    var module: String?

    @Option(
        help: ArgumentHelp(
            "A Swift file, or a folder of them, of the target that the sources are for. May be repeated.",
            valueName: "path"))
    var source: [String] = []

    @Flag(help: "One file for the whole model.")
    var perModel = false

    @Flag(help: "To-many relationships as Set<Power> and not NSSet?.")
    var sets = false

    @Flag(help: "Decimal attributes as Decimal and not NSDecimalNumber.")
    var decimal = false

    @Flag(help: "Optional numbers as optionals: Int32? and not Int32.")
    var optionalScalars = false

    @Flag(help: "Properties that aren't optional in the model as types that aren't: String and not String?.")
    var keepRequired = false

    @Flag(
        help: """
            Classes with @Model for SwiftData, one file each; what they can't say is told. Of the other options \
            --entity, --access, --module and --per-model count.
            """)
    var swiftdata = false

    @Flag(help: "Replaces files of classes too.")
    var overwrite = false

    func run() throws {
        do {
            let model = try SourceModel(contentsOf: URL(fileURLWithPath: model))
            let (files, warnings) = try generate(model)
            for warning in model.warnings + warnings { complain(warning) }
            if files.isEmpty {
                throw ToolFailure("No entity of the model asks for code; --mode class makes it.")
            }
            try write(files)
        } catch let failure as GenerationFailure {
            failure.problems.forEach(complain)
            throw ExitCode(1)
        }
    }

    private func generate(_ model: SourceModel) throws -> ([GeneratedFile], [GenerationProblem]) {
        if swiftdata {
            let code = try SwiftDataGenerator(model, options: options)
            return (code.files, code.warnings)
        }
        let code = try CodeGenerator(model, options: options, sources: sources)
        return (code.files, code.warnings)
    }

    /// The Swift files that the command line names, in folders as well.
    private var sources: [URL] {
        (source.isEmpty ? [output] : source).flatMap { path in
            let url = URL(fileURLWithPath: path)
            guard let walk = FileManager.default.enumerator(at: url, includingPropertiesForKeys: nil),
                url.pathExtension != "swift"
            else { return [url] }
            return walk.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }.sorted {
                $0.path < $1.path
            }
        }.filter { $0.pathExtension == "swift" }
    }

    /// One of the words that an option may have.
    private static func word<Word: RawRepresentable & CaseIterable>(_ text: String) throws -> Word
    where Word.RawValue == String {
        if let word = Word(rawValue: text) { return word }
        throw ValidationError(
            "\"\(text)\" is none of \(Word.allCases.map(\.rawValue).joined(separator: ", ")).")
    }

    private var options: GenerationOptions {
        var options = GenerationOptions()
        options.mode = mode
        options.entities = entity.isEmpty ? nil : Set(entity)
        options.access = access
        options.module = module
        options.isOneFile = perModel
        options.usesNativeSets = sets
        options.usesDecimal = decimal
        options.usesOptionalScalars = optionalScalars
        options.keepsRequired = keepRequired
        return options
    }

    private func write(_ files: [GeneratedFile]) throws {
        let folder = URL(fileURLWithPath: output)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for file in files {
            let url = folder.appendingPathComponent(file.name)
            let present = try? Data(contentsOf: url)
            let text = Data(file.text.utf8)
            if present == text {
                print("unchanged \(file.name)")
            } else if present != nil, file.isForEditing, !overwrite {
                print("kept \(file.name)")
            } else {
                try text.write(to: url, options: .atomic)
                print("wrote \(file.name)")
            }
        }
    }

    private func complain(_ problem: GenerationProblem) {
        FileHandle.standardError.write(Data("\(problem)\n".utf8))
    }
}
