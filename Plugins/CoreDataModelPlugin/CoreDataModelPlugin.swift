// Makes a compiled model in the target's bundle of every model in the target's folder.

import Foundation
import PackagePlugin

@main
struct CoreDataModelPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let target = target as? any SourceModuleTarget else { return [] }
        let tool = try context.tool(named: "coredata-model-tool").url
        return ModelFolder.models(in: target.directoryURL).map { model in
            let name = model.url.deletingPathExtension().lastPathComponent
            let output = context.pluginWorkDirectoryURL.appending(path: name + ".momd")
            return .buildCommand(
                displayName: "Compiling \(model.url.lastPathComponent)", executable: tool,
                arguments: [
                    "compile", model.url.path, "--module", target.moduleName, "--output", output.path,
                ],
                inputFiles: model.files, outputFiles: [output])
        }
    }
}
