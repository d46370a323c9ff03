// The tool that the build plugin runs.
//
//   coredata-model-tool compile MODEL --module NAME --output FILE.momd|FILE.mom …
//   coredata-model-tool compile-mapping MAPPING --output FILE.cdm
//   coredata-model-tool generate MODEL… --module NAME --output FOLDER …
//
// `compile` and `generate` take [--source FILE]… [--define CONDITION]… [--options FILE.json], which say what else is in
// the target, and `generate` takes [--dependency MODULE=FILE]…: the sources of modules that the target imports.

import CoreDataGenerator
import Foundation

do {
    try ToolRun(arguments: Array(CommandLine.arguments.dropFirst())).run()
} catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(1)
}
