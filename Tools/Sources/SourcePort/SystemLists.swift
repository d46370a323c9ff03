// `#if os(iOS) || os(macOS) || os(tvOS)` and `#if canImport(UIKit) || canImport(AppKit)` around code that has nothing of
// a user interface: such lists mean every system that their author knew, and off Apple's systems the code is missing.

/// Adds Linux to lists of all of Apple's systems where the code between needs none of their frameworks.
struct SystemLists {
    /// A condition with a list, by its number among those of its file.
    private struct Region: Hashable {
        let file: Int
        let number: Int
    }

    private let files: [SourceFile]
    private var open: Set<Region> = []

    /// The files with such conditions changed.
    static func opened(_ files: [SourceFile]) -> [SourceFile] {
        var lists = SystemLists(files)
        while lists.closeOne() {}
        return lists.applied
    }

    private init(_ files: [SourceFile]) {
        self.files = files
        for (number, file) in files.enumerated() {
            for list in Self.lists(file).indices where Self.lists(file)[list].isCandidate {
                open.insert(Region(file: number, number: list))
            }
        }
    }

    private var applied: [SourceFile] {
        files.enumerated().map { number, file in
            let lists = Self.lists(file)
            var findings = Findings()
            for list in lists.indices where open.contains(Region(file: number, number: list)) {
                let end = lists[list].endOfCondition
                findings.replace(end..<end, with: " || os(Linux)")
            }
            return findings.edits.isEmpty
                ? file : SourceFile(path: file.path, bytes: findings.applied(to: file.bytes))
        }
    }

    /// Closes the regions that need what only Apple's systems have, also through types of other regions. Returns false
    /// when nothing changes any more.
    private mutating func closeOne() -> Bool {
        if open.isEmpty { return false }
        let applied = applied
        var visible: Set<String> = []
        var hidden: Set<String> = []
        for file in applied {
            for index in file.tokens.indices {
                guard let name = file.declaredType(index) else { continue }
                if file.isForApple[index] { hidden.insert(name) } else { visible.insert(name) }
            }
        }
        hidden.subtract(visible)
        let closed = open.filter { region in
            let file = applied[region.file]
            return Self.lists(file)[region.number].body.contains { index in
                guard !file.isForApple[index] else { return false }
                let token = file.tokens[index]
                if token.is("import"), let module = file.token(index + 1)?.text {
                    return AppleModules.names.contains(module)
                }
                return token.kind == .identifier && !visible.contains(token.text)
                    && (hidden.contains(token.text) || AppleInterface.has(token.text))
            }
        }
        open.subtract(closed)
        return !closed.isEmpty
    }

    // MARK: Conditions

    private struct List {
        /// Behind the last token of the condition.
        let endOfCondition: Int
        let body: Range<Int>
        let isCandidate: Bool
    }

    /// Every `#if` of a file in order.
    private static func lists(_ file: SourceFile) -> [List] {
        file.tokens.indices.filter { file.tokens[$0].is("#if") }.map { index in
            let condition = ConditionRegions.condition(after: index, file.tokens, file.bytes)
            let start = index + 1 + condition.count
            var depth = 1
            var hasElse = false
            var end = start
            while end < file.tokens.count {
                switch file.tokens[end].text {
                case "#if": depth += 1
                case "#endif": depth -= 1
                case "#else", "#elseif": hasElse = hasElse || depth == 1
                default: break
                }
                if depth == 0 { break }
                end += 1
            }
            return List(
                endOfCondition: condition.last?.range.upperBound ?? file.tokens[index].range.upperBound,
                body: start..<end, isCandidate: !hasElse && depth == 0 && namesAllSystems(condition))
        }
    }

    /// Whether a condition is a plain list of Apple's systems, or of their frameworks for interfaces, with phones and
    /// computers among them.
    private static func namesAllSystems(_ condition: [SwiftToken]) -> Bool {
        var names: Set<String> = []
        var rest = condition[...]
        while rest.count >= 4 {
            let item = Array(rest.prefix(4))
            guard item[0].is("os") || item[0].is("canImport"), item[1].is("("), item[3].is(")") else {
                return false
            }
            names.insert(item[2].text)
            rest = rest.dropFirst(4)
            if rest.isEmpty { break }
            guard rest.count > 2, rest.prefix(2).allSatisfy({ $0.is("|") }) else { return false }
            rest = rest.dropFirst(2)
        }
        let frameworks: Set<String> = ["UIKit", "AppKit", "Cocoa", "WatchKit"]
        guard rest.isEmpty, names.isSubset(of: BuildCondition.systems.union(frameworks)) else { return false }
        let hasPhones = !names.isDisjoint(with: ["iOS", "UIKit"])
        let hasComputers = !names.isDisjoint(with: ["macOS", "OSX", "AppKit", "Cocoa"])
        // Two systems may be a choice; two frameworks are all that there are.
        return hasPhones && hasComputers && (names.count > 2 || !names.isDisjoint(with: frameworks))
    }
}
