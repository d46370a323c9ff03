// Sources of a store's rows beside the store itself.

/// Reads a store beside whoever has the coordinator's lock.
package protocol StoreReader: RowSource {
    /// Ends the reading: the source isn't asked any more.
    func giveBack()

    /// Runs a block, whose reads stop once `isCancelled` says so.
    func stopping<Result>(
        when isCancelled: @escaping () -> Bool, _ body: () throws -> Result
    ) rethrows -> Result
}

/// One state of a store, which stays readable while the store is written to. It is kept as long as somebody holds it, unless
/// it costs the store too much.
package protocol ReadSnapshot: RowSource {
    /// Indicates whether the state can't be read any more.
    var hasEnded: Bool { get }
}
