// Tells whether two paths lead to one file.

import Foundation

/// The identity of a file, whatever its names are.
package struct FileNumber: Hashable, Sendable {
    private let device: UInt64
    private let inode: UInt64

    /// `nil` if there is no file at the path.
    package init?(path: String) {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return nil }
        self.init(facts)
    }

    /// A text that names the file among all others. Written out, as Swift's own text of a value looks through its type.
    package var name: String { "\(device)/\(inode)" }

    init(_ facts: stat) {
        device = UInt64(facts.st_dev)
        inode = UInt64(facts.st_ino)
    }
}
