// Values from and to what Foundation and Swift box them in.

import CoreDataSupport
import Foundation
import Testing

@Suite struct ValueFoundationTests {
    private enum Kind { case one }

    @Test func numbersKeepTheirKind() {
        #expect(Value(true) == .bool(true))
        #expect(Value(NSNumber(value: true)) == .bool(true))
        #expect(Value(NSNumber(value: false)) == .bool(false))
        #expect(Value(NSNumber(value: Int8(1))) == .integer(1))
        #expect(Value(NSNumber(value: 1)) == .integer(1))
        #expect(Value(NSNumber(value: 1.0)) == .double(1))
        #expect(Value(NSNumber(value: Float(0.5))) == .double(0.5))
        #expect(Value(NSNumber(value: UInt64.max)) == .decimal(Decimal(UInt64.max)))
        #expect(Value(NSDecimalNumber(string: "1.5")) == .decimal(1.5))
        for number in [
            Int(7), Int8(7), Int16(7), Int32(7), Int64(7), UInt(7), UInt8(7), UInt16(7), UInt32(7), UInt64(7),
        ] as [Any] {
            #expect(Value(number) == .integer(7))
        }
        #expect(Value(Float(1.5)) == .double(1.5))
        #expect(Value(CGFloat(1.5)) == .double(1.5))
        #expect(Value(Decimal(2)) == .decimal(2))
    }

    @Test func nothing() {
        #expect(Value(nil) == .null)
        #expect(Value(NSNull()) == .null)
        #expect(Value(Optional<Int>.none as Any) == .null)
        #expect(Value(Optional<Int?>.some(.some(3)) as Any) == .integer(3))
    }

    @Test func foundationObjects() {
        let (date, uuid) = (Date(timeIntervalSinceReferenceDate: 1), UUID())
        #expect(Value(NSString("x")) == .string("x"))
        #expect(Value("x" as Substring) == .string("x"))
        #expect(Value(NSDate(timeIntervalSinceReferenceDate: 1)) == .date(date))
        #expect(Value(NSData(data: Data([1]))) == .data(Data([1])))
        #expect(Value(NSUUID(uuidString: uuid.uuidString)) == .uuid(uuid))
        #expect(Value(NSURL(string: "http://a")) == URL(string: "http://a").map(Value.url))
        #expect(Value(AnyHashable(5)) == .integer(5))
        #expect(Value(Value.integer(3)) == .integer(3))
    }

    @Test func collections() {
        let numbers: Value = .array([.integer(1), .null])
        #expect(Value([1, nil] as [Int?]) == numbers)
        #expect(Value(NSArray(array: [1, NSNull()])) == numbers)
        #expect(Value(NSOrderedSet(array: [1, 2])) == .array([.integer(1), .integer(2)]))
        #expect(Value(Set(["a"])) == .set([.string("a")]))
        #expect(Value(NSSet(array: [1, 2])) == .set([.integer(1), .integer(2)]))
        #expect(Value(["a": [1]]) == .dictionary([.string("a"): .array([.integer(1)])]))
        #expect(Value(NSDictionary(dictionary: ["a": 1])) == .dictionary([.string("a"): .integer(1)]))
        #expect(Value([1, 2, 3][1...]) == .array([.integer(2), .integer(3)]))
        #expect(Value([[1], [2]]) == .array([.array([.integer(1)]), .array([.integer(2)])]))
    }

    @Test func otherObjectsStayReferences() throws {
        let object = NSObject()
        #expect(Value(object) == .object(ObjectReference(object)))
        #expect(Value(object).any as? NSObject === object)
        guard case .object = Value(Kind.one) else {
            Issue.record("a Swift value of its own kind must become a reference")
            return
        }
    }

    @Test func andBack() {
        #expect(Value.integer(5).any as? Int == 5)
        #expect(Value.integer(5).any as? Int16 == 5)
        #expect(Value.integer(5).any is NSNumber)
        #expect(Value.bool(true).any as? Bool == true)
        #expect(Value.double(1.5).any as? Double == 1.5)
        #expect(Value.decimal(1.5).any is NSDecimalNumber)
        #expect(Value.null.any == nil)
        #expect(Value.array([.integer(1), .integer(2)]).any as? [Int] == [1, 2])
        #expect(Value.set([.string("a")]).any as? Set<String> == ["a"])
        #expect(Value.dictionary([.string("a"): .integer(1)]).any as? [String: Int] == ["a": 1])
        let nested: Value = .set([.array([.integer(1)]), .null, .dictionary([.string("k"): .null])])
        #expect(Value(nested.any) == nested)
    }
}
