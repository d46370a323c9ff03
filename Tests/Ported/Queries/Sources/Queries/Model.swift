import CoreData
import Foundation

/// Urgency as code has it; the model has a number.
@objc public enum Priority: Int16 {
    case low = 0
    case high = 5
}

@objc(Note)
public final class Note: NSManagedObject {
    @NSManaged public var text: String
    @NSManaged public var code: String?
    @NSManaged public var priority: Int16
    @NSManaged public var written: Date?
    @NSManaged public var folder: Folder?
    @NSManaged public var tags: Set<Tag>

    public var urgency: Priority {
        get { Priority(rawValue: priority) ?? .low }
        set { priority = newValue.rawValue }
    }

    @nonobjc public class func fetchRequest() -> NSFetchRequest<Note> {
        NSFetchRequest<Note>(entityName: "Note")
    }
}

@objc(Folder)
public final class Folder: NSManagedObject {
    @NSManaged public var name: String?
    @NSManaged public var notes: NSSet?
}

@objc(Tag)
public final class Tag: NSManagedObject {
    @NSManaged public var name: String?
    @NSManaged public var notes: Set<Note>?
}
