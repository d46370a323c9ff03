// A file system of a few megabytes, in memory, for as long as a test needs it.

import Foundation

/// Mounted at a folder of its own.
package final class SmallDisk: Sendable {
    package let folder: String

    /// Indicates whether this process may mount one.
    package static let isAvailable = (try? SmallDisk(megabytes: 1)) != nil

    package init(megabytes: Int) throws {
        var template = Array("/tmp/coredata-disk-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw CocoaError(.fileWriteUnknown) }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let isMounted =
            "size=\(megabytes)m,mode=0777".withCString { mount("tmpfs", folder, "tmpfs", 0, $0) } == 0
        if !isMounted {
            rmdir(folder)
            throw CocoaError(.fileWriteNoPermission)
        }
    }

    deinit {
        umount2(folder, Int32(MNT_DETACH))
        rmdir(folder)
    }

    private var ballast: String { folder + "/ballast" }

    /// Takes the room but for so many bytes.
    package func fill(leaving rest: Int) throws {
        var space = statvfs()
        guard statvfs(folder, &space) == 0 else { throw CocoaError(.fileReadUnknown) }
        let free = Int(space.f_bavail) * Int(space.f_bsize)
        guard FileManager.default.createFile(atPath: ballast, contents: nil),
            let file = FileHandle(forWritingAtPath: ballast)
        else { throw CocoaError(.fileWriteUnknown) }
        defer { try? file.close() }
        let block = Data(count: 1 << 20)
        for _ in 0..<max(0, (free - rest) >> 20) { try file.write(contentsOf: block) }
    }

    /// Gives the room back, also where a process that another test starts has inherited the file.
    package func free() {
        truncate(ballast, 0)
        unlink(ballast)
    }
}
