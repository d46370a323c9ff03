// The way in which `FUNCTION(operand, "selector:", …)` reaches objects that have functions of their own.

package import CoreDataSupport

/// An object with functions beyond the closed table. Those that lead a migration conform; formats of a client's
/// users can't name one of them.
package protocol FunctionCallable: AnyObject {
    /// Calls a function by its selector's name; throws for one that the object doesn't have.
    func predicateCall(_ selector: String, arguments: [Value]) throws -> Value
}
