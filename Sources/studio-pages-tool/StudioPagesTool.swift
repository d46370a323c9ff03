// Writes a Swift file that holds texts: OUTPUT FOLDER FILE… The build plugin runs it. String literals compile in no
// time, unlike the arrays of bytes that resources embedded by the package manager become.

import Foundation

@main
enum StudioPagesTool {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let output = arguments.first, let folder = arguments.dropFirst().first else {
            throw Failure(message: "usage: studio-pages-tool OUTPUT FOLDER FILE…")
        }
        let source = try source(of: Array(arguments.dropFirst(2)), in: folder + "/")
        try Data(source.utf8).write(to: URL(fileURLWithPath: output))
    }

    /// Pages are found by their paths below the folder.
    private static func source(of files: [String], in folder: String) throws -> String {
        var entries = ""
        for file in files {
            guard file.hasPrefix(folder) else { throw Failure(message: "\(file) is not in \(folder)") }
            let path = file.dropFirst(folder.count)
            entries += "        \"\(path)\": \(try literal(URL(fileURLWithPath: file))),\n"
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
