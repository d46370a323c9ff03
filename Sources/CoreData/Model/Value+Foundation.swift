// Foundation's values to and from the layers' own: default values and user info of a model.

import CoreDataSchema
import CoreDataSupport
import Foundation

extension Value {
    /// The value of whatever a client put into a description. What has no kind of its own stays an object.
    init(modelValue: Any?) {
        guard let modelValue else {
            self = .null
            return
        }
        // Class instances first: an NSNumber casts to Bool and to every numeric type alike.
        if type(of: modelValue) is AnyClass {
            self = Value(modelObject: modelValue as AnyObject)
        } else {
            self = Value(modelStruct: modelValue)
        }
    }

    private init(modelObject object: AnyObject) {
        switch object {
        case let number as NSDecimalNumber: self = .decimal(number.decimalValue)
        case let number as NSNumber: self = Value(number: number)
        case let string as NSString: self = .string(String(string))
        case let date as NSDate:
            self = .date(Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate))
        case let data as NSData: self = .data(Data(referencing: data))
        case let uuid as NSUUID: self = UUID(uuidString: uuid.uuidString).map { .uuid($0) } ?? .null
        case let url as NSURL: self = .url(url as URL)
        case is NSNull: self = .null
        case let array as NSArray: self = .array(array.map { Value(modelValue: $0) })
        case let set as NSSet: self = .set(Set(set.map { Value(modelValue: $0) }))
        case let dictionary as NSDictionary:
            self = .dictionary(Value.dictionary(dictionary.map { ($0.key, $0.value) }))
        default: self = .object(ObjectReference(object))
        }
    }

    private init(modelStruct value: Any) {
        switch value {
        case let optional as any OptionalValue: self = Value(modelValue: optional.wrapped)
        case let hashable as AnyHashable where type(of: value) == AnyHashable.self:
            self = Value(modelValue: hashable.base)
        case let bool as Bool: self = .bool(bool)
        case let integer as any BinaryInteger:
            self =
                Int64(exactly: integer).map { .integer($0) }
                ?? .decimal(Decimal(string: "\(integer)") ?? .nan)
        case let double as Double: self = .double(double)
        case let float as Float: self = .double(Double(float))
        case let decimal as Decimal: self = .decimal(decimal)
        case let string as String: self = .string(string)
        case let date as Date: self = .date(date)
        case let data as Data: self = .data(data)
        case let uuid as UUID: self = .uuid(uuid)
        case let url as URL: self = .url(url)
        case let set as Set<AnyHashable>: self = .set(Set(set.map { Value(modelValue: $0) }))
        case let array as [Any]: self = .array(array.map { Value(modelValue: $0) })
        case let dictionary as [AnyHashable: Any]:
            self = .dictionary(Value.dictionary(dictionary.map { ($0.key, $0.value) }))
        default: self = .object(ObjectReference(value as AnyObject))
        }
    }

    private init(number: NSNumber) {
        switch number.objCType.pointee {
        case CChar(bitPattern: UInt8(ascii: "c")), CChar(bitPattern: UInt8(ascii: "B")):
            self =
                number.int64Value == 0 || number.int64Value == 1
                ? .bool(number.boolValue) : .integer(number.int64Value)
        case CChar(bitPattern: UInt8(ascii: "d")), CChar(bitPattern: UInt8(ascii: "f")):
            self = .double(number.doubleValue)
        case CChar(bitPattern: UInt8(ascii: "Q")) where number.uint64Value > UInt64(Int64.max):
            self = .decimal(number.decimalValue)
        default: self = .integer(number.int64Value)
        }
    }

    private static func dictionary(_ pairs: [(Any, Any)]) -> [Value: Value] {
        Dictionary(pairs.map { (Value(modelValue: $0), Value(modelValue: $1)) }, uniquingKeysWith: { $1 })
    }

    /// The value for a client: numbers as `NSNumber`, which casts to every numeric type, the rest as Swift has it.
    var modelValue: Any? {
        switch self {
        case .null: nil
        case .bool(let bool): NSNumber(value: bool)
        case .integer(let integer): NSNumber(value: integer)
        case .double(let double): NSNumber(value: double)
        case .decimal(let decimal): NSDecimalNumber(decimal: decimal)
        case .string(let string): string
        case .date(let date): date
        case .data(let data): data
        case .uuid(let uuid): uuid
        case .url(let url): url
        case .array(let values): values.map { $0.modelValue ?? NSNull() }
        case .set(let values): Set(values.compactMap { $0.modelKey })
        case .dictionary(let values): Value.userInfo(values)
        case .object(let reference): reference.object
        }
    }

    /// The value as a member of a set or a key of a dictionary.
    private var modelKey: AnyHashable? {
        modelValue as? AnyHashable
    }

    /// A description's user info for a client.
    static func userInfo(_ values: [Value: Value]) -> [AnyHashable: Any] {
        var userInfo: [AnyHashable: Any] = [:]
        for (key, value) in values {
            if let key = key.modelKey { userInfo[key] = value.modelValue ?? NSNull() }
        }
        return userInfo
    }

    /// A client's user info as a description keeps it.
    static func userInfo(_ values: [AnyHashable: Any]?) -> [Value: Value] {
        dictionary((values ?? [:]).map { ($0.key, $0.value) })
    }

    /// The same number in the kind that an attribute's type calls for; anything else unchanged.
    func fitting(_ type: AttributeType) -> Value {
        switch (type, self) {
        case (.boolean, .integer(let integer)): .bool(integer != 0)
        case (.integer16, .bool(let bool)), (.integer32, .bool(let bool)), (.integer64, .bool(let bool)):
            .integer(bool ? 1 : 0)
        case (.integer16, .double(let double)), (.integer32, .double(let double)),
            (.integer64, .double(let double)):
            Int64(exactly: double).map { .integer($0) } ?? self
        case (.double, .integer(let integer)), (.float, .integer(let integer)): .double(Double(integer))
        case (.double, .bool(let bool)), (.float, .bool(let bool)): .double(bool ? 1 : 0)
        case (.double, .decimal(let decimal)), (.float, .decimal(let decimal)):
            .double(NSDecimalNumber(decimal: decimal).doubleValue)
        case (.decimal, .integer(let integer)): .decimal(Decimal(integer))
        case (.decimal, .bool(let bool)): .decimal(bool ? 1 : 0)
        case (.decimal, .double(let double)): .decimal(Decimal(double))
        default: self
        }
    }
}

/// Finds an optional inside an `Any`.
private protocol OptionalValue {
    var wrapped: Any? { get }
}

extension Optional: OptionalValue {
    fileprivate var wrapped: Any? { self }
}
