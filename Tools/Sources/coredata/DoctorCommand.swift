// `coredata doctor`

import ArgumentParser
import CoreData
import StoreTools

struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Checks a store against its model, or a model alone.",
        discussion: """
            Looks at a file's pages, the layout of its tables, keys that lead nowhere, key counters, rows \
            of join tables, order keys, version hashes, and for files that killed programs left beside the store. \
            Changes nothing without --repair, which removes those files. Ends with 1 if something is wrong; \
            notes alone end with 0. Of a store on a server the model, the tables and the reading of rows are checked, \
            and --repair removes schemas that killed programs left.

            EXAMPLE
              coredata doctor Bookmarks.sqlite
              coredata doctor Bookmarks.sqlite --model Bookmarks.momd
              coredata doctor Bookmarks.sqlite --repair
            """)

    @Argument(help: ArgumentHelp("The store, or a model.", valueName: "store-or-model"))
    var store: String

    @Option(
        help: ArgumentHelp(
            "The model to check with. Without it the copy that the store keeps.", valueName: "model-or-store")
    )
    var model: String?

    @OptionGroup var format: JSONOption

    @Flag(
        help: """
            First removes what killed programs left: drafts, temporary copies, external files that no row names. \
            Shows them and asks.
            """)
    var repair = false

    @Flag(help: "Doesn't ask.")
    var yes = false

    func run() throws {
        if repair { try removeAbandonedFiles() }
        let findings =
            ModelSource(path: store).isModelFile
            ? try Diagnosis.findings(model: store) : try Diagnosis.findings(path: store, modelPath: model)
        let output = Output()
        if format.json {
            try output.writeLine(PrintedValue.list(findings.map(\.record)).prettyJSON())
        } else {
            try write(findings, to: output)
        }
        try output.finish()
        if findings.contains(where: \.isHarmful) { throw ExitCode(1) }
    }

    /// Tells on standard error, so that JSON stays JSON.
    private func removeAbandonedFiles() throws {
        if ModelSource(path: store).isModelFile {
            throw ToolFailure("--repair removes files beside a store; \(store) is a model.")
        }
        let address = try StoreAddress(store)
        _ = try address.metadata()
        let left = try address.abandoned()
        if left.isEmpty { return }
        tell("left by killed programs: \(left.count)")
        for name in left { tell("  \(name)") }
        let refusal = "Nothing was removed: there is nobody to ask. --yes removes without asking."
        guard try yes || confirms("Remove them?", otherwise: refusal) else {
            throw ToolFailure("Nothing was removed.")
        }
        tell("removed: \(try address.removeAbandoned())")
    }

    private func tell(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }

    private func write(_ findings: [Finding], to output: Output) throws {
        for finding in findings {
            try output.writeLine("\(finding.isHarmful ? "wrong" : "note"): \(finding.title)")
            for row in finding.rows { try output.writeLine("  \(row)") }
            try output.writeLine("  → \(finding.advice)")
        }
        let wrong = findings.count { $0.isHarmful }
        try output.writeLine(
            wrong == 0 ? "sound" : "\(wrong) \(wrong == 1 ? "thing is" : "things are") wrong")
    }
}

extension Finding {
    fileprivate var record: PrintedValue {
        .object([
            "isHarmful": .bool(isHarmful), "finding": .text(title), "rows": .list(rows.map { .text($0) }),
            "advice": .text(advice),
        ])
    }
}
