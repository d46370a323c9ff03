// Classes for SwiftData of every real model: each parses, and no property is lost without a word.

import CoreDataFiles
import CoreDataGenerator
import CoreDataSchema
import CoreDataTestSupport
import Foundation
import Testing

@Suite(.enabled(if: SharedFiles.arePresent, "\(SharedFiles.absence)"))
struct RealModelClassesTests {
    private static let models =
        SharedFiles.paths(under: "models", suffix: ".xcdatamodeld").filter {
            // A model without a version, which is refused.
            !$0.hasSuffix("RestKitCoreData.xcdatamodeld")
        }
        + SharedFiles.paths(under: "models", suffix: ".xcdatamodel").filter { !$0.contains(".xcdatamodeld/") }

    @Test(arguments: models) func everyPropertyIsThereOrNamed(_ path: String) throws {
        let url = try SharedFiles.url(path)
        var options = GenerationOptions()
        options.isOneFile = true
        let code = try SwiftDataGenerator(SourceModel(contentsOf: url), options: options)
        let folder = try TemporaryFolder()
        let file = folder.file("Model.swift")
        let text = try #require(code.files.first).text
        try Data(text.utf8).write(to: file)
        let scan = try SourceScan(files: [file], moduleName: "Model")
        let classes = Dictionary(
            uniqueKeysWithValues: scan.files.flatMap(\.types).map {
                ($0.name, Set($0.members.properties.map(\.name)))
            })
        for entity in try ModelFile.read(url).entities {
            let declared = try #require(classes[entity.name], "\(entity.name) has no class")
            for property in entity.properties where !declared.contains(property.name) {
                #expect(code.warnings.contains { $0.entity == entity.name && $0.property == property.name })
            }
        }
    }
}
