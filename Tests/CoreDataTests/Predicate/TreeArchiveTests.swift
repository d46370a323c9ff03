// Archives that no one of ours wrote: they give nothing, and never stop the process.

import CoreData
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

struct TreeArchiveTests {
    /// Writes chosen words in the place of a predicate's.
    final class Forged: NSObject, NSSecureCoding {
        static let supportsSecureCoding = true
        let words: [String]

        init(_ words: [String]) {
            self.words = words
        }

        init?(coder: NSCoder) { nil }

        func encode(with coder: NSCoder) {
            coder.encode(words as NSArray, forKey: "OpenCoreData.tree")
        }

        override var classForCoder: AnyClass { NSPredicate.self }
    }

    private func read(_ words: [String]) throws -> NSPredicate? {
        let archive = try NSKeyedArchiver.archivedData(
            withRootObject: Forged(words), requiringSecureCoding: true)
        return try? NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: archive)
    }

    @Test func wordsOfAPredicateAreRead() throws {
        try expect(read(["truth", "1", "not"])?.formatString, equals: "NOT TRUEPREDICATE")
    }

    @Test(arguments: [
        [], ["nonsense"], ["truth"], ["truth", "x"], ["not"], ["and", "5"], ["and", "-1"],
        ["truth", "1", "truth", "1"],
        ["integer", "99999999999999999999", "constant"], ["self"],
        ["self", "self", "compare", "55", "0", "0", ""],
        ["self", "self", "compare", "4", "9", "0", ""], ["self", "self", "compare", "4"],
        ["null", "dictionary", "1"],
        ["self", "truth", "1", "union"], ["self", "function", "now", "1", "7"], ["uuid", "no"],
        ["data", "%"],
    ]) func brokenWordsGiveNothing(words: [String]) throws {
        #expect(try read(words) == nil)
    }

    @Test func endlessNestingGivesNothing() throws {
        let deep = ["truth", "1"] + Array(repeating: "not", count: 100_000)
        #expect(try read(deep) == nil)
    }

    /// A damaged archive may name a predicate among its own words.
    @Test func aPredicateInsideItselfIsNothing() throws {
        let archive = KeyedArchiveWriter()
        let predicate = archive.reserve()
        archive.define(
            predicate, classes: ["NSPredicate", "NSObject"],
            fields: [.init("OpenCoreData.tree", value: archive.array([predicate]))])
        let decoder = try NSKeyedUnarchiver(forReadingFrom: archive.data(root: predicate))
        decoder.decodingFailurePolicy = .setErrorAndReturn
        #expect(decoder.decodeObject(of: [NSPredicate.self], forKey: NSKeyedArchiveRootObjectKey) == nil)
        #expect(decoder.error != nil)
    }
}
