// Stereotypes in archived sources: lists of facts about an element.

import CoreDataSupport

/// The facts that lie in an element's stereotypes, by name.
struct Stereotypes {
    private(set) var values: [String: ArchiveNode] = [:]

    init(of object: ArchiveObject) throws {
        for (_, stereotype) in try object.node("XDBucketForStereotypesstorage").object?.pairs() ?? [] {
            let facts = try stereotype.object?.node("XDBucketForOwnedAttributesstorage").object?.pairs() ?? []
            for (key, fact) in facts {
                if let name = key.text, let fact = fact.object { values[name] = try fact.node("_default") }
            }
        }
    }

    func node(_ name: String) -> ArchiveNode { values[name] ?? .null }

    func text(_ name: String) throws -> String? { node(name).text }

    func bool(_ name: String) throws -> Bool? { try integer(name).map { $0 != 0 } }

    func integer(_ name: String) throws -> Int64? {
        switch try node(name).value() {
        case .integer(let number): number
        case .bool(let flag): flag ? 1 : 0
        default: nil
        }
    }
}
