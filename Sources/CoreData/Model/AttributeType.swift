// The attribute types under the names that Swift code uses.

extension NSAttributeDescription {
    /// The type of an attribute's value, in Swift spelling.
    public struct AttributeType: RawRepresentable, Hashable, Sendable {
        public typealias RawValue = NSAttributeType

        public let rawValue: NSAttributeType

        public init(rawValue: NSAttributeType) {
            self.rawValue = rawValue
        }

        /// No type: of transient attributes, and of models that are being made.
        public static let undefined = AttributeType(rawValue: .undefinedAttributeType)
        /// A number of 16 bits.
        public static let integer16 = AttributeType(rawValue: .integer16AttributeType)
        /// A number of 32 bits.
        public static let integer32 = AttributeType(rawValue: .integer32AttributeType)
        /// A number of 64 bits.
        public static let integer64 = AttributeType(rawValue: .integer64AttributeType)
        /// An `NSDecimalNumber`.
        public static let decimal = AttributeType(rawValue: .decimalAttributeType)
        /// A floating-point number of 64 bits.
        public static let double = AttributeType(rawValue: .doubleAttributeType)
        /// A floating-point number of 32 bits.
        public static let float = AttributeType(rawValue: .floatAttributeType)
        /// A text.
        public static let string = AttributeType(rawValue: .stringAttributeType)
        /// True or false.
        public static let boolean = AttributeType(rawValue: .booleanAttributeType)
        /// A point in time: `Date`.
        public static let date = AttributeType(rawValue: .dateAttributeType)
        /// Bytes: `Data`.
        public static let binaryData = AttributeType(rawValue: .binaryDataAttributeType)
        /// A universally unique identifier: `UUID`.
        public static let uuid = AttributeType(rawValue: .UUIDAttributeType)
        /// A `URL`.
        public static let uri = AttributeType(rawValue: .URIAttributeType)
        /// An object of any class, which a value transformer turns into bytes.
        public static let transformable = AttributeType(rawValue: .transformableAttributeType)
        /// The ID of an object; of results of fetches only.
        public static let objectID = AttributeType(rawValue: .objectIDAttributeType)
        /// A dictionary of named elements.
        public static let composite = AttributeType(rawValue: .compositeAttributeType)
    }
}
