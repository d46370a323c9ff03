// Compiled models and mapping models one value of whose archive is another: each is refused with an error, or is a model
// that a store can be made of. COREDATA_LONG_TESTS=1 tries 20,000 of them, COREDATA_SEED=n others.

import CoreData
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

@Suite(.enabled(if: SharedFiles.arePresent, Comment(rawValue: SharedFiles.absence)))
struct DamagedModelTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let count = rounds(100, long: 20_000)
    private static let seed = environment["COREDATA_SEED"].flatMap(UInt64.init) ?? 18

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// An archive with one value changed, and where.
    private struct Damage {
        var data: Data
        var place: String
    }

    private static let replacements: [PropertyList] = [
        .null, .bool(true), .integer(-1), .integer(0), .integer(.max), .integer(.min), .real(.nan),
        .real(1e300),
        .string(""), .string("$null"), .string("x"), .data(Data()), .data(Data([1, 2, 3])), .uid(0),
        .uid(.max), .array([]), .array([.uid(1)]), .dictionary([]), .date(.distantFuture),
    ]

    private static func damage(_ archive: Data, _ random: inout SeededGenerator) throws -> Damage {
        guard case .dictionary(var parts) = try BinaryPropertyListReader.read(archive),
            let list = parts.firstIndex(where: { $0.key == "$objects" }),
            var objects = parts[list].value.elements
        else { throw ArchiveFailure("no archive") }
        let number = Int.random(in: 1..<objects.count, using: &random)
        var value = replacements.randomElement(using: &random) ?? .null
        if Bool.random(using: &random) {
            value = .uid(UInt32.random(in: 1..<UInt32(objects.count), using: &random))
        }
        var place = "\(number)"
        if case .dictionary(var fields) = objects[number], !fields.isEmpty {
            let field = Int.random(in: 0..<fields.count, using: &random)
            place += ".\(fields[field].key)"
            if Int.random(in: 0..<5, using: &random) == 0 {
                fields.remove(at: field)
                place += " removed"
            } else {
                fields[field] = .init(fields[field].key, value: changed(fields[field].value, value, &random))
            }
            objects[number] = .dictionary(fields)
        } else {
            objects[number] = value
        }
        parts[list] = .init("$objects", value: .array(objects))
        return Damage(
            data: BinaryPropertyListWriter.data(for: .dictionary(parts)), place: "\(place): \(value)")
    }

    /// Another value, or a list one element of which is another.
    private static func changed(
        _ old: PropertyList, _ value: PropertyList, _ random: inout SeededGenerator
    ) -> PropertyList {
        guard case .array(var elements) = old, !elements.isEmpty, Bool.random(using: &random) else {
            return value
        }
        elements[Int.random(in: 0..<elements.count, using: &random)] = value
        return .array(elements)
    }

    // MARK: Models

    /// Makes a store of the model with an object of each entity, as far as the model allows.
    private func use(_ model: NSManagedObjectModel) throws {
        for entity in model.entities {
            for attribute in entity.attributesByName.values
            where attribute.attributeType == .transformableAttributeType {
                attribute.valueTransformerName = RawBytesTransformer.name
            }
        }
        let url = folder.file("Store.sqlite")
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: url.path + suffix) }
        let opened = try OpenStore(url, model)
        for entity in model.entities where !entity.isAbstract {
            _ = NSManagedObject(entity: entity, insertInto: opened.context)
        }
        // What the model demands may be missing.
        try? opened.context.save()
        try opened.close()
    }

    private func expectCocoaError(_ error: any Error, _ place: String) {
        expect((error as NSError).domain, equals: NSCocoaErrorDomain, "\(place): \(error)")
    }

    @Test func aDamagedCompiledModelIsRefusedOrUsable() throws {
        RawBytesTransformer.register()
        var random = SeededGenerator(seed: Self.seed)
        let models = try SharedFiles.paths(under: "compiled", suffix: ".mom").map { path in
            (path, try Data(contentsOf: SharedFiles.url(path)))
        }
        var (refused, unusable, used) = (0, 0, 0)
        for _ in 0..<Self.count {
            let (path, archive) = try #require(models.randomElement(using: &random))
            let damage = try Self.damage(archive, &random)
            let file = folder.file("Damaged.mom")
            try damage.data.write(to: file)
            let model: NSManagedObjectModel
            do {
                model = try NSManagedObjectModel.read(from: file)
            } catch {
                refused += 1
                expectCocoaError(error, "\(path) \(damage.place)")
                continue
            }
            do {
                try use(model)
                used += 1
            } catch {
                unusable += 1
                expectCocoaError(error, "\(path) \(damage.place)")
            }
        }
        print("damaged compiled models: \(used) used, \(refused) refused, \(unusable) without a store")
        #expect(refused > 0 && used > 0)
    }

    // MARK: Mapping models

    @Test func aDamagedMappingModelIsRefusedOrRead() throws {
        var random = SeededGenerator(seed: Self.seed)
        let archive = try Data(contentsOf: SharedFiles.url("compiled/CoreDataPlus/V2toV3.cdm"))
        var (refused, read) = (0, 0)
        for _ in 0..<Self.count {
            let damage = try Self.damage(archive, &random)
            let file = folder.file("Damaged.cdm")
            try damage.data.write(to: file)
            do {
                let mapping = try NSMappingModel.read(from: file)
                read += mapping.entityMappings.count >= 0 ? 1 : 0
            } catch {
                refused += 1
                expectCocoaError(error, damage.place)
            }
        }
        print("damaged mapping models: \(read) read, \(refused) refused")
        #expect(refused > 0 && read > 0)
    }
}
