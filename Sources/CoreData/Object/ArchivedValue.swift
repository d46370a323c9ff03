// A keyed archive as a value: for tools that show transformable attributes of classes that they don't have.

import CoreDataStores
import CoreDataSupport
public import Foundation

/// A value in a keyed archive. No object of an archived class is made.
public indirect enum ArchivedValue: Sendable, Hashable {
    /// Nothing.
    case null
    /// True or false.
    case bool(Bool)
    /// A whole number.
    case integer(Int64)
    /// A floating-point number.
    case double(Double)
    /// A decimal number.
    case decimal(Decimal)
    /// A text.
    case string(String)
    /// A date.
    case date(Date)
    /// Bytes.
    case data(Data)
    /// A UUID.
    case uuid(UUID)
    /// A URL.
    case url(URL)
    /// An array, or an ordered set.
    case array([ArchivedValue])
    /// A set.
    case set(Set<ArchivedValue>)
    /// A dictionary.
    case dictionary([ArchivedValue: ArchivedValue])
    /// An object of another class than Foundation's collections and values, with its archived fields.
    case object(className: String, fields: [String: ArchivedValue])

    /// Reads the bytes of a keyed archive.
    ///
    /// - Throws: `CocoaError.coderReadCorrupt` with the reason.
    public init(keyedArchive data: Data) throws {
        do {
            self.init(try KeyedArchive(data).node().value())
        } catch {
            throw CoreDataError.make(
                CocoaError.coderReadCorrupt.rawValue,
                description: "The bytes can't be read as a keyed archive.",
                file: nil, reason: "\(error)")
        }
    }

    /// Reads the stand-in of an object of a class that this program doesn't have: default values of models
    /// that were read from files can be such. `nil` for any other object.
    public init?(standIn object: Any) {
        guard let object = object as? ArchivedObject else { return nil }
        self.init(ObjectReference(object))
    }

    private init(_ value: Value) {
        switch value {
        case .null: self = .null
        case .bool(let flag): self = .bool(flag)
        case .integer(let number): self = .integer(number)
        case .double(let number): self = .double(number)
        case .decimal(let number): self = .decimal(number)
        case .string(let text): self = .string(text)
        case .date(let date): self = .date(date)
        case .data(let bytes): self = .data(bytes)
        case .uuid(let uuid): self = .uuid(uuid)
        case .url(let url): self = .url(url)
        case .array(let values): self = .array(values.map { ArchivedValue($0) })
        case .set(let values): self = .set(Set(values.map { ArchivedValue($0) }))
        case .dictionary(let pairs):
            self = .dictionary(
                Dictionary(
                    pairs.map { (ArchivedValue($0.key), ArchivedValue($0.value)) },
                    uniquingKeysWith: { first, _ in first }))
        case .object(let reference): self.init(reference)
        }
    }

    private init(_ reference: ObjectReference) {
        guard let object = reference.object as? ArchivedObject else {
            self = .object(className: "\(type(of: reference.object))", fields: [:])
            return
        }
        let fields = object.fields.map { ($0.key, ArchivedValue($0.value)) }
        self = .object(
            className: object.classNames.first ?? "",
            fields: Dictionary(fields, uniquingKeysWith: { first, _ in first }))
    }
}
