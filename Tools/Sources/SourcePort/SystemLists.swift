// `#if os(iOS) || os(macOS) || os(tvOS)` and `#if canImport(UIKit) || canImport(AppKit)` around code that has nothing of
// a user interface: such lists mean every system that their author knew, and off Apple's systems the code is missing.
// Likewise `#if canImport(Combine)` in a target that has the product CombineShims.

/// Adds Linux to lists of all of Apple's systems, and modules that take the place of Apple's to conditions on those, where the
/// code between needs none of their frameworks.
struct SystemLists {
    /// A condition with a list, by its number among those of its file.
    private struct Region: Hashable {
        let file: Int
        let number: Int
    }

    private let files: [SourceFile]
    /// Modules of Apple's that a product of the target takes the place of.
    private let replaced: Set<String>
    private var open: Set<Region> = []

    /// The files with such conditions changed.
    static func opened(_ files: [SourceFile], besides replaced: Set<String>) -> [SourceFile] {
        var lists = SystemLists(files, replaced: replaced)
        while lists.closeOne() {}
        return lists.applied
    }

    private init(_ files: [SourceFile], replaced: Set<String>) {
        self.files = files
        self.replaced = replaced
        for (number, file) in files.enumerated() {
            for (list, region) in lists(file).enumerated() where !region.edits.isEmpty {
                open.insert(Region(file: number, number: list))
            }
        }
    }

    private var applied: [SourceFile] {
        files.enumerated().map { number, file in
            var findings = Findings()
            for (list, region) in lists(file).enumerated()
            where open.contains(Region(file: number, number: list)) {
                for edit in region.edits { findings.replace(edit.place..<edit.place, with: edit.text) }
            }
            return file.applying(findings)
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
            return lists(file)[region.number].body.contains { index in
                guard !file.isForApple[index] else { return false }
                let token = file.tokens[index]
                if token.is("import"), let module = file.token(index + 1)?.text {
                    return AppleModules.names.contains(module) && !replaced.contains(module)
                }
                return token.kind == .identifier && !visible.contains(token.text)
                    && (hidden.contains(token.text) || AppleInterface.has(token.text, besides: replaced))
            }
        }
        open.subtract(closed)
        return !closed.isEmpty
    }

    // MARK: Conditions

    private struct List {
        /// Offsets, and what is inserted there to open the condition; none if it stays as it is.
        let edits: [(place: Int, text: String)]
        /// The tokens that the condition itself decides about.
        let body: Range<Int>
    }

    /// Every `#if` of a file in order.
    private func lists(_ file: SourceFile) -> [List] {
        file.tokens.indices.filter { file.tokens[$0].is("#if") }.map { index in
            let branches = ConditionBranches(file, at: index)
            guard branches.isClosed, let first = branches.branches.first else {
                return List(edits: [], body: index..<index)
            }
            if let branch = branches.commonBranch, let last = branch.condition.last {
                return List(edits: [(last.range.upperBound, " || os(Linux)")], body: branch.body)
            }
            // All branches: one for other systems may have the module that another name stands for.
            let all = first.body.lowerBound..<branches.end
            var edits = substitutions(first.condition, of: file.tokens[all])
            let isAlone = branches.branches.count == 1 && !branches.hasElse
            if isAlone, Self.namesAllSystems(first.condition), let last = first.condition.last {
                edits.append((last.range.upperBound, " || os(Linux)"))
            }
            return List(edits: edits, body: first.body)
        }
    }

    /// `canImport(Combine) || canImport(CombineShims)`, in parentheses where more stands beside it.
    private func substitutions(
        _ condition: [SwiftToken], of body: ArraySlice<SwiftToken>
    ) -> [(place: Int, text: String)] {
        // An import that was ported already has the other module in its `#else`.
        func isPorted(_ substitute: String) -> Bool {
            condition.contains { $0.is(substitute) }
                || zip(body, body.dropFirst()).contains { $0.is("import") && $1.is(substitute) }
        }
        // A condition that needs another module of Apple's besides stays.
        let isElsewhere = condition.map { token in
            guard let substitute = ShimRule.substitutes[token.text] else { return token }
            return SwiftToken(kind: token.kind, text: substitute, range: token.range)
        }
        guard BuildCondition.value(isElsewhere) != false else { return [] }
        return condition.indices.flatMap { index -> [(place: Int, text: String)] in
            let call = condition[index...].prefix(4)
            guard call.count == 4, call.first?.is("canImport") == true,
                index == 0 || !condition[index - 1].is("!"),
                let last = call.last, let first = call.first,
                case let module = condition[index + 2].text, replaced.contains(module),
                let substitute = ShimRule.substitutes[module], !isPorted(substitute)
            else { return [] }
            let text = " || canImport(\(substitute))"
            return condition.count == 4
                ? [(last.range.upperBound, text)]
                : [(first.range.lowerBound, "("), (last.range.upperBound, text + ")")]
        }
    }

    /// Returns whether a condition is a plain list of Apple's systems, or of their frameworks for interfaces,
    /// with phones and computers among them.
    private static func namesAllSystems(_ condition: [SwiftToken]) -> Bool {
        let frameworks: Set<String> = ["UIKit", "AppKit", "Cocoa", "WatchKit"]
        guard let names = ConditionBranches.names(condition, of: ["os", "canImport"]),
            names.isSubset(of: BuildCondition.systems.union(frameworks))
        else { return false }
        // Two systems may be a choice; two frameworks are all that there are.
        return ConditionBranches.hasPhonesAndComputers(names)
            && (names.count > 2 || !names.isDisjoint(with: frameworks))
    }
}
