// Functions that run a client's block and give what it gives.

/// A protocol of contexts and containers that bears their generic functions: `performAndWait` with a result and the
/// asynchronous ones.
///
/// An app's own extension of these classes may have functions of the same names, from before the systems had them. Swift
/// takes those then, which it would find as good as these if these stood in an extension of the class. Nothing else should conform.
public protocol BlockRunning: AnyObject {}

extension NSManagedObjectContext: BlockRunning {}
extension NSPersistentContainer: BlockRunning {}
