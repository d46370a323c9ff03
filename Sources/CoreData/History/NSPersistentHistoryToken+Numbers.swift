// The numbers of a history token, for SwiftData's tokens, which encode themselves.

extension NSPersistentHistoryToken {
    /// A token for the last transactions of stores, by `NSStoreUUID`.
    @_spi(SwiftData)
    public convenience init(numbersByStore: [String: Int64]) { self.init(numbersByStore) }

    /// The number of the last transaction by `NSStoreUUID`.
    @_spi(SwiftData)
    public final var numbersByStore: [String: Int64] { numbers }
}
