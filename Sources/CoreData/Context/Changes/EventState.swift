// The part of a context that knows where in an event it is.

/// The event of a context: from its first change until observers were told.
struct EventState {
    /// Indicates that changes are being processed.
    var isProcessing = false
    /// Objects that are being told that they are deleted, the latest last. Their delete rules wait.
    var inPreparation: [NSManagedObject] = []
    /// `true` if the main thread's run loop is to process changes at the end of its turn.
    var awaitsEndOfTurn = false
    /// The objects of the event that observers are being told of, none once it ended early; nil at other times.
    var announced: [NSManagedObject]?
}
