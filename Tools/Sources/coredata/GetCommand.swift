// `coredata get`

import ArgumentParser
import CoreData
import StoreTools

struct GetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Shows one object with everything that it holds.",
        discussion: """
            EXAMPLE
              coredata get Bookmarks.sqlite BookmarkEntity/3
              coredata get Bookmarks.sqlite x-coredata://8D1F…/BookmarkEntity/p3 --json
            """)

    @OptionGroup var options: StoreOptions

    @Argument(help: ArgumentHelp("The object: ENTITY/NUMBER or its URI.", valueName: "object"))
    var name: String

    @OptionGroup var format: JSONOption

    func run() throws {
        let store = try options.open()
        defer { try? store.close() }
        let object = try store.object(named: name)
        let columns = try KeyPathColumn.standard(for: object.entity, withToMany: true)
        let fields = columns.map { PrintedValue.Field($0.name, value: $0.value(of: object)) }
        let output = Output()
        if format.json {
            try output.writeLine(PrintedValue.record(fields).prettyJSON())
        } else {
            let width = fields.reduce(0) { max($0, $1.name.displayWidth) } + 2
            for field in fields {
                let padding = String(repeating: " ", count: width - field.name.displayWidth)
                try output.writeLine(field.name + padding + field.value.detail)
            }
        }
        try output.finish()
    }
}

extension PrintedValue {
    /// As in a table, but with short bytes as base64 and nil as a word.
    fileprivate var detail: String {
        switch self {
        case .null: "nil"
        case .bytes(let data) where data.count <= 48: data.base64EncodedString()
        case .list([]): "none"
        default: cell
        }
    }
}
