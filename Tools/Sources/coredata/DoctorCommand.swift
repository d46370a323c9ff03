// `coredata doctor`

import ArgumentParser
import StoreTools

struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Checks a store against its model, or a model alone.",
        discussion: """
            Looks at the file's pages, the layout of its tables, keys that lead nowhere, key counters, rows \
            of join tables, order keys and version hashes. Changes nothing. Ends with 1 if something is \
            wrong; notes alone end with 0.

            EXAMPLE
              coredata doctor Bookmarks.sqlite
              coredata doctor Bookmarks.sqlite --model Bookmarks.momd
            """)

    @Argument(help: ArgumentHelp("The store's SQLite file, or a model.", valueName: "store-or-model"))
    var store: String

    @Option(
        help: ArgumentHelp(
            "The model to check with. Without it the copy that the store keeps.", valueName: "model-or-store")
    )
    var model: String?

    @OptionGroup var format: JSONOption

    func run() throws {
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
