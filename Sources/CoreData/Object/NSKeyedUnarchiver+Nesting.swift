// A look at an archive from outside before Foundation's unarchiver gets it, which follows circles without end.

import CoreDataStores
import CoreDataSupport
public import Foundation

extension NSKeyedUnarchiver {
    /// Checks that Foundation's unarchiver can read an archive without using up the stack.
    ///
    /// For archives of predicates, requests, history tokens and the like that come from outside. This library
    /// never gives archives from stores and models to Foundation's unarchiver. An addition to Foundation's
    /// class.
    ///
    /// - Throws: `CocoaError.coderReadCorrupt` if the data is no keyed archive, or if an object in it
    ///   contains itself or is nested more than 200 levels deep.
    public static func checkNesting(of data: Data) throws {
        do {
            try KeyedArchive(data).checkNesting()
        } catch {
            throw CoreDataError.make(
                CocoaError.coderReadCorrupt.rawValue, description: "The archive can't be read.", file: nil,
                reason: "\(error)")
        }
    }
}
