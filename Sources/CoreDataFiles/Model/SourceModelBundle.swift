// Versioned source models (.xcdatamodeld).

package import CoreDataSchema
import CoreDataSupport
package import Foundation

/// Reads and writes `.xcdatamodeld` folders. Throws `ModelFileError`.
package enum SourceModelBundle {
    private static let currentKey = "_XCCurrentVersionName"

    package static func read(_ url: URL) throws -> ModelSchema {
        try version(currentName(of: url), of: url)
    }

    package static func list(of url: URL) throws -> ModelVersionList {
        let current = try? currentName(of: url)
        return try ModelVersionList(
            ModelFile.names(in: url, withExtension: "xcdatamodel"), current: current
        ) { try version($0, of: url) }
    }

    /// Writes versions. Exactly one must be current.
    package static func write(_ versions: [ModelVersion], to url: URL) throws {
        guard let current = versions.first(where: \.isCurrent), versions.filter(\.isCurrent).count == 1 else {
            throw ModelFileError(file: url.path, reason: "exactly one version must be current")
        }
        for version in versions { try ModelFile.requireFileName(version.name, in: url) }
        try ModelFileError.locating(url.path) {
            let files = try versions.map { ($0.name, try ModelSourceWriter.laidOut($0.schema)) }
            try ModelFile.createFolder(url)
            for (name, contents) in files {
                let folder = url.appendingPathComponent(name + ".xcdatamodel")
                try ModelFile.createFolder(folder)
                try contents.write(to: folder.appendingPathComponent("contents"), options: .atomic)
            }
            let list = try versionList(current: current.name)
            try list.write(to: currentFile(of: url), options: .atomic)
        }
    }

    // MARK: Parts

    private static func version(_ name: String, of url: URL) throws -> ModelSchema {
        try ModelFile.readSource(url.appendingPathComponent(name + ".xcdatamodel"))
    }

    private static func currentFile(of url: URL) -> URL { url.appendingPathComponent(".xccurrentversion") }

    /// Returns whether a bundle has a file that says which version is current.
    package static func namesCurrent(_ url: URL) -> Bool {
        FileManager.default.fileExists(atPath: currentFile(of: url).path)
    }

    /// The name of the current version. If Xcode does not say it, it is the only one
    /// or the bundle's namesake.
    package static func currentName(of url: URL) throws -> String {
        let names = try ModelFile.names(in: url, withExtension: "xcdatamodel")
        let file = currentFile(of: url)
        var stated: String?
        if namesCurrent(url) {
            let list = try ModelFileError.locating(file.path) {
                try PropertyList.read(ModelFile.data(at: file))
            }
            stated = list[currentKey]?.string.map { ($0 as NSString).deletingPathExtension }
        }
        let own = url.deletingPathExtension().lastPathComponent
        guard let name = stated ?? (names.count == 1 ? names[0] : names.first { $0 == own }) else {
            throw ModelFileError(
                file: url.path,
                reason: names.isEmpty ? "there is no version inside" : "nothing says which version is current"
            )
        }
        guard let known = ModelFile.stored(name, among: names) else {
            throw ModelFileError(file: url.path, reason: "the current version \"\(name)\" is missing")
        }
        return known
    }

    private static func versionList(current: String) throws -> Data {
        let pair = [
            XMLTree("key", text: currentKey), XMLTree("string", text: current + ".xcdatamodel"),
        ]
        let type =
            "<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" "
            + "\"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">"
        return try XMLTreeWriter.data(
            for: XMLTree(
                "plist", attributes: [.init("version", value: "1.0")],
                children: [XMLTree("dict", children: pair)]),
            standalone: false, documentType: type)
    }
}
