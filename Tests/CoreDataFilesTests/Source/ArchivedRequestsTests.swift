// Fetch requests in archived sources: wrapped in all the ways that keyed archives offer, and in those that can't be read.

import CoreDataFiles
import CoreDataPredicate
import CoreDataSchema
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct ArchivedRequestsTests {
    private let grownUp = PredicateTree.comparison(
        .init(.keyPath("age"), op: .greaterThan, right: .constant(.integer(17))))

    private func predicate(_ tree: PredicateTree, _ archive: KeyedArchiveWriter) throws -> PropertyList {
        try ArchivedPredicateWriter(archive).predicate(tree)
    }

    /// A request as compiled models have it, but for the entity.
    private func request(
        _ archive: KeyedArchiveWriter, predicate: PropertyList, entity: PropertyList = KeyedArchiveWriter.null
    ) -> PropertyList {
        let sorting = archive.object(
            ["NSSortDescriptor", "NSObject"],
            fields: [
                .init("NSKey", value: archive.string("age")), .init("NSAscending", value: .bool(true)),
                .init("NSSelector", value: archive.string("compare:")),
            ])
        return archive.object(
            ["NSFetchRequest", "NSPersistentStoreRequest", "NSObject"],
            fields: [
                .init("NSEntity", value: entity), .init("NSPredicate", value: predicate),
                .init("NSSortDescriptors", value: archive.array([sorting])),
                .init("NSFetchLimit", value: .integer(7)),
            ])
    }

    private func expected(_ name: String, entity: String = "Human") -> FetchTemplateSchema {
        var request = FetchRequestSchema(entityName: entity, predicate: grownUp)
        request.sortKeys = [SortKey("age")]
        request.fetchLimit = 7
        return FetchTemplateSchema(name: name, request: request)
    }

    private func templates(_ maker: ArchivedSourceMaker) throws -> [FetchTemplateSchema] {
        let model = try ArchivedSourceReader.read(maker.data(), from: "elements")
        expect(model.source?.remarks.map(\.description), equals: [])
        expect(model.entities.map(\.name), equals: ["Human"])
        return model.fetchTemplates
    }

    private func remarks(_ maker: ArchivedSourceMaker) throws -> [String] {
        let model = try ArchivedSourceReader.read(maker.data(), from: "elements")
        expect(model.fetchTemplates, equals: [])
        return model.source?.remarks.map(\.description) ?? []
    }

    // MARK: Wrapping

    @Test func aRequestInAnElementWithItsName() throws {
        var maker = ArchivedSourceMaker()
        let archived = try request(maker.archive, predicate: predicate(grownUp, maker.archive))
        let element = maker.element(
            "XDRequest", [.init("_name", value: maker.string("adults")), .init("_request", value: archived)])
        maker.requests = maker.archive.array([element], isMutable: true)
        try expect(templates(maker), equals: [expected("adults")])
    }

    @Test func requestsByNameInADictionary() throws {
        var maker = ArchivedSourceMaker()
        let archived = try request(maker.archive, predicate: predicate(grownUp, maker.archive))
        let plain = try predicate(grownUp, maker.archive)
        maker.requests = maker.archive.dictionary([
            (maker.string("adults"), archived), (maker.string("old"), plain),
        ])
        let old = FetchTemplateSchema(name: "old", request: .init(entityName: "Human", predicate: grownUp))
        try expect(templates(maker), equals: [expected("adults"), old])
    }

    /// An archive inside of data, under a root key of its own, of a request that names its entity and has its
    /// predicate as a format.
    @Test func aRequestArchivedInData() throws {
        let inner = KeyedArchiveWriter()
        let entity = inner.object(
            ["NSEntityDescription", "NSObject"],
            fields: [.init("NSEntityName", value: inner.string("Citizen"))])
        let archived = request(inner, predicate: inner.string("age > 17"), entity: entity)
        let list = try BinaryPropertyListReader.read(inner.data(root: archived))
        guard case .dictionary(let entries) = list else { throw ArchiveFailure("no dictionary") }
        let renamed = entries.map { entry in
            entry.key == "$top"
                ? .init("$top", value: .dictionary([.init("request", value: archived)])) : entry
        }
        var maker = ArchivedSourceMaker()
        let data = maker.archive.object(
            ["NSMutableData", "NSData", "NSObject"],
            fields: [.init("NS.data", value: .data(BinaryPropertyListWriter.data(for: .dictionary(renamed))))]
        )
        let element = maker.archive.dictionary([
            (maker.string("fetchRequestName"), maker.string("adults")), (maker.string("request"), data),
        ])
        maker.requests = maker.archive.array([element])
        try expect(templates(maker), equals: [expected("adults", entity: "Citizen")])
    }

    @Test func aRequestInTheFactsOfItsElement() throws {
        var maker = ArchivedSourceMaker()
        let facts = maker.stereotypes([
            ("XD_PFK_predicateString", maker.string("age > 17")), ("XD_PFK_fetchLimit", .integer(7)),
            ("XD_PFK_includeSubentities", .bool(false)),
        ])
        let element = maker.element(
            "XDElement",
            [
                .init("_name", value: maker.string("adults")),
                .init("XDBucketForStereotypesstorage", value: facts),
            ])
        maker.requests = maker.archive.array([element])
        var request = FetchRequestSchema(entityName: "Human", predicate: grownUp)
        request.fetchLimit = 7
        request.includesSubentities = false
        try expect(templates(maker), equals: [FetchTemplateSchema(name: "adults", request: request)])
    }

    @Test func requestsOfTheModelItself() throws {
        var maker = ArchivedSourceMaker()
        let archived = try request(
            maker.archive, predicate: predicate(grownUp, maker.archive), entity: maker.string("Human"))
        let byName = maker.archive.dictionary([(maker.string("adults"), archived)])
        maker.modelFields = [.init("_fetchRequestsByName", value: byName)]
        try expect(templates(maker), equals: [expected("adults")])
    }

    @Test func aTemplateIsWrittenAsSourceAndCompiled() throws {
        var maker = ArchivedSourceMaker()
        let element = try maker.element(
            "XDRequest",
            [
                .init("_name", value: maker.string("adults")),
                .init("_predicate", value: predicate(grownUp, maker.archive)),
            ])
        maker.requests = maker.archive.array([element])
        let model = try ArchivedSourceReader.read(maker.data(), from: "elements")
        expect(model.fetchTemplates.map(\.name), equals: ["adults"])
        let source = try ModelSourceReader.read(ModelSourceWriter.data(for: model), from: "contents")
        expect(source.fetchTemplates, equals: model.fetchTemplates)
        let compiled = try CompiledModelReader.read(CompiledModelWriter.data(for: model), from: "mom")
        expect(compiled.fetchTemplates, equals: model.fetchTemplates)
    }

    @Test func aMappingModelsSourceHasItsRequests() throws {
        var maker = ArchivedSourceMaker()
        let archived = try request(maker.archive, predicate: predicate(grownUp, maker.archive))
        maker.requests = maker.archive.dictionary([(maker.string("adults"), archived)])
        let data = maker.data().base64EncodedString()
        let document = """
            <database><object type="XDDEVMAPPINGMODEL" id="z1">
            <attribute name="sourcemodeldata" type="binary">\(data)</attribute>
            <attribute name="destinationmodeldata" type="binary">\(data)</attribute>
            </object></database>
            """
        let mapping = try MappingSourceReader.read(Data(document.utf8), from: "xcmapping.xml")
        expect(mapping.source.fetchTemplates, equals: [expected("adults")])
        expect(mapping.destination.fetchTemplates, equals: [expected("adults")])
    }

    // MARK: Fetched properties

    private func fetched(_ fields: [PropertyList.Entry], in maker: ArchivedSourceMaker) -> PropertyList {
        maker.archive.object(
            ["XDFetchedProperty", "NSObject"],
            fields: [.init("_name", value: maker.string("friends"))] + fields)
    }

    @Test func aFetchedPropertyIsRead() throws {
        var maker = ArchivedSourceMaker()
        let facts = try maker.stereotypes([
            ("XD_PFK_destination", maker.entity), ("XD_PFK_predicate", predicate(grownUp, maker.archive)),
            ("XD_PPSK_isOptional", .bool(true)), ("XD_PPSK_isTransient", .bool(false)),
        ])
        maker.properties = [
            ("friends", fetched([.init("XDBucketForStereotypesstorage", value: facts)], in: maker))
        ]
        let model = try ArchivedSourceReader.read(maker.data(), from: "elements")
        let property = try #require(model.entities.first?.properties.first)
        expect(property.kind, equals: .fetched(FetchRequestSchema(entityName: "Human", predicate: grownUp)))
        #expect(property.isTransient && property.isOptional)
        expect(model.source?.remarks.isEmpty, equals: true)
    }

    @Test func aFetchedPropertyThatCannotBeReadIsLeftOut() throws {
        var maker = ArchivedSourceMaker()
        let attribute = maker.attribute("age", [("XD_PAttK_attributeType", .integer(100))])
        maker.properties = [("age", attribute), ("friends", fetched([], in: maker))]
        let model = try ArchivedSourceReader.read(maker.data(), from: "elements")
        expect(model.entities.first?.properties.map(\.name), equals: ["age"])
        expect(
            model.source?.remarks.map(\.description),
            equals: [
                "Human.friends: the fetched property can't be read: XDFetchedProperty holds neither a request nor a "
                    + "predicate: it is left out"
            ])
    }

    /// A property with values that isn't known would be missing from rows, so it is refused.
    @Test func anotherUnknownPropertyIsRefused() throws {
        var maker = ArchivedSourceMaker()
        maker.properties = [
            ("future", maker.element("XDNewProperty", [.init("_name", value: maker.string("future"))]))
        ]
        let data = maker.data()
        let error = #expect(throws: ModelFileError.self) {
            try ArchivedSourceReader.read(data, from: "elements")
        }
        #expect(error?.entity == "Human" && error?.property == "future")
    }

    // MARK: Remarks

    @Test func whatCannotBeReadIsLeftOutWithAReason() throws {
        var maker = ArchivedSourceMaker()
        let name = PropertyList.Entry("_name", value: maker.string("odd"))
        let unknown = maker.archive.object(["NSFuturePredicate", "NSPredicate", "NSObject"], fields: [])
        maker.requests = try maker.archive.array([
            maker.element("XDRequest", [name]),
            maker.element("XDRequest", [name, .init("_predicateString", value: maker.string("age >"))]),
            maker.element("XDRequest", [name, .init("_predicate", value: unknown)]),
            predicate(grownUp, maker.archive),
            maker.string("text"),
        ])
        let remarks = try remarks(maker)
        expect(remarks.count, equals: 5)
        let reasons = [
            "XDRequest holds neither a request nor a predicate", "the predicate \"age >\" does not parse",
            "a predicate is of unknown class NSFuturePredicate", "it has no name", "it is no object",
        ]
        for (remark, reason) in zip(remarks, reasons) {
            #expect(remark.hasPrefix("Human: ") && remark.contains(reason), "\(remark)")
            #expect(remark.hasSuffix("it is left out"))
        }
    }

    @Test func theFirstOfTwoNamesakesIsTaken() throws {
        var maker = ArchivedSourceMaker()
        let elements = ["age > 17", "age > 18"].map { format in
            maker.element(
                "XDRequest",
                [
                    .init("_name", value: maker.string("adults")),
                    .init("_predicateString", value: maker.string(format)),
                ])
        }
        maker.requests = maker.archive.array(elements)
        let model = try ArchivedSourceReader.read(maker.data(), from: "elements")
        expect(model.fetchTemplates.map(\.request.predicate), equals: [grownUp])
        expect(
            model.source?.remarks.map(\.description),
            equals: [
                "Human: the fetch request \"adults\" can't be read: another one has the name: it is left out"
            ])
    }

    /// One archive that holds itself many times over in data must not unfold without a bound.
    @Test func nestedArchivesAreBounded() throws {
        var data = Data()
        for _ in 0..<6 {
            let archive = KeyedArchiveWriter()
            data = archive.data(root: archive.leaf(.data(data.isEmpty ? Data("bplist00".utf8) : data)))
        }
        var maker = ArchivedSourceMaker()
        maker.requests = maker.archive.leaf(.data(data))
        let nested = try ArchivedSourceMaker.failure(maker.data())
        expect(nested?.entity, equals: "Human")
    }

    @Test func brokenArchivesNeverTrap() throws {
        var maker = ArchivedSourceMaker()
        let archived = try request(maker.archive, predicate: predicate(grownUp, maker.archive))
        maker.requests = maker.archive.dictionary([(maker.string("adults"), archived)])
        let data = maker.data()
        var random = SeededGenerator(seed: 18)
        var (failures, remarked) = (0, 0)
        for _ in 0..<rounds(300, long: 2000) {
            var broken = data
            for _ in 0..<3 {
                broken[Int.random(in: 8..<broken.count, using: &random)] = .random(
                    in: 0...255, using: &random)
            }
            if let model = try? ArchivedSourceReader.read(broken, from: "broken") {
                remarked += model.source?.remarks.isEmpty == false ? 1 : 0
            } else {
                failures += 1
            }
        }
        #expect(failures > 0 && remarked > 0)
    }
}

extension ArchivedSourceMaker {
    /// The error that an archive is refused with.
    fileprivate static func failure(_ data: Data) throws -> ModelFileError? {
        #expect(throws: ModelFileError.self) { try ArchivedSourceReader.read(data, from: "elements") }
    }
}
