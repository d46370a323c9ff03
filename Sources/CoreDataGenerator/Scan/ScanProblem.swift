// The reason why sources can't be scanned or their declarations can't be supplied.

/// A problem in a source file or with reading it. Printed as compilers print theirs, so that a build shows it.
package struct ScanProblem: Error, Hashable, CustomStringConvertible {
    package let path: String
    package let line: Int?
    package let reason: String

    package init(path: String, line: Int? = nil, reason: String) {
        self.path = path
        self.line = line
        self.reason = reason
    }

    package init(_ place: SourcePlace, reason: String) {
        self.init(path: place.path, line: place.line, reason: reason)
    }

    package var description: String {
        line.map { "\(path):\($0): error: \(reason)" } ?? "\(path): error: \(reason)"
    }
}
