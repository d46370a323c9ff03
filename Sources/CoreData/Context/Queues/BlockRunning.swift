// A function that runs a client's block, waits, and gives what it gives.

/// A protocol of contexts that bears `performAndWait` with a result.
///
/// Apps have an extension of `NSManagedObjectContext` with a function of that name, from before the systems had it. Swift takes that
/// then, which it would find as good as this one if this one stood in an extension of the class. Nothing else should conform.
public protocol BlockRunning: AnyObject {}

extension NSManagedObjectContext: BlockRunning {}
