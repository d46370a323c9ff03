// `controller as? NSFetchedResultsController<Person>` in a delegate: Swift's generic classes aren't each other's kind, so that
// the cast of one to another is nil, although the delegate is given the very controller that was made.

/// Casts controllers as objects, whose class the running program asks.
struct ResultsControllerRule {
    func apply(to file: SourceFile, _ findings: inout Findings) {
        for index in file.tokens.indices where file.tokens[index].is("NSFetchedResultsController") {
            let sign = file.token(index - 1)
            guard !file.isForApple[index], sign?.is("?") == true || sign?.is("!") == true,
                file.token(index - 2)?.is("as") == true, file.matches(["<", "_"], at: index + 1),
                file.isOperand(before: index - 2), !file.matches(["AnyObject"], at: index - 3)
            else { continue }
            if file.token(index + 2)?.is("NSFetchRequestResult") == true {
                findings.remark(
                    file, offset: file.tokens[index - 2].range.lowerBound,
                    text:
                        "off Apple's systems a controller of another type of results isn't one of any results"
                )
                continue
            }
            let place = file.tokens[index - 3].range.upperBound
            findings.replace(place..<place, with: " as AnyObject")
        }
    }
}
