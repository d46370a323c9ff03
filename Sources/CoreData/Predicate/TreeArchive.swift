// Trees in archives: a flat list of words in postfix order, so that neither writing nor reading a hostile
// archive recurses.

import CoreDataPredicate
import CoreDataSupport
import Foundation

/// Writes trees to coders and reads them back.
enum TreeArchive {
    private static let key = "OpenCoreData.tree"

    /// Levels of a tree that is read.
    static let depthLimit = 1000

    static func encode(_ tree: PredicateTree, with coder: NSCoder) {
        var writer = TreeWriter()
        writer.write(tree)
        coder.encode(writer.words as NSArray, forKey: key)
    }

    static func encode(_ tree: ExpressionTree, with coder: NSCoder) {
        var writer = TreeWriter()
        writer.write(tree)
        coder.encode(writer.words as NSArray, forKey: key)
    }

    static func predicate(from coder: NSCoder) -> PredicateTree? {
        guard case .predicate(let tree)? = item(from: coder) else { return fail(coder) }
        return tree
    }

    static func expression(from coder: NSCoder) -> ExpressionTree? {
        guard case .expression(let tree)? = item(from: coder) else { return fail(coder) }
        return tree
    }

    /// `true` while an archive's words are read. There are no trees among them, but a damaged archive may name one there,
    /// even the one that is being read, which would never end.
    @TaskLocal private static var isReading = false

    private static func item(from coder: NSCoder) -> TreeReader.Item? {
        guard !isReading, coder.containsValue(forKey: key) else { return nil }
        let words = $isReading.withValue(true) {
            coder.decodeObject(of: [NSArray.self, NSString.self], forKey: key) as? [String]
        }
        return words.flatMap(TreeReader.read)
    }

    private static func fail<Tree>(_ coder: NSCoder) -> Tree? {
        coder.failWithError(
            CocoaError(
                .coderReadCorrupt,
                userInfo: [NSDebugDescriptionErrorKey: "This archive holds no such predicate"]))
        return nil
    }
}
