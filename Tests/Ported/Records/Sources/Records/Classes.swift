import CoreData
import Foundation

@objc(Writer)
public class Writer: NSManagedObject, ActiveRecord {
    @NSManaged public var name: String?
    @NSManaged public var born: Int16
    @NSManaged public var books: Set<Book>

    @objc(addBooksObject:)
    @NSManaged public func addToBooks(_ value: Book)
    @objc(removeBooksObject:)
    @NSManaged public func removeFromBooks(_ value: Book)
    @objc(removeBooks:)
    @NSManaged public func discard(_ books: NSSet)

    /// Counted at each look.
    @objc public var pages: Int { books.map { Int($0.pages) }.reduce(0, +) }
}

@objc(Book)
@objcMembers
open class Book: NSManagedObject, ActiveRecord {
    @NSManaged open var author: Writer?
    @NSManaged open var pages: Int32
    @NSManaged open var title: String

    open override func awakeFromInsert() {
        super.awakeFromInsert()
        setPrimitiveValue(Date(timeIntervalSinceReferenceDate: 0), forKey: #keyPath(Book.created))
    }

    open override var description: String { "\(title), with \(#keyPath(Book.pages)) \(pages)" }
}

extension Book {
    @NSManaged public private(set) var created: Date?
}

/// Overrides stand apart from the class.
extension Book {
    public override func willSave() {
        super.willSave()
        if title.isEmpty { setPrimitiveValue("Untitled", forKey: "title") }
    }

    @available(macOS 10.15, iOS 13.0, *)
    public override func validateForInsert() throws {
        try super.validateForInsert()
        if pages < 0 {
            throw NSError(
                domain: NSCocoaErrorDomain, code: NSValidationNumberTooSmallError,
                userInfo: [NSValidationKeyErrorKey: #keyPath(Book.pages), NSValidationObjectErrorKey: self])
        }
    }
}

/// Makes itself by an initialiser of its own, and by the framework's.
@objc(Loan)
public final class Loan: NSManagedObject, ActiveRecord {
    @NSManaged public var reader: String?
    @NSManaged public var weeks: Int16
    public private(set) var isExtended = false

    public override init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        super.init(entity: entity, insertInto: context)
        isExtended = false
    }

    public init(reader: String, weeks: Int16, in context: NSManagedObjectContext) {
        super.init(
            entity: NSEntityDescription.entity(forEntityName: "Loan", in: context)!, insertInto: context)
        self.reader = reader
        self.weeks = weeks
        isExtended = weeks > 1
    }

    public convenience init(in context: NSManagedObjectContext) {
        self.init(reader: "Nobody", weeks: 0, in: context)
    }
}

/// Known to this file only.
@objc(Shelf)
private class Shelf: NSManagedObject {
    @NSManaged var room: String?
}

public func rooms(in context: NSManagedObjectContext) throws -> [String] {
    let names = ["Attic", "Cellar"]
    for name in names { Shelf(context: context).room = name }
    try context.save()
    let request = NSFetchRequest<NSFetchRequestResult>(entityName: NSStringFromClass(Shelf.self))
    request.sortDescriptors = [NSSortDescriptor(key: #keyPath(Shelf.room), ascending: false)]
    return try (context.fetch(request) as! [Shelf]).compactMap { $0.room }
}
