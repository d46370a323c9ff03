// The facts that porting takes from a package's manifest.

import Foundation
import SourcePort
import Testing

@Suite struct PortManifestTests {
    /// Files of a package as porting all of it leaves those that change, by their paths, and what it remarks.
    private func ported(_ files: [String: String]) throws -> (files: [String: String], remarks: [String]) {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (path, text) in files {
            let url = folder.appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url)
        }
        let results = try SourcePort.results(at: [folder])
        let texts = results.map { (String($0.url.path.dropFirst(folder.path.count + 1)), $0.new) }
        return (Dictionary(uniqueKeysWithValues: texts), results.flatMap(\.remarks).map(\.text))
    }

    private let logging = "import Foundation\nimport os\nlet log = OSLog.default\n"
    private let model = "private class A: NSManagedObject { @NSManaged var x: Int }\n"

    @Test func targetsAreInTheFoldersThatTheManifestNames() throws {
        let manifest = """
            x(targets: [
                .target(
                    name: "App", dependencies: [.product(name: "AppleShims", package: "x", condition: .when(path: "Checks"))],
                    path: "Sources"),
                .testTarget(name: "AppTests", dependencies: ["App"], path: "Checks"),
            ])
            """
        let files = [
            "Package.swift": manifest, "Sources/A.swift": logging, "Sources/Inner/B.swift": model,
            "Checks/A.swift": logging, "Checks/B.swift": "extension A {\n    override func didSave() {}\n}\n",
        ]
        let result = try ported(files)
        #expect(
            Set(result.files.keys) == [
                "Sources/A.swift", "Sources/Inner/B.swift", "Checks/A.swift", "Checks/B.swift",
            ])
        // The product is there for the first, and the second doesn't see the class.
        #expect(result.remarks.count == 2)
        #expect(result.remarks.filter { $0.contains("comes from AppleShims") }.count == 1)
    }

    @Test func filesOfATargetWithAPathHaveItsBundle() throws {
        let text = "class Mine {\n    let url = Bundle(for: Mine.self).url\n}\n"
        let result = try ported([
            "Package.swift":
                "x(targets: [.target(name: \"App\", path: \"Code\", resources: [.copy(\"A\")])])",
            "Code/A.swift": text,
        ])
        #expect(result.files["Code/A.swift"] == "class Mine {\n    let url = Bundle.module.url\n}\n")
    }
}
