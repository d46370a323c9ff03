// The parser's tree as the compiler prints it.

import Foundation

/// A node of the parser's tree.
struct DumpNode {
    let fields: [String: Any]

    init(_ fields: [String: Any]) {
        self.fields = fields
    }

    init?(json: Data) {
        let object =
            (try? JSONSerialization.jsonObject(with: json))
            ?? (try? JSONSerialization.jsonObject(with: Data(DumpRepair.repaired(Array(json)))))
        guard let fields = object as? [String: Any] else { return nil }
        self.fields = fields
    }

    var kind: String { string("_kind") ?? "" }

    /// The name of a declaration, without arguments.
    var name: String? {
        if let name = string("name") { return name }
        return node("name")?.node("base_name")?.string("name")
    }

    var start: Int { node("range")?.fields["start"] as? Int ?? 0 }

    /// The offset at which the last token of the node begins.
    var end: Int { node("range")?.fields["end"] as? Int ?? 0 }

    var attributes: [DumpNode] { nodes("attrs") }

    func string(_ key: String) -> String? { fields[key] as? String }
    func flag(_ key: String) -> Bool { fields[key] as? Bool ?? false }
    func node(_ key: String) -> DumpNode? { (fields[key] as? [String: Any]).map(DumpNode.init) }

    func nodes(_ key: String) -> [DumpNode] {
        (fields[key] as? [Any] ?? []).compactMap { ($0 as? [String: Any]).map(DumpNode.init) }
    }

    func attribute(_ kind: String) -> DumpNode? { attributes.first { $0.kind == kind } }
    func has(_ kind: String) -> Bool { attribute(kind) != nil }
}
