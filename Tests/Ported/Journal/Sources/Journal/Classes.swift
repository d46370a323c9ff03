import CoreData
import Foundation

extension CodingUserInfoKey {
    public static let context = CodingUserInfoKey(rawValue: "context")!
}

public enum DecodingFailure: Error {
    case noContext
}

/// How a day was.
public class Mood: NSObject, NSSecureCoding {
    public static var supportsSecureCoding: Bool { true }
    public let name: String

    public init(name: String) { self.name = name }

    public required init?(coder: NSCoder) {
        guard let name = coder.decodeObject(of: NSString.self, forKey: "name") else { return nil }
        self.name = name as String
    }

    public func encode(with coder: NSCoder) { coder.encode(name as NSString, forKey: "name") }

    public override func isEqual(_ object: Any?) -> Bool { (object as? Mood)?.name == name }
    public override var hash: Int { name.hash }
}

@objc(MoodTransformer)
public final class MoodTransformer: NSSecureUnarchiveFromDataTransformer {
    public static let name = NSValueTransformerName(rawValue: String(describing: MoodTransformer.self))

    public override static var allowedTopLevelClasses: [AnyClass] { [Mood.self, NSString.self] }

    public static func register() {
        ValueTransformer.setValueTransformer(MoodTransformer(), forName: name)
    }
}

public struct Place: Codable, Equatable {
    public var latitude: Double
    public var longitude: Double

    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }
}

/// A transformer of closures.
public final class ClosureTransformer<A: AnyObject, B: AnyObject>: ValueTransformer {
    private let transform: (A?) -> B?
    private let reverse: (B?) -> A?

    private init(transform: @escaping (A?) -> B?, reverse: @escaping (B?) -> A?) {
        self.transform = transform
        self.reverse = reverse
        super.init()
    }

    public static func register(
        name: String, transform: @escaping (A?) -> B?, reverse: @escaping (B?) -> A?
    ) {
        let transformer = ClosureTransformer(transform: transform, reverse: reverse)
        Foundation.ValueTransformer.setValueTransformer(
            transformer, forName: NSValueTransformerName(rawValue: name))
    }

    public override static func transformedValueClass() -> AnyClass { B.self }
    public override class func allowsReverseTransformation() -> Bool { true }
    public override func transformedValue(_ value: Any?) -> Any? { transform(value as? A) }
    public override func reverseTransformedValue(_ value: Any?) -> Any? { reverse(value as? B) }
}

// The class is generated from the model.
extension Photo {
    public override func awakeFromInsert() {
        super.awakeFromInsert()
        setPrimitiveValue(UUID(), forKey: "id")
    }

    public override func validateForInsert() throws {
        try super.validateForInsert()
        if data?.isEmpty == true { throw CocoaError(.validationMissingMandatoryProperty) }
    }

    public override var description: String { "photo of \(data?.count ?? 0) bytes" }
}

@objc(Entry)
public class Entry: NSManagedObject, Identifiable, Codable {
    @objc public enum Kind: Int16, CaseIterable {
        case note, dream, letter
    }

    private enum Keys: String, CodingKey {
        case code, date = "written_at", text, rating, tags
    }

    @NSManaged public var code: String?
    @NSManaged public internal(set) var date: Date?
    @NSManaged public var mood: Mood?
    @NSManaged public var rating: Int16
    @NSManaged public var text: String
    @NSManaged public var tags: NSSet?
    @NSManaged public var photos: NSOrderedSet?
    @NSManaged fileprivate var primitiveDate: Date?
    @NSManaged fileprivate var primitiveSection: String?
    @NSManaged fileprivate var primitiveKind: NSNumber?

    public var kind: Kind {
        get {
            willAccessValue(forKey: "kind")
            defer { didAccessValue(forKey: "kind") }
            return primitiveKind.flatMap { Kind(rawValue: $0.int16Value) } ?? .note
        }
        set {
            willChangeValue(forKey: "kind")
            primitiveKind = NSNumber(value: newValue.rawValue)
            didChangeValue(forKey: "kind")
        }
    }

