// What went wrong, in words for the person at the browser.

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
