// String operators under every option, and the orders of sort descriptors.

import CoreDataPredicate
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct StringComparisonTests {
    private let c = ComparisonOptions.caseInsensitive
    private let d = ComparisonOptions.diacriticInsensitive

    private func holds(
        _ text: String, _ op: ComparisonOperator, _ pattern: String, _ options: ComparisonOptions = []
    ) throws -> Bool {
        try StringComparison.matches(text, op: op, pattern: pattern, options: options)
    }

    @Test(arguments: ["(a+)+b", "(a|aa)+b", "(.*)*b", "(.*?,?){11}P"])
    func anEndlessSearchIsAnError(_ pattern: String) {
        #expect(throws: EvaluationFailure.self) {
            try holds(String(repeating: "a", count: 3000), .matches, pattern)
        }
    }

    @Test func equality() throws {
        #expect(try holds("abc", .equalTo, "abc"))
        #expect(try !holds("abc", .equalTo, "ABC"))
        #expect(try holds("abc", .equalTo, "ABC", c))
        #expect(try holds("ÉCOLE", .equalTo, "école", c))
        #expect(try !holds("école", .equalTo, "ecole", c))
        #expect(try holds("école", .equalTo, "ecole", d))
        #expect(try holds("ÉCOLE", .equalTo, "ecole", [c, d]))
        #expect(try !holds("ÉCOLE", .equalTo, "ecole", d))
        #expect(try holds("Straße", .equalTo, "STRASSE", c))
        #expect(try holds("e\u{301}", .equalTo, "É", c))
        #expect(try !holds("e\u{301}", .equalTo, "é"))
        #expect(try holds("abc", .notEqualTo, "abd", c))
        #expect(try holds("", .equalTo, "", [c, d]))
    }

    @Test func order() throws {
        #expect(try holds("B", .lessThan, "a"))
        #expect(try !holds("B", .lessThan, "a", c))
        #expect(try holds("a", .lessThanOrEqualTo, "A", c))
        #expect(try holds("ab", .greaterThan, "a"))
        #expect(try holds("é", .greaterThan, "z"))
        #expect(try holds("é", .lessThan, "z", d))
        #expect(try holds("a", .greaterThanOrEqualTo, "a"))
    }

    @Test func searches() throws {
        #expect(try holds("Hello World", .contains, "lo W"))
        #expect(try !holds("Hello World", .contains, "LO W"))
        #expect(try holds("Hello World", .contains, "LO W", c))
        #expect(try holds("Crème Brûlée", .contains, "brulee", [c, d]))
        #expect(try !holds("café", .contains, "cafe", c))
        #expect(try holds("aaab", .contains, "aab"))
        #expect(try !holds("ab", .contains, "abc"))
        #expect(try holds("Élan", .beginsWith, "el", [c, d]))
        #expect(try !holds("Élan", .beginsWith, "an", [c, d]))
        #expect(try holds("Élan", .endsWith, "LAN", c))
        #expect(try !holds("n", .endsWith, "lan"))
        for op in [ComparisonOperator.contains, .beginsWith, .endsWith] {
            #expect(try !holds("abc", op, ""))
            #expect(try !holds("", op, "a"))
        }
    }

    @Test(arguments: [
        ("abc", "abc", true), ("abc", "a*", true), ("abc", "*c", true), ("abc", "*b*", true),
        ("abc", "a?c", true),
        ("abc", "?", false), ("abc", "a?", false), ("", "*", true), ("", "", true), ("", "?", false),
        ("a*c", "a\\*c", true),
        ("abc", "a\\*c", false), ("a?c", "a\\?c", true), ("a\\c", "a\\\\c", true), ("a\\", "a\\", true),
        ("abcabc", "*abc", true),
        ("aXbXc", "a*X*c", true), ("é", "?", true), ("e\u{301}", "?", true), ("日本語", "日?語", true),
        ("日本語", "日", false),
        ("a.c", "a.c", true), ("abc", "a.c", false), ("a[b", "a[b", true), ("aaa", "a**a", true),
        ("(", "(", true),
    ])
    func like(text: String, pattern: String, answer: Bool) throws {
        try expect(holds(text, .like, pattern), equals: answer)
    }

    @Test func likeFoldsAndIsNeverExponential() throws {
        #expect(try holds("ÄPFEL", .like, "apf*", [c, d]))
        #expect(
            try !holds(String(repeating: "a", count: 5000), .like, String(repeating: "a*", count: 2000) + "b")
        )
        #expect(throws: EvaluationFailure.self) {
            try holds("a", .like, String(repeating: "a", count: EvaluationLimits.patternLength + 1))
        }
    }

    @Test(arguments: [
        ("abc", "a.c", true), ("abc", "ab", false), ("abc", "^abc$", true), ("a\nb", "a.b", true),
        ("ab", "a|ab", true),
        ("2024-01-05", "\\d{4}-\\d\\d-\\d\\d", true), ("", "", true), ("x", "", false),
        ("ABC", "(?i)abc", true), ("aé", "a.", true),
        ("😀", ".", true),
    ])
    func matches(text: String, pattern: String, answer: Bool) throws {
        try expect(holds(text, .matches, pattern), equals: answer)
    }

    @Test func matchesWithOptions() throws {
        #expect(try holds("ABC", .matches, "a.c", c))
        #expect(try holds("école", .matches, "ec.*", d))
        #expect(throws: EvaluationFailure.self) { try holds("a", .matches, "[") }
        #expect(throws: EvaluationFailure.self) {
            try holds(String(repeating: "a", count: 40), .matches, "(a|aa)+c")
        }
    }

    @Test func localizedEquality() throws {
        let l = ComparisonOptions.localeSensitive
        #expect(try holds("abc", .equalTo, "ABC", [c, l]))
        #expect(try holds("École", .contains, "ecole", [c, d, l]))
        #expect(try holds("a", .lessThan, "b", l))
    }

    @Test func canonicalForms() {
        expect(StringComparison.canonical("ÄÖÜ Él"), equals: "aou el")
        expect(StringComparison.canonical("ABC"), equals: "abc")
    }

    @Test func sortComparisons() {
        expect(SortComparison.compare.compare("B", with: "a"), equals: .orderedAscending)
        expect(SortComparison.caseInsensitiveCompare.compare("B", with: "a"), equals: .orderedDescending)
        expect(SortComparison.caseInsensitiveCompare.compare("É", with: "é"), equals: .orderedSame)
        expect(
            SortComparison.localizedStandardCompare.compare("file10", with: "file9"),
            equals: .orderedDescending)
        expect(
            SortComparison.localizedCaseInsensitiveCompare.compare("ABC", with: "abc"), equals: .orderedSame)
        expect(SortComparison.localizedCompare.compare("a", with: "b"), equals: .orderedAscending)
    }

    /// The prepared form answers as the plain one for many random texts.
    @Test func asciiAndFoldedPathsAgree() throws {
        var generator = SeededGenerator(seed: 3)
        let letters: [String] = ["a", "B", "b", "é", "E", "s", "ß", "1"]
        func word(_ generator: inout SeededGenerator) -> String {
            (0..<Int.random(in: 1...4, using: &generator)).map { _ in
                letters.randomElement(using: &generator) ?? ""
            }.joined()
        }
        for _ in 0..<2000 {
            let (text, pattern) = (word(&generator), word(&generator))
            let folded = (StringComparison.canonical(text), StringComparison.canonical(pattern))
            try expect(
                holds(text, .contains, pattern, [c, d]), equals: folded.0.utf8.contains(folded.1.utf8),
                "\(text) \(pattern)")
            try expect(holds(text, .equalTo, pattern, [c, d]), equals: (folded.0 == folded.1))
        }
    }
}

extension String.UTF8View {
    fileprivate func contains(_ other: String.UTF8View) -> Bool {
        indices.contains { self[$0...].starts(with: other) }
    }
}
