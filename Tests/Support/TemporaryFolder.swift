// A folder that goes away with the test.

package import Foundation

/// A fresh folder, removed when the value is released.
package final class TemporaryFolder: Sendable {
    package let url: URL

    package init() throws {
        Self.sweep
        url = Self.parent.appendingPathComponent("\(Self.prefix)\(getpid())-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    // MARK: Folders of processes that were ended

    private static let parent = FileManager.default.temporaryDirectory
    private static let prefix = "coredata-test-"

    /// Has folders removed when the process ends that exit tests left: their processes are stopped before they can do it.
    private static let sweep: Void = {
        atexit { TemporaryFolder.removeThoseOfEndedProcesses() }
    }()

    private static func removeThoseOfEndedProcesses() {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? []
        where name.hasPrefix(prefix) {
            guard
                let process = name.dropFirst(prefix.count).split(separator: "-").first.flatMap({ Int32($0) }),
                kill(process, 0) != 0, errno == ESRCH
            else { continue }
            try? FileManager.default.removeItem(at: parent.appendingPathComponent(name))
        }
    }

    package func file(_ name: String) -> URL { url.appendingPathComponent(name) }

    /// Copies a store with its `-wal` and `-shm`, if they exist, and returns the copy's main file.
    package func copy(ofStore store: URL) throws -> URL {
        let target = file(store.lastPathComponent)
        for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: store.path + suffix) {
            try FileManager.default.copyItem(atPath: store.path + suffix, toPath: target.path + suffix)
        }
        return target
    }
}
