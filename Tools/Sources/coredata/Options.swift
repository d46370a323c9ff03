// The options that several subcommands have in common.

public import ArgumentParser
import CoreData
public import StoreTools

/// A store, and where its model is.
struct StoreOptions: ParsableArguments {
    @Argument(help: "The store: an SQLite file, or a postgresql:// address.")
    var store: String

    @Option(
        help: ArgumentHelp(
            """
            The model: .momd, .mom, .xcdatamodeld, .xcdatamodel, or another store. Without it the copy that the \
            store keeps.
            """,
            valueName: "model-or-store"))
    var model: String?

    @Flag(help: "Opens the store though its version hashes are not the model's.")
    var ignoreVersions = false

    func open(_ access: OpenStore.Access = .reading) throws -> OpenStore {
        try OpenStore(path: store, modelPath: model, access: access, ignoringVersions: ignoreVersions)
    }
}

extension RowFormat: @retroactive ExpressibleByArgument {}

/// Text for humans, or JSON.
struct JSONOption: ParsableArguments {
    @Flag(help: "Prints JSON.")
    var json = false
}

/// A predicate that can't be read, with a mark under the place.
struct PredicateFailure: Error, CustomStringConvertible {
    let format: String
    let failure: PredicateFormatError

    private static let reach = 60

    var description: String {
        // One line, and not much of a long one, so that the mark stands under its place.
        let line = format.map { $0.isNewline || $0 == "\t" ? " " : $0 }
        let position = min(failure.position, line.count)
        let start = max(0, position - Self.reach)
        let end = min(line.count, position + Self.reach)
        let before = (start > 0 ? "…" : "") + String(line[start..<position])
        let after = String(line[position..<end]) + (end < line.count ? "…" : "")
        let width = max(1, min(failure.length, end - position))
        return "\(failure.reason) (at character \(failure.position + 1))\n  \(before)\(after)\n  "
            + String(repeating: " ", count: before.displayWidth) + String(repeating: "^", count: width)
    }
}

/// Reads a predicate's text within the closure; a text that can't be read gets a mark.
func marking<Result>(_ format: String?, body: () throws -> Result) throws -> Result {
    do {
        return try body()
    } catch let error as PredicateFormatError {
        throw PredicateFailure(format: format ?? "", failure: error)
    }
}

/// The parts of a list with commas.
func list(_ texts: [String]) -> [String] {
    texts.flatMap { $0.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) } }
}
