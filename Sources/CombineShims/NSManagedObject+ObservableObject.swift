// Managed objects as observable ones.

#if Combine
    public import CoreData
    public import OpenCombine

    extension NSManagedObject: ObservableObject {
        /// A publisher that sends before the object changes: before a value is set, by whatever way, before a refresh, a
        /// rollback, an undo or a merge replaces values, and when the object becomes deleted.
        ///
        /// It sends on the context's queue, and is to be asked for there. Setting an equal value sends too.
        public var objectWillChange: ObservableObjectPublisher {
            changeSignal(ObservableObjectPublisher.init) { $0.send() }
        }
    }
#endif
