// Models by name, in folders as programs have them.

import CoreData
import CoreDataTestSupport
import Testing

@Suite struct ModelSearchTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A folder with a model of one entity.
    private func bundle(
        _ name: String, _ entity: String, _ attribute: String, model: String = "Model.momd",
        className: String = ""
    ) throws -> URL {
        let url = folder.file(name)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        let described = NSEntityDescription()
        (described.name, described.managedObjectClassName) = (entity, className)
        let property = NSAttributeDescription()
        (property.name, property.attributeType) = (attribute, .stringAttributeType)
        described.properties = [property]
        let made = NSManagedObjectModel()
        made.entities = [described]
        try made.write(to: url.appendingPathComponent(model))
        return url
    }

    private func entities(_ search: ModelSearch) throws -> [String] {
        try search.model(named: "Model").get().entities.compactMap(\.name)
    }

    private func failure(_ search: ModelSearch) -> NSError? {
        if case .failure(let error) = search.model(named: "Model") { error } else { nil }
    }

    @Test func theProgramsOwnModelComesFirst() throws {
        let (own, package) = (try bundle("main", "Own", "a"), try bundle("P.resources", "Other", "a"))
        try expect(entities(ModelSearch(main: [own], packages: [package])), equals: ["Own"])
        try expect(entities(ModelSearch(main: [folder.file("none")], packages: [package])), equals: ["Other"])
    }

    @Test func theSameModelInTwoPackagesIsOne() throws {
        let packages = [
            try bundle("A.resources", "Car", "a"),
            try bundle("B.resources", "Car", "a", model: "Model.xcdatamodel"),
        ]
        try expect(entities(ModelSearch(main: [], packages: packages)), equals: ["Car"])
    }

    @Test func differentModelsOfOneNameAreAnError() throws {
        let first = try bundle("A.resources", "Car", "a", className: "A.Car")
        for other in [
            try bundle("B.resources", "Car", "b", className: "A.Car"), try bundle("C.resources", "Ship", "a"),
            try bundle("D.resources", "Car", "a", className: "D.Car"),
        ] {
            let error = try #require(failure(ModelSearch(main: [], packages: [first, other])))
            expect(error.localizedDescription, equals: "There are several models named \"Model\".")
            expect(error.localizedFailureReason?.contains(other.path), equals: true)
        }
    }

    @Test func whatIsMissingOrBrokenIsAnError() throws {
        expect(
            failure(ModelSearch(main: [], packages: [folder.url]))?.code, equals: NSFileReadNoSuchFileError)
        let broken = folder.file("Broken.resources")
        try FileManager.default.createDirectory(at: broken, withIntermediateDirectories: true)
        try Data("no model".utf8).write(to: broken.appendingPathComponent("Model.mom"))
        #expect(failure(ModelSearch(main: [], packages: [broken])) != nil)
    }
}
