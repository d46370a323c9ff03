// The parts of an element in an archived source, where no sample shows the keys.

import CoreDataPredicate
import CoreDataSupport
import Foundation

/// The parts of an element: its fields and the facts in its stereotypes, with archives inside of data opened. They are
/// found by their classes, and by the last word of their keys, for which the XML form has the same word:
/// `XD_PAttK_minValueString` is `minValueString` there.
struct ArchivedParts {
    private struct Part {
        let word: String
        let node: ArchiveNode
    }

    /// Fields that lead to the elements around this one.
    private static let surroundings: Set<String> = [
        "_owner", "_xd_owningModel", "_association", "XDBucketForStereotypesstorage",
    ]

    private var parts: [Part] = []

    init(of object: ArchiveObject, _ opener: ArchiveOpener) throws {
        for (key, node) in try Stereotypes(of: object).values.sorted(by: { $0.key < $1.key }) {
            try parts.append(Part(word: Self.word(key), node: opener.opened(node)))
        }
        if object.isKind(of: "NSDictionary") {
            for (key, node) in try object.pairs() {
                try parts.append(Part(word: Self.word(key.text ?? ""), node: opener.opened(node)))
            }
        } else {
            for key in object.keys where !Self.surroundings.contains(key) {
                try parts.append(Part(word: Self.word(key), node: opener.opened(object.node(key))))
            }
        }
    }

    private static func word(_ key: String) -> String {
        var word = key.split(separator: "_").last.map(String.init) ?? key
        if word.hasPrefix("NS") { word.removeFirst(2) }
        return word.lowercased()
    }

    /// The first part that is an object of a class or of one below it.
    func object(_ className: String) -> ArchiveObject? {
        parts.lazy.compactMap(\.node.object).first { $0.isKind(of: className) }
    }

    /// The parts whose words hold a text.
    func nodes(wordContaining text: String) -> [ArchiveNode] {
        parts.filter { $0.word.contains(text) }.map(\.node)
    }

    /// The text of the first part that has one of the words; `nil` if it is blank.
    func text(_ words: String...) -> String? {
        words.lazy.compactMap { word in
            parts.lazy.filter { $0.word == word }.compactMap(\.node.text).first {
                $0.contains { !$0.isWhitespace }
            }
        }.first
    }

    func integer(_ word: String) -> Int64? {
        switch parts.first(where: { $0.word == word })?.node {
        case .integer(let number): number
        case .bool(let flag): flag ? 1 : 0
        default: nil
        }
    }

    /// An archived predicate.
    var archivedPredicate: ArchiveObject? {
        parts.lazy.filter { $0.word != "havingpredicate" }.compactMap(\.node.object).first {
            ArchivedPredicateReader.isPredicate($0)
        }
    }

    /// The predicate, archived or as a format. Throws `ArchiveFailure` for one that can't be read.
    func predicate() throws -> PredicateTree? {
        if let archivedPredicate { return try ArchivedPredicateReader.predicate(archivedPredicate) }
        return try text("predicatestring", "predicateformat", "predicate").map(
            ArchivedPredicateReader.predicate(format:))
    }

    /// The name of the entity that the element is about.
    func entityName() throws -> String? {
        for (kind, key) in [("XDPMEntity", "_name"), ("NSEntityDescription", "NSEntityName")] {
            if let name = try object(kind)?.node(key).text { return name }
        }
        return text("fetchrequestentityname", "entityname", "entity", "destinationentity")
    }
}

/// Opens archives that lie in the data of another one.
final class ArchiveOpener {
    private static let depthLimit = 4

    /// The number of bytes that may still be opened: a small file may hold the same data many times.
    private var budget = 64 << 20

    /// The root of the archive that a node holds as data; any other node as it is. Throws `ArchiveFailure` if that
    /// unfolds to too much.
    func opened(_ node: ArchiveNode) throws -> ArchiveNode {
        var node = node
        for _ in 0..<Self.depthLimit {
            guard let data = node.data, BinaryPropertyListReader.accepts(data) else { return node }
            budget -= data.count
            guard budget >= 0 else { throw ArchiveFailure("the archives in it unfold to too many bytes") }
            guard let root = try? KeyedArchive(data).root() else { return node }
            node = root
        }
        throw ArchiveFailure("archives are nested too deep")
    }
}
