// Attributes that consist of others.

extension Schema {
    /// An attribute that consists of others: a structure whose fields encode themselves one by one, under keys. The option
    /// `.codable` has its values stored as one.
    public final class CompositeAttribute: Attribute, CustomDebugStringConvertible, @unchecked Sendable {
        /// The attributes that it consists of.
        public var properties: [Attribute] = []

        /// A composite attribute without elements yet.
        ///
        /// - Parameters:
        ///   - name: the name.
        ///   - originalName: the name in the version before.
        ///   - options: the options.
        ///   - valueType: the type of the values.
        ///   - defaultValue: the value of new models.
        ///   - hashModifier: text that makes another version of the attribute.
        public override init(
            name: String, originalName: String? = nil, options: [Option] = [], valueType: any Any.Type,
            defaultValue: Any? = nil, hashModifier: String? = nil
        ) {
            super.init(
                name: name, originalName: originalName, options: options, valueType: valueType,
                defaultValue: defaultValue, hashModifier: hashModifier)
        }

        /// Reads an attribute with its elements.
        ///
        /// - Throws: a `DecodingError`.
        public required convenience init(from decoder: any Decoder) throws {
            let form = try AttributeForm(from: decoder)
            self.init(
                name: form.name, originalName: form.originalName, options: form.options,
                valueType: ValueKind(name: form.valueType).type(isOptional: form.isOptional),
                hashModifier: form.hashModifier)
            properties = form.elements?.map(\.attribute) ?? []
        }

        /// Writes the attribute with its elements.
        ///
        /// - Throws: what the encoder throws.
        public override func encode(to encoder: any Encoder) throws {
            try AttributeForm(self).encode(to: encoder)
        }

        public var debugDescription: String {
            "CompositeAttribute(\(name): \(properties.map(\.name).joined(separator: ", ")))"
        }

        /// Returns true if two attributes have the same name and elements.
        ///
        /// - Parameters:
        ///   - left: the one attribute.
        ///   - right: the other.
        public static func == (left: CompositeAttribute, right: CompositeAttribute) -> Bool {
            left as Attribute == right as Attribute && left.properties == right.properties
        }
    }
}
