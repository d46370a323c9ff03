// A store on a server that is written beside its place and takes it when it is whole.

package import Foundation

/// Keeps a store's place closed to others, and has another one beside it. One of `publish` and `discard` ends it.
package protocol StoreReplacement: AnyObject {
    /// The place that the new store is written to.
    var url: URL { get }

    /// Options that the former store is read with meanwhile, beside its own.
    var optionsOfFormer: [String: Any] { get }

    /// Puts the new store, which isn't open, in the place of the former one, which isn't either. All or nothing.
    func publish() throws

    /// Takes away what was written.
    func discard()
}
