// The searches that `#Predicate` knows and Foundation has on Apple's systems only, under Apple's names.

import CoreDataPredicate
public import Foundation

extension PredicateExpressions {
    /// `root.localizedStandardContains(other)`: without regard to case and diacritics.
    public struct StringLocalizedStandardContains<Root: PredicateExpression, Other: PredicateExpression>:
        PredicateExpression
    where Root.Output: StringProtocol, Other.Output: StringProtocol {
        /// The expression that is searched in.
        public let root: Root
        /// The expression that is searched for.
        public let other: Other

        /// A search for `other` in `root`.
        ///
        /// - Parameters:
        ///   - root: the string on the left.
        ///   - other: the string on the right.
        public init(root: Root, other: Other) {
            self.root = root
            self.other = other
        }

        /// Returns whether the one string contains the other.
        ///
        /// - Throws: what the two expressions throw.
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
            try StringComparison.matches(
                String(root.evaluate(bindings)), op: .contains, pattern: String(other.evaluate(bindings)),
                options: [.caseInsensitive, .diacriticInsensitive])
        }
    }

    /// The order of two strings regardless of case: `root.caseInsensitiveCompare(other)`.
    public struct StringCaseInsensitiveCompare<Root: PredicateExpression, Other: PredicateExpression>:
        PredicateExpression
    where Root.Output: StringProtocol, Other.Output: StringProtocol {
        /// The string that is compared.
        public let root: Root
        /// The expression that it is compared with.
        public let other: Other

        /// A comparison of `root` with `other`.
        ///
        /// - Parameters:
        ///   - root: the string on the left.
        ///   - other: the string on the right.
        public init(root: Root, other: Other) {
            self.root = root
            self.other = other
        }

        /// Returns the order of the two strings.
        ///
        /// - Throws: what the two expressions throw.
        public func evaluate(_ bindings: PredicateBindings) throws -> ComparisonResult {
            StringComparison.order(
                String(try root.evaluate(bindings)), right: String(try other.evaluate(bindings)),
                options: .caseInsensitive)
        }
    }

    /// The order of two strings in the current locale: `root.localizedCompare(other)`.
    public struct StringLocalizedCompare<Root: PredicateExpression, Other: PredicateExpression>:
        PredicateExpression
    where Root.Output: StringProtocol, Other.Output: StringProtocol {
        /// The string that is compared.
        public let root: Root
        /// The expression that it is compared with.
        public let other: Other

        /// A comparison of `root` with `other`.
        ///
        /// - Parameters:
        ///   - root: the string on the left.
        ///   - other: the string on the right.
        public init(root: Root, other: Other) {
            self.root = root
            self.other = other
        }

        /// Returns the order of the two strings.
        ///
        /// - Throws: what the two expressions throw.
        public func evaluate(_ bindings: PredicateBindings) throws -> ComparisonResult {
            StringComparison.order(
                String(try root.evaluate(bindings)), right: String(try other.evaluate(bindings)),
                options: .localeSensitive)
        }
    }

    /// Returns a search, for `#Predicate`, which calls this.
    ///
    /// - Parameters:
    ///   - root: the string on the left.
    ///   - other: the string on the right.
    public static func build_localizedStandardContains<Root, Other>(
        _ root: Root, _ other: Other
    ) -> StringLocalizedStandardContains<Root, Other> {
        StringLocalizedStandardContains(root: root, other: other)
    }

    /// Returns a comparison, for `#Predicate`, which calls this.
    ///
    /// - Parameters:
    ///   - root: the string on the left.
    ///   - other: the string on the right.
    public static func build_caseInsensitiveCompare<Root, Other>(
        _ root: Root, _ other: Other
    ) -> StringCaseInsensitiveCompare<Root, Other> {
        StringCaseInsensitiveCompare(root: root, other: other)
    }

    /// Returns a comparison, for `#Predicate`, which calls this.
    ///
    /// - Parameters:
    ///   - root: the string on the left.
    ///   - other: the string on the right.
    public static func build_localizedCompare<Root, Other>(
        _ root: Root, _ other: Other
    ) -> StringLocalizedCompare<Root, Other> {
        StringLocalizedCompare(root: root, other: other)
    }
}

extension PredicateExpressions.StringLocalizedStandardContains: Sendable
where Root: Sendable, Other: Sendable {}
extension PredicateExpressions.StringLocalizedStandardContains: Codable where Root: Codable, Other: Codable {}
extension PredicateExpressions.StringLocalizedStandardContains: StandardPredicateExpression
where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}

extension PredicateExpressions.StringCaseInsensitiveCompare: Sendable where Root: Sendable, Other: Sendable {}
extension PredicateExpressions.StringCaseInsensitiveCompare: Codable where Root: Codable, Other: Codable {}
extension PredicateExpressions.StringCaseInsensitiveCompare: StandardPredicateExpression
where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}

extension PredicateExpressions.StringLocalizedCompare: Sendable where Root: Sendable, Other: Sendable {}
extension PredicateExpressions.StringLocalizedCompare: Codable where Root: Codable, Other: Codable {}
extension PredicateExpressions.StringLocalizedCompare: StandardPredicateExpression
where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}
