// A check that a file is still the one that was read.

package import Foundation

/// The state of a file that was read: changes with every replacement and every write.
package struct FileStamp: Equatable, Sendable {
    private let file: FileNumber
    private let size: Int64
    private let seconds: Int
    private let nanoseconds: Int

    /// `nil` if there is no file, or an empty one where only those with bytes count.
    package init?(path: String, isEmptyToo: Bool = false) {
        var facts = stat()
        guard stat(path, &facts) == 0, isEmptyToo || facts.st_size > 0 else { return nil }
        file = FileNumber(facts)
        size = Int64(facts.st_size)
        seconds = Int(facts.st_mtim.tv_sec)
        nanoseconds = Int(facts.st_mtim.tv_nsec)
    }

    package init?(_ url: URL) { self.init(path: url.path) }
}
