import CoreData

@objc(Account)
public class Account: NSManagedObject {
    @NSManaged public var name: String?
    @NSManaged public var balance: NSDecimalNumber?
    @NSManaged public var note: String?
}

@objc(Setting)
public class Setting: NSManagedObject {
    @NSManaged public var key: String?
}
