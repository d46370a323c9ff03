// The declarations of other modules of Apple's systems, and Foundation there, that this library's
// product AppleShims offers.

/// Imports AppleShims where a file uses something of it.
struct ShimRule {
    /// The products that the target's manifest gives it.
    var products: Set<String> = []

    /// Modules whose names AppleShims declares in part.
    static let modules: Set<String> = ["os", "OSLog"]

    /// Modules of ours that have the whole of one of Apple's.
    static let substitutes = ["Combine": "CombineShims"]

    /// Names that only these modules have.
    private static let namesOfModules: Set<String> = [
        "Logger", "OSLog", "OSLogType", "os_log", "OSSignposter", "OSSignpostID", "os_unfair_lock",
        "os_unfair_lock_s", "os_unfair_lock_t", "os_unfair_lock_lock", "OSAllocatedUnfairLock",
        "os_signpost", "OSSignpostType",
    ]
    /// Types and constants of Foundation and the C library.
    private static let types: Set<String> = [
        "NSException", "NSHashTable", "NSMapTable", "NSPointerArray", "NSPointerFunctions",
        "objc_AssociationPolicy", "MAXFLOAT",
    ]
    /// Functions of Foundation and the Objective-C runtime.
    static let functions: Set<String> = [
        "autoreleasepool", "CFAbsoluteTimeGetCurrent", "objc_sync_enter", "objc_sync_exit",
        "objc_getAssociatedObject", "objc_setAssociatedObject", "objc_removeAssociatedObjects",
        "object_getClass", "class_getSuperclass",
    ]
    /// Members of Foundation's types, with what follows their names.
    private static let members = [
        ["notifications", "(", "named", ":"], ["String", "(", "localized", ":"],
        ["UserDefaults", ".", "standard", ".", "value", "("],
        ["UserDefaults", ".", "standard", ".", "setValue", "("],
        ["urls", "(", "forResourcesWithExtension", ":"],
        ["containerURL", "(", "forSecurityApplicationGroupIdentifier", ":"], ["beginActivity", "("],
        ["performActivity", "("], ["performExpiringActivity", "("], ["unarchivedArrayOfObjects", "("],
        ["unarchivedDictionary", "("],
        [".", "superclass", "(", ")"], [".", "isSubclass", "(", "of", ":"],
        ["responds", "(", "to", ":", "Selector", "("],
        ["responds", "(", "to", ":", "NSSelectorFromString", "("],
        ["instancesRespond", "(", "to", ":", "Selector", "("],
        ["instancesRespond", "(", "to", ":", "NSSelectorFromString", "("],
        ["move", "(", "fromOffsets", ":"], ["remove", "(", "atOffsets", ":"], ["ObjectiveC", "."],
    ]

    func apply(to file: SourceFile, _ findings: inout Findings) {
        let imports = file.tokens.indices.filter { file.tokens[$0].is("import") && !file.isForApple[$0] }
        let imported = Set(imports.compactMap { file.token($0 + 1)?.text })
        guard !imported.contains("AppleShims"), let last = imports.last,
            let use = use(file, imported: imported)
        else {
            return
        }
        let end = file.endOfCondition(after: last)
        findings.replace(end..<end, with: "\n#if !canImport(ObjectiveC)\nimport AppleShims\n#endif")
        if products.contains("AppleShims") { return }
        findings.remark(
            file, offset: file.tokens[use].range.lowerBound,
            text:
                "\"\(file.tokens[use].text)\" comes from AppleShims off Apple's systems: add that product to the target's "
                + "dependencies")
    }

    /// The first token that needs AppleShims.
    private func use(_ file: SourceFile, imported: Set<String>) -> Int? {
        let hasModule = !imported.isDisjoint(with: Self.modules)
        return file.tokens.indices.first { index in
            guard !file.isForApple[index] else { return false }
            let token = file.tokens[index]
            if token.is("NSLog"), logsObjects(file, index: index) { return true }
            if file.token(index - 1)?.is(".") != true {
                if hasModule, Self.namesOfModules.contains(token.text) { return true }
                if Self.types.contains(token.text) { return file.token(index - 1)?.is("class") != true }
                let next = file.token(index + 1)
                if Self.functions.contains(token.text), next?.is("(") == true || next?.is("{") == true {
                    return file.token(index - 1)?.is("func") != true
                }
            }
            return Self.members.contains { file.matches($0, at: index) }
                && !["func", "import"].contains(file.token(index - 1)?.text ?? "")
        }
    }

    /// `NSLog("%@", error)`, `NSLog("%@", error as NSError)`
    private func logsObjects(_ file: SourceFile, index: Int) -> Bool {
        guard file.token(index + 1)?.is("(") == true, let close = file.closing(index + 1) else {
            return false
        }
        return file.arguments(open: index + 1, close: close).dropFirst().contains { argument in
            let last = file.tokens[argument.upperBound - 1].text
            return argument.count == 1 && last.lowercased().hasSuffix("error") || last == "NSError"
        }
    }
}
