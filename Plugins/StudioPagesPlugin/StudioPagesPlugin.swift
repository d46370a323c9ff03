// Compiles the studio's pages into it, so that what serves them is one binary.

import Foundation
import PackagePlugin

@main
struct StudioPagesPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let folder = target.directoryURL.appending(path: "Pages")
        let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedPages.swift")
        let files = Self.files(in: folder)
        return [
            .buildCommand(
                displayName: "Embedding \(files.count) pages",
                executable: try context.tool(named: "studio-pages-tool").url,
                arguments: [output.path, folder.path] + files.map(\.path), inputFiles: files,
                outputFiles: [output])
        ]
    }

    private static func files(in folder: URL) -> [URL] {
        let walk = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        let found = (walk?.allObjects ?? []).compactMap { $0 as? URL }
        // The folder has what checks scripts, too, which no browser asks for.
        return found.filter { ["html", "css", "js", "svg"].contains($0.pathExtension) }.sorted {
            $0.path < $1.path
        }
    }
}
