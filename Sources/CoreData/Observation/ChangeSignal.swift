// The signal before any change of one object, for publishers: CombineShims' `objectWillChange`.

/// A signal that is sent before an object changes. The object keeps it.
package struct ChangeSignal {
    /// The object that sends the signal on, kept for callers that ask for it again.
    package let sender: AnyObject
    let send: () -> Void
}
