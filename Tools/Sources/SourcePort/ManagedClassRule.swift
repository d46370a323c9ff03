// Accessors of `@NSManaged` properties come from a file of the build plugin's, which can't see what is private.

/// Makes private classes with managed properties visible to the other files of the target.
struct ManagedClassRule {
    /// The number of classes of each name in the target.
    let classCounts: [String: Int]

    func apply(to file: SourceFile, _ findings: inout Findings) {
        for index in file.tokens.indices where file.matches(["class", "_"], at: index) {
            guard !file.isForApple[index], let modifier = modifier(file, before: index),
                let open = file.tokens[index...].firstIndex(where: { $0.is("{") }),
                let close = file.closing(open), isManaged(file, body: open..<close)
            else { continue }
            let name = file.tokens[index + 1].text
            let range = file.tokens[modifier].range
            if classCounts[name, default: 1] > 1 {
                findings.remark(
                    file, offset: range.lowerBound,
                    text:
                        "the accessors of \(name) can't be made while it is private; another class has its name"
                )
            } else {
                findings.replace(
                    range.lowerBound..<file.tokens[modifier + 1].range.lowerBound, with: "")
            }
        }
    }

    /// `private` or `fileprivate` among the words before `class`.
    private func modifier(_ file: SourceFile, before index: Int) -> Int? {
        for position in [index - 1, index - 2] {
            guard let token = file.token(position) else { return nil }
            if token.is("private") || token.is("fileprivate") { return position }
            if !token.is("final") { return nil }
        }
        return nil
    }

    private func isManaged(_ file: SourceFile, body: Range<Int>) -> Bool {
        var depth = 0
        for index in body {
            switch file.tokens[index].text {
            case "{": depth += 1
            case "}": depth -= 1
            case "@" where depth == 1 && file.token(index + 1)?.is("NSManaged") == true: return true
            default: break
            }
        }
        return false
    }
}
