// Writes a Swift file that holds texts: OUTPUT FILE… The studio's build plugin runs it. String literals compile in no
// time, unlike the arrays of bytes that resources embedded by the package manager become.

import Foundation

@main
enum StudioPagesTool {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let output = arguments.first else {
            throw Failure(message: "usage: studio-pages-tool OUTPUT FILE…")
        }
        let source = try source(of: arguments.dropFirst().map { URL(fileURLWithPath: $0) })
        try Data(source.utf8).write(to: URL(fileURLWithPath: output))
    }

    private static func source(of files: [URL]) throws -> String {
        var names = Set<String>()
        var entries = ""
        for file in files {
            let name = file.lastPathComponent
            guard names.insert(name).inserted else { throw Failure(message: "two pages are named \(name)") }
            entries += "        \"\(name)\": \(try literal(file)),\n"
        }
        return "enum EmbeddedPages {\n    static let texts: [String: String] = [\n\(entries)    ]\n}\n"
    }

    /// A raw literal with more number signs than follow any quotes in the text.
    private static func literal(_ file: URL) throws -> String {
        guard let text = String(validating: try Data(contentsOf: file), as: UTF8.self), !text.contains("\0"),
            !text.contains("\r")
        else { throw Failure(message: "\(file.path) is not plain text with lines that end in newlines") }
        var marks = "#"
        while text.contains("\"" + marks) || text.contains("\\" + marks) { marks += "#" }
        return "\(marks)\"\"\"\n\(text)\n\"\"\"\(marks)"
    }
}

private struct Failure: Error, CustomStringConvertible {
    let message: String
    var description: String { message }
}
