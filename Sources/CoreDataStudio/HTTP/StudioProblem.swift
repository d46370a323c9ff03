// An error, in words for the person at the browser.

/// An error of a route with the status that it answers.
package struct StudioProblem: Error {
    package let status: Int
    package let message: String
    package let details: [String: String]

    package init(status: Int, _ message: String, details: [String: String] = [:]) {
        self.status = status
        self.message = message
        self.details = details
    }
}

extension StudioProblem {
    /// As many names of objects as one request may have: what is beyond isn't left out without a word.
    static func bounded(_ names: [String]) throws(StudioProblem) -> [String] {
        if names.count <= 500 { return names }
        throw StudioProblem(status: 413, "\(names.count) objects are too many at once: choose up to 500.")
    }
}
