// The signal of one object, which is made when it is first asked for.

extension NSManagedObject {
    /// The object's signal, made at the first call. It is sent on the context's queue before a value is set and before values
    /// are replaced, and when the object becomes deleted or stops being so.
    package final func changeSignal<Sender: AnyObject>(
        _ make: () -> Sender, send: @escaping (Sender) -> Void
    ) -> Sender {
        if let sender = observers.signal?.sender as? Sender { return sender }
        let sender = make()
        observers.signal = ChangeSignal(sender: sender, send: { send(sender) })
        updateTracking()
        return sender
    }
}
