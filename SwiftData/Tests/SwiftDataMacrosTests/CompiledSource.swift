import Foundation

/// Code that a compiler checks with the macros and the module as they were built.
///
/// A test target that depends on a macro would have the whole library built for the host once more.
struct CompiledSource {
    struct Fault: CustomStringConvertible {
        var line: Int
        var message: String

        var description: String { "\(line): \(message)" }
    }

    private let text: String
    private let library: String?

    /// - Parameters:
    ///   - text: the code.
    ///   - library: the code of a module `Library`, which the other may import.
    init(_ text: String, library: String? = nil) {
        self.text = text
        self.library = library
    }

    /// The errors that the compiler finds.
    ///
    /// - Parameter version: the version of the language.
    func errors(version: String = "6") throws -> [Fault] { try faults("error", version) }

    /// The warnings that the compiler has.
    func warnings() throws -> [Fault] { try faults("warning", "6") }

    private func faults(_ kind: String, _ version: String) throws -> [Fault] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var faults: [Fault] = []
        if let library {
            let file = folder.appendingPathComponent("Library.swift")
            try Data(library.utf8).write(to: file)
            let module = folder.appendingPathComponent("Library.swiftmodule").path
            faults += try Self.compile(
                file, ["-emit-module", "-module-name", "Library", "-o", module], kind, version)
        }
        let file = folder.appendingPathComponent("Client.swift")
        try Data(text.utf8).write(to: file)
        return try faults + Self.compile(file, ["-typecheck", "-I", folder.path], kind, version)
    }

    private static func compile(
        _ file: URL, _ arguments: [String], _ kind: String, _ version: String
    ) throws -> [Fault] {
        let compiler = Process()
        let output = Pipe()
        compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        compiler.arguments = ["swiftc", "-swift-version", version, file.path] + arguments + options
        compiler.standardOutput = output
        compiler.standardError = output
        try compiler.run()
        let lines = output.fileHandleForReading.readDataToEndOfFile()
        compiler.waitUntilExit()
        return String(decoding: lines, as: UTF8.self).split(separator: "\n").compactMap {
            fault(in: $0, kind, of: file)
        }
    }

    /// A line of `FILE:LINE:COLUMN: error: MESSAGE`.
    private static func fault(in line: Substring, _ kind: String, of file: URL) -> Fault? {
        let parts = line.components(separatedBy: ": \(kind): ")
        guard parts.count == 2 else { return nil }
        // The compiler adds the macro's name in brackets.
        let message = parts[1].components(separatedBy: " (from macro ")[0]
        let place = parts[0].split(separator: ":")
        guard place.count == 3, place[0].hasSuffix(file.lastPathComponent) else {
            return Fault(line: 0, message: message)
        }
        return Fault(line: Int(place[1]) ?? 0, message: message)
    }

    private static let options: [String] = {
        let products = Bundle.main.bundleURL
        let package = (0..<3).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
            url.deletingLastPathComponent()
        }
        let maps =
            [package.appendingPathComponent("Sources/CModelConstruction/module.modulemap")]
            + ["CZlib", "CSQLite", "CSwiftRuntime"].map {
                package.deletingLastPathComponent().appendingPathComponent("Sources/\($0)/module.modulemap")
            }
        return [
            "-I", products.appendingPathComponent("Modules").path, "-load-plugin-executable",
            products.appendingPathComponent("SwiftDataMacros-tool").path + "#SwiftDataMacros",
        ] + maps.flatMap { ["-Xcc", "-fmodule-map-file=" + $0.path] }
    }()
}
