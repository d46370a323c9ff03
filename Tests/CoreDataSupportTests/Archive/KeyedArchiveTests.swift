// Keyed archives: values of every kind survive, unknown classes stay visible, circles end.

import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct KeyedArchiveTests {
    private func roundTrip(_ value: Value) throws -> Value {
        let writer = KeyedArchiveWriter()
        let root = try writer.value(.array([value]))
        guard case .array(let elements) = try KeyedArchive(writer.data(root: root)).node().value() else {
            throw ArchiveFailure("no array")
        }
        return elements[0]
    }

    static let values: [Value] = [
        .null, .bool(true), .bool(false), .integer(0), .integer(.min), .integer(.max), .double(0.1),
        .double(3),
        .string(""), .string("Zoë"), .data(Data([0, 255])),
        .date(Date(timeIntervalSinceReferenceDate: -1.25)),
        .uuid(UUID()), .array([.integer(1), .array([])]), .set([.string("a"), .string("b")]),
        .dictionary([.string("k"): .array([.null])]),
        .decimal(Decimal(string: "10.11") ?? 0), .decimal(Decimal(string: "-0.0001") ?? 0), .decimal(0),
        .decimal(Decimal(string: "12345678901234567890123456789012345678") ?? 0), .decimal(.nan),
    ]

    @Test(arguments: values) func valueSurvives(_ value: Value) throws {
        try expect(roundTrip(value), equals: value)
    }

    @Test func urlSurvives() throws {
        let url = try #require(URL(string: "https://example.com/a?b=c"))
        try expect(roundTrip(.url(url)), equals: .url(url))
    }

    @Test func objectOfAnUnknownClassIsKeptAsItIs() throws {
        let object = ArchivedObject(
            classNames: ["App.Cover", "NSObject"], fields: [.init(key: "text", value: .string("x"))])
        try expect(roundTrip(.object(ObjectReference(object))).archived, equals: object)
    }

    @Test func aDecimalHasTheFieldsOfApplesClass() throws {
        let decimal = try #require(Decimal(string: "-10.11"))
        let writer = KeyedArchiveWriter()
        let object = try #require(
            KeyedArchive(writer.data(root: writer.value(.decimal(decimal)))).node().object)
        #expect(object.classNames.contains("NSDecimalNumber"))
        try expect(object.node("NS.exponent").value(), equals: .integer(-2))
        try expect(object.node("NS.length").value(), equals: .integer(1))
        try expect(object.node("NS.negative").value(), equals: .bool(true))
        try expect(
            object.node("NS.mantissa").value(),
            equals: .data(Data([0xF3, 0x03] + [UInt8](repeating: 0, count: 14))))
    }

    @Test func aBigEndianDecimalReads() throws {
        let writer = KeyedArchiveWriter()
        let root = writer.object(
            ["NSDecimalNumber", "NSNumber", "NSValue", "NSObject"],
            fields: [
                .init("NS.exponent", value: .integer(1)), .init("NS.length", value: .integer(2)),
                .init("NS.negative", value: .bool(false)), .init("NS.mantissa.bo", value: .integer(2)),
                .init("NS.mantissa", value: .data(Data([0x00, 0x01, 0x00, 0x01]))),
            ])
        try expect(KeyedArchive(writer.data(root: root)).node().value(), equals: .decimal(655_370))
    }

    @Test func aCircleOfObjectsThrowsAsAValue() throws {
        let writer = KeyedArchiveWriter()
        let place = writer.reserve()
        writer.define(
            place, classes: ["NSArray", "NSObject"], fields: [.init("NS.objects", value: .array([place]))])
        let node = try KeyedArchive(writer.data(root: place)).node()
        #expect(throws: ArchiveFailure.self) { try node.value() }
    }

    @Test func aSharedObjectIsTheSameObject() throws {
        let writer = KeyedArchiveWriter()
        let shared = writer.object(["Thing", "NSObject"], fields: [])
        let root = try KeyedArchive(writer.data(root: writer.array([shared, shared]))).node()
        let elements = try #require(root.object).elements().compactMap(\.object)
        expect(elements.count, equals: 2)
        expect(elements[0], equals: elements[1])
        expect(elements[0].className, equals: "Thing")
        #expect(elements[0].isKind(of: "NSObject"))
    }

    @Test func aDanglingReferenceThrows() throws {
        let writer = KeyedArchiveWriter()
        let root = writer.array([.uid(900)])
        let object = try #require(KeyedArchive(writer.data(root: root)).node().object)
        #expect(throws: ArchiveFailure.self) { try object.elements() }
    }

    @Test func aPlainPropertyListIsNoArchive() {
        let data = BinaryPropertyListWriter.data(for: .dictionary([.init("a", value: .integer(1))]))
        #expect(throws: ArchiveFailure("not a keyed archive")) { try KeyedArchive(data) }
    }
}

extension Value {
    fileprivate var archived: ArchivedObject? {
        if case .object(let reference) = self { return reference.object as? ArchivedObject }
        return nil
    }
}
