// The commands to a mapping model, as pages state them in JSON: {"do": "value", "mapping": 0, "property":
// "name", "value": "$source.title"}

/// One edit. Mappings are named by their place in the list.
package enum MappingCommand: Sendable, Hashable {
    /// Gives a mapping's `name`, `kind`, `source`, `destination`, `filter`, `expression` or `policy` a value.
    case set(mapping: Int, field: String, value: String?)
    /// Gives a property its value expression; without one it keeps what new objects have.
    case value(mapping: Int, property: String, value: String?)
    /// Gives a property the value that follows from names.
    case standard(mapping: Int, property: String)
    case add(source: String?, destination: String?)
    case remove(mapping: Int)
    /// Moves a mapping to another place in the order.
    case move(mapping: Int, to: Int)
    /// The user info of a mapping, or of one of its properties, all of it.
    case userInfo(mapping: Int, property: String?, entries: [ModelCommand.Entry])
}

extension MappingCommand: Decodable {
    private enum CodingKeys: String, CodingKey {
        case verb = "do"
        case mapping, field, value, property, source, destination, to, entries
    }

    package init(from decoder: any Decoder) throws {
        let box = try decoder.container(keyedBy: CodingKeys.self)
        func text(_ key: CodingKeys) throws -> String? {
            try box.decodeIfPresent(String.self, forKey: key).flatMap { $0.isEmpty ? nil : $0 }
        }
        func mapping() throws -> Int { try box.decode(Int.self, forKey: .mapping) }
        switch try box.decode(String.self, forKey: .verb) {
        case "set":
            self = try .set(
                mapping: mapping(), field: box.decode(String.self, forKey: .field), value: text(.value))
        case "value":
            self = try .value(
                mapping: mapping(), property: box.decode(String.self, forKey: .property), value: text(.value))
        case "standard":
            self = try .standard(
                mapping: mapping(), property: box.decode(String.self, forKey: .property))
        case "add": self = try .add(source: text(.source), destination: text(.destination))
        case "remove": self = try .remove(mapping: mapping())
        case "move": self = try .move(mapping: mapping(), to: box.decode(Int.self, forKey: .to))
        case "userInfo":
            self = try .userInfo(
                mapping: mapping(), property: text(.property),
                entries: box.decode([ModelCommand.Entry].self, forKey: .entries))
        case let verb:
            throw DecodingError.dataCorruptedError(
                forKey: .verb, in: box, debugDescription: "\"\(verb)\" is no edit of a mapping model.")
        }
    }
}
