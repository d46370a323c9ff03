// Declarations that ported code uses and Apple's framework lacks. They become a file of the target.

/// The file that porting adds to a target.
enum PortSupport {
    static let name = "CoreDataPortSupport.swift"

    static let text = """
        // Written by `coredata port`: what ported code calls, for Apple's systems. The same is in CoreData elsewhere.

        #if canImport(ObjectiveC)
        import CoreData

        extension NSFetchRequest {
            /// The request with another type of results, which the cast `as! NSFetchRequest<Result>` gives here.
            func returning<Result: NSFetchRequestResult>(_ type: Result.Type) -> NSFetchRequest<Result> {
                unsafeBitCast(self, to: NSFetchRequest<Result>.self)
            }
        }
        #endif

        """
}
