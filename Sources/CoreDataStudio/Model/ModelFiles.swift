// The places of a source model's parts on disk.

import CoreDataFiles
import CoreDataSupport
package import Foundation

/// The files of an `.xcdatamodeld` or `.xcdatamodel`.
package struct ModelFiles: Sendable {
    package let url: URL
    private static let sizeLimit = 64 << 20

    package init(_ url: URL) {
        self.url = url
    }

    private var isBundle: Bool { url.pathExtension == "xcdatamodeld" }

    /// Indicates whether all versions are in the form that can be edited.
    package var isXML: Bool {
        guard ["xcdatamodeld", "xcdatamodel"].contains(url.pathExtension),
            let names = try? versionNames(), !names.isEmpty
        else { return false }
        return names.allSatisfy { FileManager.default.fileExists(atPath: contents(of: $0).path) }
    }

    /// The reason why a file that isn't XML can't be edited.
    package var obstacle: String {
        switch url.pathExtension {
        case "mom", "momd":
            "A compiled model can't be edited: open the .xcdatamodeld that it was made of."
        case "xcdatamodel", "xcdatamodeld":
            "A version is in the form of Xcode 3, which can be read only: `coredata model \(url.lastPathComponent) "
                + "--write New.xcdatamodeld` makes a model that can be edited."
        default: "Only .xcdatamodeld and .xcdatamodel can be edited."
        }
    }

    package func versionNames() throws -> [String] {
        let own = url.deletingPathExtension().lastPathComponent
        guard isBundle else { return [own] }
        return try FileManager.default.contentsOfDirectory(atPath: url.path)
            .filter { $0.hasSuffix(".xcdatamodel") }.map { String($0.dropLast(".xcdatamodel".count)) }
            .sorted()
    }

    package func folder(of version: String) -> URL {
        isBundle ? url.appendingPathComponent(version + ".xcdatamodel") : url
    }

    package func contents(of version: String) -> URL {
        folder(of: version).appendingPathComponent("contents")
    }

    package var currentFile: URL { url.appendingPathComponent(".xccurrentversion") }

    func read(_ version: String) throws -> Data {
        let file = contents(of: version)
        let facts = try FileManager.default.attributesOfItem(atPath: file.path)
        guard facts[.type] as? FileAttributeType == .typeRegular,
            let size = facts[.size] as? NSNumber, size.intValue <= Self.sizeLimit
        else { throw ArchiveFailure("it is no ordinary file, or too large for a model") }
        return try Data(contentsOf: file)
    }

    func currentName() throws -> String {
        isBundle ? try SourceModelBundle.currentName(of: url) : url.deletingPathExtension().lastPathComponent
    }

    // MARK: Writing

    func write(_ data: Data, as version: String) throws {
        try FileManager.default.createDirectory(at: folder(of: version), withIntermediateDirectories: true)
        try data.write(to: contents(of: version), options: .atomic)
    }

    /// `.xccurrentversion`, as Xcode lays it out.
    static func currentText(_ version: String) -> Data {
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            <dict>
            \t<key>_XCCurrentVersionName</key>
            \t<string>\(XMLText.escaped(version)).xcdatamodel</string>
            </dict>
            </plist>

            """
        return Data(text.utf8)
    }
}
