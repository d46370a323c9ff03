import CoreData

#if canImport(Combine)
    import Combine

    /// Publishes what a request finds, again at each change.
    public struct ResultsPublisher<Entity: NSManagedObject>: Publisher {
        public typealias Output = [Entity]
        public typealias Failure = Error

        private let request: NSFetchRequest<Entity>
        private let context: NSManagedObjectContext

        public init(request: NSFetchRequest<Entity>, context: NSManagedObjectContext) {
            self.request = request
            self.context = context
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            subscriber.receive(subscription: Inner(self.request, context, subscriber))
        }

        private final class Inner<S: Subscriber>: NSObject, Subscription, NSFetchedResultsControllerDelegate
        where S.Input == Output, S.Failure == Failure {
            private var subscriber: S?
            private var controller: NSFetchedResultsController<Entity>?

            init(_ request: NSFetchRequest<Entity>, _ context: NSManagedObjectContext, _ subscriber: S) {
                self.subscriber = subscriber
                super.init()
                let controller = NSFetchedResultsController(
                    fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil,
                    cacheName: nil)
                controller.delegate = self
                do {
                    try controller.performFetch()
                    self.controller = controller
                } catch {
                    subscriber.receive(completion: .failure(error))
                }
            }

            func request(_ demand: Subscribers.Demand) {
                guard demand > .none else { return }
                publish()
            }

            func cancel() {
                subscriber = nil
                controller = nil
            }

            func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
                publish()
            }

            private func publish() {
                _ = subscriber?.receive(controller?.fetchedObjects ?? [])
            }
        }
    }

    extension NSManagedObjectContext {
        /// Saves, and tells when that is done.
        public func savePublisher() -> Future<Bool, Error> {
            Future { promise in
                self.perform {
                    do {
                        let hadChanges = self.hasChanges
                        try self.save()
                        promise(.success(hadChanges))
                    } catch {
                        promise(.failure(error))
                    }
                }
            }
        }
    }
#endif
