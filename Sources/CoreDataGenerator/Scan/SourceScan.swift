// The declarations of a module's sources, as the compiler's own parser sees them.

package import Foundation

/// The declarations of one module's sources.
package struct SourceScan: Sendable {
    package let moduleName: String
    package let files: [ScannedFile]

    /// Scans sources. Code that `#if` leaves out under these conditions isn't seen; `modules` are those beside the
    /// toolchain's that the sources can import. Throws a problem when the compiler can't be run or a file can't be read.
    package init(
        files: [URL], moduleName: String, conditions: [String] = [], modules: Set<String> = [],
        swiftc: String = "swiftc"
    ) throws(ScanProblem) {
        var sources: [SourceText] = []
        for file in files {
            guard let data = try? Data(contentsOf: file) else {
                throw ScanProblem(path: file.path, reason: "can't be read")
            }
            sources.append(SourceText(path: file.path, bytes: Array(data)))
        }
        let dump = ParserDump(
            swiftc: swiftc, moduleName: moduleName, conditions: conditions,
            modules: modules.union(["CoreData"]))
        let trees = try dump.trees(of: sources)
        self.init(
            moduleName: moduleName, files: zip(sources, trees).map { DumpReader(source: $0).file($1) })
    }

    package init(moduleName: String, files: [ScannedFile]) {
        self.moduleName = moduleName
        self.files = files
    }
}
