// Asking the person at the keyboard.

import StoreTools

/// Returns whether the answer to a question is yes. Throws the refusal where nobody can be asked.
func confirms(_ question: String, otherwise refusal: String) throws -> Bool {
    guard Terminal.isInput else { throw ToolFailure(refusal) }
    print("\(question) [y/N] ", terminator: "")
    return ["y", "yes"].contains((readLine() ?? "").lowercased())
}
