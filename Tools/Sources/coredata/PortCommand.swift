// `coredata port`

import ArgumentParser
import Foundation
import SourcePort

struct PortCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "port",
        abstract: "Rewrites Core Data code so that it builds on Apple's systems and off them.",
        discussion: """
            Prints the changes as a unified diff, and on standard error what somebody has to look at, with a count of \
            lines and places at the end. What it changes is in Docs/Porting.md.

            EXAMPLE
              coredata port Sources/Model > port.diff
              coredata port Sources/Model --apply
            """)

    @Argument(help: "Swift files, or folders with them.")
    var paths: [String]

    @Flag(help: "Changes the files instead of printing the changes.")
    var apply = false

    func run() throws {
        let results = try SourcePort.results(at: paths.map { URL(fileURLWithPath: $0) })
        for result in results {
            if apply, result.isChanged {
                try result.write()
                print("changed \(result.path)")
            } else if !apply {
                print(result.diff, terminator: "")
            }
        }
        let remarks = results.flatMap(\.remarks)
        let changed = results.filter(\.isChanged)
        let counts =
            "\(changed.reduce(0) { $0 + $1.changedLines }) lines in \(changed.count) files"
            + " \(apply ? "changed" : "would change"), \(remarks.count) places to look at"
        let text = (remarks.map(\.description) + [counts]).joined(separator: "\n") + "\n"
        FileHandle.standardError.write(Data(text.utf8))
    }
}
