// `Person.fetchRequest() as! NSFetchRequest<Person>` traps off Apple's systems, where generic classes can't be cast to
// others of their kind.

/// Makes the typed request instead of casting one.
struct FetchRequestRule {
    /// The entity of each class, from the models beside the sources.
    let entityNames: [String: String]

    func apply(to file: SourceFile, _ findings: inout Findings) {
        for index in file.tokens.indices where file.matches(["as", "!", "NSFetchRequest", "<"], at: index) {
            guard !file.isForApple[index], !isCopy(file, index: index) else { continue }
            if !replaceCast(file, index: index, findings: &findings),
                !replaceByCall(file, index: index, findings: &findings)
            {
                findings.remark(
                    file, offset: file.tokens[index].range.lowerBound,
                    text:
                        "this cast traps off Apple's systems: make the request with NSFetchRequest<…>(entityName:), or "
                        + "keep its type where it comes from")
            }
        }
        for index in file.tokens.indices where file.matches(["as", "?", "NSFetchRequest", "<"], at: index) {
            guard !file.isForApple[index], !isCopy(file, index: index),
                !replaceTest(file, index: index, findings: &findings)
            else {
                continue
            }
            findings.remark(
                file, offset: file.tokens[index].range.lowerBound,
                text: "this cast gives nil off Apple's systems, unless the request was made with that type")
        }
        for index in file.tokens.indices where file.matches(["NSFetchRequest", "<"], at: index) {
            guard !file.isForApple[index], isPattern(file, before: index) else { continue }
            findings.remark(
                file, offset: file.tokens[index].range.lowerBound,
                text: "off Apple's systems only a request that was made with that type matches")
        }
    }

    /// Indicates whether `case let request as` or `is` stands before a type.
    private func isPattern(_ file: SourceFile, before index: Int) -> Bool {
        file.token(index - 1)?.is("is") == true
            || file.token(index - 1)?.is("as") == true && file.token(index - 4)?.is("case") == true
    }

    /// A copy is of the type of its original: only its declared type is lost.
    private func isCopy(_ file: SourceFile, index: Int) -> Bool {
        file.matches(["copy", "(", ")"], at: index - 3)
            || file.matches(["mutableCopy", "(", ")"], at: index - 3)
    }

    /// `request as! NSFetchRequest<Person>` becomes `request.returning(Person.self)`, which `PortSupport` declares for
    /// Apple's systems.
    private func replaceByCall(_ file: SourceFile, index: Int, findings: inout Findings) -> Bool {
        guard let close = file.closingAngle(index + 3), file.isOperand(before: index) else {
            return false
        }
        findings.replace(
            file.tokens[index - 1].range.upperBound..<file.tokens[close].range.upperBound,
            with: ".returning(\(type(file, range: index + 4..<close)))")
        findings.support.insert(.requests)
        return true
    }

    /// `Person.self`
    private func type(_ file: SourceFile, range: Range<Int>) -> String {
        let type = file.text(ofTokens: range)
        let isComposed = !type.allSatisfy { $0.isLetter || $0.isNumber || $0 == "." || $0 == "_" }
        return "\(isComposed ? "(\(type))" : type).self"
    }

    /// `value as? NSFetchRequest<Person>`, which is true of every fetch request on Apple's systems, becomes
    /// `NSPersistentStoreRequest.fetchRequest(value, returning: Person.self)`.
    private func replaceTest(_ file: SourceFile, index: Int, findings: inout Findings) -> Bool {
        guard let close = file.closingAngle(index + 3), let start = file.operandStart(before: index) else {
            return false
        }
        let (from, to) = (file.tokens[start].range.lowerBound, file.tokens[index - 1].range.upperBound)
        findings.replace(from..<from, with: "NSPersistentStoreRequest.fetchRequest(")
        findings.replace(
            to..<file.tokens[close].range.upperBound,
            with: ", returning: \(type(file, range: index + 4..<close)))")
        findings.support.insert(.requests)
        return true
    }

    /// Indicates whether the file declares a type as a generic parameter with a condition: `<T: NSManagedObject>`, `where T: Base`.
    private func isParameter(_ file: SourceFile, type: String) -> Bool {
        let openings: Set<String> = ["<", ",", "where", "associatedtype"]
        return file.tokens.indices.contains { index in
            openings.contains(file.tokens[index].text) && file.matches([type, ":"], at: index + 1)
        }
    }

    private func replaceCast(_ file: SourceFile, index: Int, findings: inout Findings) -> Bool {
        guard file.matches(["_", ".", "fetchRequest", "(", ")"], at: index - 5),
            file.matches(["_", ">"], at: index + 4),
            let type = file.token(index + 4)?.text, file.tokens[index - 5].text == type,
            // Not the end of a longer name.
            file.token(index - 6)?.is(".") != true,
            // The entity of a generic parameter is its class's.
            type != "Self", !isParameter(file, type: type)
        else { return false }
        let entity = entityNames[type] ?? type
        findings.replace(
            file.tokens[index - 5].range.lowerBound..<file.tokens[index + 5].range.upperBound,
            with: "NSFetchRequest<\(type)>(entityName: \"\(entity)\")")
        return true
    }
}
