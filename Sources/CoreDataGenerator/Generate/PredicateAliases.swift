// Which class a target means by `NSExpression` and its kin, which Foundation declares as well off Apple's systems.

/// The typealiases that a target needs to name the predicate classes of this library.
///
/// Foundation on Linux has classes of the same names, of which most initialisers stop the process. Where a file imports
/// both modules, such a name is ambiguous; a typealias of the target's own comes before both. The build plugin adds those
/// that the target's sources ask for.
public struct PredicateAliases: Sendable, Hashable {
    /// The names, and the classes of this library that they mean.
    private static let classes = [
        ("NSComparisonPredicate", "NSComparisonPredicate"), ("NSCompoundPredicate", "CompoundPredicate"),
        ("NSExpression", "NSExpression"),
    ]

    /// The names that the sources use without declaring them, sorted.
    public private(set) var names: [String] = []
    /// Those of them that declarations for other modules use.
    public private(set) var publicNames: Set<String> = []

    /// Reads the Swift sources of one target. There is nothing to alias if none of them imports CoreData.
    public init(sources: [String]) {
        let all = Set(Self.classes.map(\.0))
        var uses: [AliasUse] = []
        for text in sources where all.contains(where: text.contains) || text.contains("CoreData") {
            uses.append(AliasUse(SourceText(path: "", text: text), names: all))
        }
        guard uses.contains(where: \.importsCoreData) else { return }
        let declared = uses.reduce(into: Set<String>()) { $0.formUnion($1.declared) }
        for use in uses {
            let missing = use.named.subtracting(declared).subtracting(use.declaredPrivately)
            names += missing.subtracting(names)
            publicNames.formUnion(use.publiclyNamed.intersection(missing))
        }
        names.sort()
    }

    /// A source file with the typealiases; nil if the target needs none.
    public var file: String? {
        if names.isEmpty { return nil }
        let access = publicNames.isEmpty ? "" : "public "
        return """
            // The predicate classes of CoreData: off Apple's systems Foundation has classes of the same names.

            #if !canImport(ObjectiveC)
            \(access)import CoreData

            \(declarations)
            #endif

            """
    }

    /// The typealiases alone, a line for each.
    var declarations: String {
        Self.classes.filter { names.contains($0.0) }.map { name, target in
            "\(publicNames.contains(name) ? "public " : "")typealias \(name) = CoreData.\(target)"
        }.joined(separator: "\n")
    }
}

/// How one source uses some names: read by its words, since it need not parse.
private struct AliasUse {
    private static let keywords: Set<String> = [
        "func", "var", "let", "init", "subscript", "typealias", "class", "struct", "enum", "extension",
        "protocol",
        "case", "actor", "associatedtype",
    ]
    private static let types: Set<String> = ["class", "struct", "enum", "protocol", "actor", "typealias"]

    private(set) var named: Set<String> = []
    private(set) var publiclyNamed: Set<String> = []
    /// Types and typealiases at the top level that the whole module sees.
    private(set) var declared: Set<String> = []
    /// Those that only the file sees.
    private(set) var declaredPrivately: Set<String> = []
    private(set) var importsCoreData = false

    init(_ source: SourceText, names: Set<String>) {
        readNames(source, names)
        // Without bodies, what is left are declarations.
        readDeclarations(SourceText(path: source.path, bytes: BodyBlanker.blanked(source)), names)
    }

    private mutating func readNames(_ source: SourceText, _ names: Set<String>) {
        var previous = ""
        source.forEachWord { word in
            if names.contains(word), previous != ".", !Self.types.contains(previous) { named.insert(word) }
            if word == "CoreData", previous == "import" { importsCoreData = true }
            previous = word
        }
    }

    private mutating func readDeclarations(_ source: SourceText, _ names: Set<String>) {
        var previous = ""
        var modifiers: Set<String> = []
        var isPublic = false
        var makesPublic = false
        /// For each open brace whether members without a modifier are public.
        var scopes: [Bool] = []
        source.forEachWord { word in
            switch word {
            case "public", "open", "private", "fileprivate": modifiers.insert(word)
            case "{":
                scopes.append(makesPublic)
                (isPublic, makesPublic, modifiers) = (false, false, [])
            case "}":
                _ = scopes.popLast()
                (isPublic, makesPublic, modifiers) = (false, false, [])
            case _ where Self.keywords.contains(word):
                let isStated = modifiers.contains("public") || modifiers.contains("open")
                isPublic = isStated || (modifiers.isEmpty && scopes.last == true)
                makesPublic = isPublic && (word == "extension" || word == "protocol")
            case _ where names.contains(word):
                if Self.types.contains(previous), scopes.isEmpty {
                    if modifiers.isDisjoint(with: ["private", "fileprivate"]) {
                        declared.insert(word)
                    } else {
                        declaredPrivately.insert(word)
                    }
                } else if isPublic, previous != "." {
                    publiclyNamed.insert(word)
                }
            default: break
            }
            if Self.keywords.contains(previous), !Self.keywords.contains(word) { modifiers = [] }
            previous = word
        }
    }
}

extension SourceText {
    /// Calls a function with each identifier and each other character, outside comments and strings.
    fileprivate func forEachWord(_ body: (String) -> Void) {
        var offset = 0
        while true {
            offset = skippingTrivia(offset)
            guard let byte = byte(offset) else { return }
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "#"), let end = endOfString(at: offset) {
                offset = max(end, offset + 1)
            } else if let (word, end) = identifier(at: offset) {
                body(word)
                offset = end
            } else {
                body(String(UnicodeScalar(byte)))
                offset += 1
            }
        }
    }
}
