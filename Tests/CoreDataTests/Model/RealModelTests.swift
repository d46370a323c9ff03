// Every real model through the classes and back.

import CoreData
import CoreDataFiles
import CoreDataSchema
import CoreDataTestSupport
import Testing

@Suite(.enabled(if: SharedFiles.arePresent, Comment(rawValue: SharedFiles.absence)))
struct RealModelTests {
    @Test(arguments: SharedFiles.paths(under: "", suffix: ".mom"))
    func aCompiledModelSurvivesTheClasses(path: String) throws {
        let url = try SharedFiles.url(path)
        let schema = try CompiledModelReader.read(try Data(contentsOf: url), from: url.lastPathComponent)
        #expect(ModelSoundness.flaw(in: schema) == nil)
        let model = NSManagedObjectModel(schema: schema)
        #expect(model.schema == schema)
        #expect((model.copy() as? NSManagedObjectModel)?.schema == schema)
        model.freeze()
        #expect(model.schema == schema)
    }
}