    public var place: Place? {
        get {
            guard let data = value(forKey: "place") as? NSData else { return nil }
            return try? JSONDecoder().decode(Place.self, from: data as Data)
        }
        set { setValue(newValue.flatMap { try? JSONEncoder().encode($0) as NSData }, forKey: "place") }
    }

    /// The year and month, kept until the date changes.
    @objc public var section: String? {
        willAccessValue(forKey: #keyPath(section))
        let kept = primitiveSection
        didAccessValue(forKey: #keyPath(section))
        if let kept { return kept }
        guard let date else { return nil }
        let parts = Calendar(identifier: .gregorian).dateComponents(
            in: TimeZone(secondsFromGMT: 0)!, from: date)
        let made = String(format: "%d-%02d", parts.year!, parts.month!)
        primitiveSection = made
        return made
    }

    public class override func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
        key == "section" ? ["date"] : super.keyPathsForValuesAffectingValue(forKey: key)
    }

    public func move(to date: Date) {
        self.date = date
        primitiveSection = nil
    }

    public override func awakeFromInsert() {
        super.awakeFromInsert()
        primitiveDate = Date(timeIntervalSince1970: 0)
    }

    public override func validateForUpdate() throws {
        try super.validateForUpdate()
        try validateRating()
    }

    public override func validateForInsert() throws {
        try super.validateForInsert()
        try validateRating()
    }

    private func validateRating() throws {
        guard !(0...5).contains(rating) else { return }
        throw NSError(
            domain: "Journal", code: 1, userInfo: [NSLocalizedDescriptionKey: "A rating has 0 to 5 stars"])
    }

    public required convenience init(from decoder: Decoder) throws {
        guard let context = decoder.userInfo[.context] as? NSManagedObjectContext else {
            throw DecodingFailure.noContext
        }
        self.init(context: context)
        let container = try decoder.container(keyedBy: Keys.self)
        code = try container.decode(String.self, forKey: .code)
        date = try container.decodeIfPresent(Date.self, forKey: .date)
        text = try container.decode(String.self, forKey: .text)
        rating = try container.decodeIfPresent(Int16.self, forKey: .rating) ?? 0
        tags = try container.decode(Set<Tag>.self, forKey: .tags) as NSSet
    }

    public func encode(to encoder: Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(code, forKey: .code)
        try container.encode(date, forKey: .date)
        try container.encode(text, forKey: .text)
        try container.encode(rating, forKey: .rating)
        let names = (tags as? Set<Tag> ?? []).sorted { $0.name < $1.name }
        try container.encode(names, forKey: .tags)
    }
}

extension Entry {
    @nonobjc public class func fetchRequest() -> NSFetchRequest<Entry> {
        NSFetchRequest<Entry>(entityName: "Entry")
    }

    @objc(addTagsObject:)
    @NSManaged public func addToTags(_ value: Tag)

    @objc(removeTagsObject:)
    @NSManaged public func removeFromTags(_ value: Tag)

    @objc(addTags:)
    @NSManaged public func addToTags(_ values: NSSet)

    @objc(insertObject:inPhotosAtIndex:)
    @NSManaged public func insertIntoPhotos(_ value: Photo, at idx: Int)

    @objc(addPhotosObject:)
    @NSManaged public func addToPhotos(_ value: Photo)
}

@objc(Tag)
public final class Tag: NSManagedObject, Decodable {
    @NSManaged public var name: String
    @NSManaged public var entries: Set<Entry>

    public convenience init(from decoder: Decoder) throws {
        guard let context = decoder.userInfo[.context] as? NSManagedObjectContext,
            let entity = NSEntityDescription.entity(forEntityName: "Tag", in: context)
        else { throw DecodingFailure.noContext }
        self.init(entity: entity, insertInto: context)
        name = try decoder.singleValueContainer().decode(String.self)
    }
}

extension Tag: Encodable {
    public func encode(to encoder: Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }
}
