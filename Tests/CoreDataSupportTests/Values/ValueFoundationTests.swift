// Values from and to what Foundation and Swift box them in.

import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct ValueFoundationTests {
    private enum Kind { case one }

    @Test func numbersKeepTheirKind() {
        expect(Value(true), equals: .bool(true))
        expect(Value(NSNumber(value: true)), equals: .bool(true))
        expect(Value(NSNumber(value: false)), equals: .bool(false))
        expect(Value(NSNumber(value: Int8(1))), equals: .integer(1))
        expect(Value(NSNumber(value: 1)), equals: .integer(1))
        expect(Value(NSNumber(value: 1.0)), equals: .double(1))
        expect(Value(NSNumber(value: Float(0.5))), equals: .double(0.5))
        expect(Value(NSNumber(value: UInt64.max)), equals: .decimal(Decimal(UInt64.max)))
        expect(Value(NSDecimalNumber(string: "1.5")), equals: .decimal(1.5))
        for number in [
            Int(7), Int8(7), Int16(7), Int32(7), Int64(7), UInt(7), UInt8(7), UInt16(7), UInt32(7), UInt64(7),
        ] as [Any] {
            expect(Value(number), equals: .integer(7))
        }
        expect(Value(Float(1.5)), equals: .double(1.5))
        expect(Value(CGFloat(1.5)), equals: .double(1.5))
        expect(Value(Decimal(2)), equals: .decimal(2))
    }

    @Test func nothing() {
        expect(Value(nil), equals: .null)
        expect(Value(NSNull()), equals: .null)
        expect(Value(Optional<Int>.none as Any), equals: .null)
        expect(Value(Optional<Int?>.some(.some(3)) as Any), equals: .integer(3))
    }

    @Test func foundationObjects() {
        let (date, uuid) = (Date(timeIntervalSinceReferenceDate: 1), UUID())
        expect(Value(NSString("x")), equals: .string("x"))
        expect(Value("x" as Substring), equals: .string("x"))
        expect(Value(NSDate(timeIntervalSinceReferenceDate: 1)), equals: .date(date))
        expect(Value(NSData(data: Data([1]))), equals: .data(Data([1])))
        expect(Value(NSUUID(uuidString: uuid.uuidString)), equals: .uuid(uuid))
        #expect(Value(NSURL(string: "http://a")) == URL(string: "http://a").map(Value.url))
        expect(Value(AnyHashable(5)), equals: .integer(5))
        expect(Value(Value.integer(3)), equals: .integer(3))
    }

    @Test func collections() {
        let numbers: Value = .array([.integer(1), .null])
        expect(Value([1, nil] as [Int?]), equals: numbers)
        expect(Value(NSArray(array: [1, NSNull()])), equals: numbers)
        expect(Value(NSOrderedSet(array: [1, 2])), equals: .array([.integer(1), .integer(2)]))
        expect(Value(Set(["a"])), equals: .set([.string("a")]))
        expect(Value(NSSet(array: [1, 2])), equals: .set([.integer(1), .integer(2)]))
        expect(Value(["a": [1]]), equals: .dictionary([.string("a"): .array([.integer(1)])]))
        expect(Value(NSDictionary(dictionary: ["a": 1])), equals: .dictionary([.string("a"): .integer(1)]))
        expect(Value([1, 2, 3][1...]), equals: .array([.integer(2), .integer(3)]))
        expect(Value([[1], [2]]), equals: .array([.array([.integer(1)]), .array([.integer(2)])]))
    }

    @Test func otherObjectsStayReferences() throws {
        let object = NSObject()
        expect(Value(object), equals: .object(ObjectReference(object)))
        #expect(Value(object).any as? NSObject === object)
        guard case .object = Value(Kind.one) else {
            Issue.record("a Swift value of its own kind must become a reference")
            return
        }
    }

    @Test func andBack() {
        expect(Value.integer(5).any as? Int, equals: 5)
        expect(Value.integer(5).any as? Int16, equals: 5)
        #expect(Value.integer(5).any is NSNumber)
        expect(Value.bool(true).any as? Bool, equals: true)
        expect(Value.double(1.5).any as? Double, equals: 1.5)
        #expect(Value.decimal(1.5).any is NSDecimalNumber)
        #expect(Value.null.any == nil)
        expect(Value.array([.integer(1), .integer(2)]).any as? [Int], equals: [1, 2])
        expect(Value.set([.string("a")]).any as? Set<String>, equals: ["a"])
        expect(Value.dictionary([.string("a"): .integer(1)]).any as? [String: Int], equals: ["a": 1])
        let nested: Value = .set([.array([.integer(1)]), .null, .dictionary([.string("k"): .null])])
        expect(Value(nested.any), equals: nested)
    }
}
