// The commands to a model, as pages state them in JSON: {"do": "set", "ids": [4], "field": "optional",
// "value": true}

/// One edit.
package enum ModelCommand: Sendable, Hashable {
    /// Gives a field of one or several elements a value.
    case set(ids: [Int], field: String, value: ModelValue)
    /// Adds an element of a kind to another one (to the model without `parent`), with a name that is free if
    /// none is given.
    case add(kind: String, parent: Int?, name: String?, values: [String: ModelValue])
    case remove(ids: [Int])
    /// Renames an element and all that refers to it. `keepsIdentity` has the new version find the old one's
    /// values; without it that is so where another version knows the element by its old name.
    case rename(id: Int, name: String, keepsIdentity: Bool?)
    case duplicate(ids: [Int])
    /// Copies properties into another entity or composite type.
    case copy(ids: [Int], to: Int)
    /// Moves properties into another entity or composite type.
    case move(ids: [Int], to: Int)
    /// Adds a relationship and its inverse.
    case relate(Relation)
    /// Puts entities in places of the diagram.
    case place([Place])
    /// An entity's uniqueness constraints, all of them.
    case constraints(id: Int, lists: [[String]])
    /// An element's user info, all of it.
    case userInfo(ids: [Int], entries: [Entry])
    /// The entities of a configuration.
    case members(id: Int, names: [String])

    package struct Relation: Sendable, Hashable, Decodable {
        package var from: Int
        package var to: Int
        package var name: String
        package var toMany: Bool
        /// Without a name there is no inverse.
        package var inverse: String?
        package var inverseToMany: Bool?

        package init(
            from: Int, to: Int, name: String, toMany: Bool, inverse: String? = nil, inverseToMany: Bool? = nil
        ) {
            self.from = from
            self.to = to
            self.name = name
            self.toMany = toMany
            self.inverse = inverse
            self.inverseToMany = inverseToMany
        }
    }

    package struct Place: Sendable, Hashable, Codable {
        package var name: String
        package var x: Int
        package var y: Int

        package init(name: String, x: Int, y: Int) {
            self.name = name
            self.x = x
            self.y = y
        }
    }

    package struct Entry: Sendable, Hashable, Codable {
        package var key: String
        package var value: String

        package init(key: String, value: String) {
            self.key = key
            self.value = value
        }
    }
}

extension ModelCommand: Decodable {
    private enum CodingKeys: String, CodingKey {
        case verb = "do"
        case ids, id, field, value, values, kind, parent, name, keepsIdentity, places, lists, entries, names
    }

    package init(from decoder: any Decoder) throws {
        let box = try decoder.container(keyedBy: CodingKeys.self)
        func ids() throws -> [Int] { try box.decode([Int].self, forKey: .ids) }
        func id() throws -> Int { try box.decode(Int.self, forKey: .id) }
        switch try box.decode(String.self, forKey: .verb) {
        case "set":
            self = try .set(
                ids: ids(), field: box.decode(String.self, forKey: .field),
                value: box.decodeIfPresent(ModelValue.self, forKey: .value) ?? .none)
        case "add":
            self = try .add(
                kind: box.decode(String.self, forKey: .kind),
                parent: box.decodeIfPresent(Int.self, forKey: .parent),
                name: box.decodeIfPresent(String.self, forKey: .name),
                values: box.decodeIfPresent([String: ModelValue].self, forKey: .values) ?? [:])
        case "remove": self = try .remove(ids: ids())
        case "rename":
            self = try .rename(
                id: id(), name: box.decode(String.self, forKey: .name),
                keepsIdentity: box.decodeIfPresent(Bool.self, forKey: .keepsIdentity))
        case "duplicate": self = try .duplicate(ids: ids())
        case "copy": self = try .copy(ids: ids(), to: box.decode(Int.self, forKey: .parent))
        case "move": self = try .move(ids: ids(), to: box.decode(Int.self, forKey: .parent))
        case "relate": self = try .relate(Relation(from: decoder))
        case "place": self = try .place(box.decode([Place].self, forKey: .places))
        case "constraints":
            self = try .constraints(id: id(), lists: box.decode([[String]].self, forKey: .lists))
        case "userInfo":
            self = try .userInfo(ids: ids(), entries: box.decode([Entry].self, forKey: .entries))
        case "members": self = try .members(id: id(), names: box.decode([String].self, forKey: .names))
        case let verb:
            throw DecodingError.dataCorruptedError(
                forKey: .verb, in: box, debugDescription: "\"\(verb)\" is no edit of a model.")
        }
    }
}

/// The reason why an edit isn't done, in a sentence.
package struct ModelEditFailure: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
}
