// Makes a compiled model in the target's bundle of every model and mapping model in the target's folder, and the Swift
// sources that the models and hand-written classes ask for.

import Foundation
import PackagePlugin

@main
struct CoreDataModelPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let target = target as? SwiftSourceModuleTarget else { return [] }
        ManifestCheck(context.package).run(for: target)
        let files = target.sourceFiles.map(\.url)
        let step = TargetStep(
            tool: try context.tool(named: "coredata-model-tool").url, module: target.moduleName,
            folder: target.directoryURL, output: context.pluginWorkDirectoryURL,
            models: ModelFolder.models(in: target.directoryURL, of: files),
            mappings: ModelFolder.mappings(in: target.directoryURL, of: files),
            sources: target.sourceFiles(withSuffix: "swift").map(\.url),
            dependencies: dependencies(of: target), conditions: target.compilationConditions)
        return try step.commands
    }

    /// The modules that the target may name types of, but for the library's own, which the tool knows.
    private func dependencies(of target: SwiftSourceModuleTarget) -> [(module: String, file: URL)] {
        var found: [(module: String, file: URL)] = []
        for case let other as SwiftSourceModuleTarget in target.recursiveTargetDependencies
        where !other.moduleName.hasPrefix("CoreData") {
            found += other.sourceFiles(withSuffix: "swift").map { (other.moduleName, $0.url) }
        }
        return found
    }
}

#if canImport(XcodeProjectPlugin)
    import XcodeProjectPlugin

    extension CoreDataModelPlugin: XcodeBuildToolPlugin {
        /// Targets of Xcode projects: Xcode compiles the models itself and makes their classes, so there is nothing to do
        /// but to say so where a project asks for the plugin.
        func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command] {
            Diagnostics.remark(
                "\(target.displayName): Xcode compiles models and generates their classes; the plugin is for packages"
            )
            return []
        }
    }
#endif
