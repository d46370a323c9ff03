// The branches of an `#if`, and the one that a system takes which its author didn't know.

/// An `#if` with its `#elseif`s, up to its `#endif`.
struct ConditionBranches {
    struct Branch {
        let condition: [SwiftToken]
        /// The tokens that the condition decides about.
        let body: Range<Int>
    }

    let branches: [Branch]
    let hasElse: Bool
    /// Indicates whether its `#endif` was found.
    let isClosed: Bool
    /// The place of its `#endif`.
    let end: Int

    init(_ file: SourceFile, at index: Int) {
        var branches: [Branch] = []
        var condition = ConditionRegions.condition(after: index, tokens: file.tokens, bytes: file.bytes)
        var start = index + 1 + condition.count
        var hasElse = false
        var depth = 1
        var end = start
        func close() {
            if !hasElse { branches.append(Branch(condition: condition, body: start..<end)) }
        }
        while end < file.tokens.count {
            switch file.tokens[end].text {
            case "#if": depth += 1
            case "#endif": depth -= 1
            case "#elseif" where depth == 1:
                close()
                condition = ConditionRegions.condition(after: end, tokens: file.tokens, bytes: file.bytes)
                start = end + 1 + condition.count
            case "#else" where depth == 1:
                close()
                hasElse = true
            default: break
            }
            if depth == 0 { break }
            end += 1
        }
        close()
        self.branches = branches
        self.hasElse = hasElse
        self.end = end
        isClosed = depth == 0
    }

    /// Of a chain that names phones and computers, and has no branch for other systems: the branch that more of Apple's
    /// systems take than any other. The others are its exceptions.
    var commonBranch: Branch? {
        guard branches.count > 1, !hasElse else { return nil }
        let lists = branches.map { Self.names($0.condition, of: ["os"]) ?? [] }
        let all = lists.reduce(into: Set<String>()) { $0.formUnion($1) }
        let count = lists.map(\.count).max() ?? 0
        guard !lists.contains([]), all.isSubset(of: BuildCondition.systems),
            Self.hasPhonesAndComputers(all), lists.filter({ $0.count == count }).count == 1,
            let place = lists.firstIndex(where: { $0.count == count })
        else { return nil }
        return branches[place]
    }

    /// The systems that a plain list such as `os(iOS) || os(macOS)` names; nil for a condition of another kind.
    static func names(_ condition: [SwiftToken], of questions: Set<String>) -> Set<String>? {
        var names: Set<String> = []
        var rest = condition[...]
        while rest.count >= 4 {
            let item = Array(rest.prefix(4))
            guard questions.contains(item[0].text), item[1].is("("), item[3].is(")") else { return nil }
            names.insert(item[2].text)
            rest = rest.dropFirst(4)
            if rest.isEmpty { return names }
            guard rest.count > 2, rest.prefix(2).allSatisfy({ $0.is("|") }) else { return nil }
            rest = rest.dropFirst(2)
        }
        return nil
    }

    static func hasPhonesAndComputers(_ names: Set<String>) -> Bool {
        !names.isDisjoint(with: ["iOS", "UIKit"])
            && !names.isDisjoint(with: ["macOS", "OSX", "AppKit", "Cocoa"])
    }
}
