// What the build plugin runs.
//
//   coredata-model-tool compile MODEL --module NAME --output FILE.momd

import CoreDataGenerator
import Foundation

do {
    try ToolRun(arguments: Array(CommandLine.arguments.dropFirst())).run()
} catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(1)
}
