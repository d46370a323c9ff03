// Fetching.

@_spi(SwiftData) import CoreData
import Foundation

extension ModelContext {
    /// Returns the models that a descriptor looks for.
    ///
    /// ```swift
    /// let trips = try context.fetch(FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name)]))
    /// ```
    ///
    /// - Throws: `SwiftDataError.unknownSchema` for a class that isn't the container's, `unsupportedPredicate`,
    ///   `unsupportedSortDescriptor`, `unsupportedKeyPath`; the store's errors.
    public func fetch<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> [T] {
        let binding = try binding(of: T.self)
        if let client = clientFetch(binding) { return try client.models(descriptor) }
        takeOverSaves()
        let objects = try managed.objects(of: try request(descriptor, binding, as: _ModelObject.self))
        return models(of: objects, binding)
    }

    /// Returns how many models a descriptor finds.
    ///
    /// - Throws: what `fetch(_:)` throws.
    public func fetchCount<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> Int {
        let binding = try binding(of: T.self)
        if let client = clientFetch(binding) { return try client.count(descriptor) }
        takeOverSaves()
        return try managed.count(for: try request(descriptor, binding, as: _ModelObject.self))
    }

    /// Returns the identifiers of the models that a descriptor finds.
    ///
    /// - Throws: what `fetch(_:)` throws.
    public func fetchIdentifiers<T: PersistentModel>(
        _ descriptor: FetchDescriptor<T>
    ) throws -> [PersistentIdentifier] {
        let binding = try binding(of: T.self)
        if let client = clientFetch(binding) { return try client.identifiers(descriptor) }
        takeOverSaves()
        let request = try request(descriptor, binding, as: NSManagedObjectID.self)
        request.resultType = .managedObjectIDResultType
        return try managed.fetch(request).map(PersistentIdentifier.init)
    }

    /// The request of a descriptor, with identifiers in its predicate as those of the container's stores.
    func request<T: PersistentModel, Result: NSFetchRequestResult>(
        _ descriptor: FetchDescriptor<T>, _ binding: ModelBinding, as type: Result.Type
    ) throws -> NSFetchRequest<Result> {
        try PersistentIdentifier.$coordinator.withValue(container.coordinator) {
            try descriptor.request(binding.entity, as: type)
        }
    }

    func binding(of type: any PersistentModel.Type) throws -> ModelBinding {
        guard let found = managed.models.binding(of: type) else {
            throw SwiftDataError.unknownSchema.because("\(type) is no model of the container")
        }
        return found
    }

    /// The models of objects, most of which are of one class.
    func models<T: PersistentModel>(of objects: [_ModelObject], _ binding: ModelBinding) -> [T] {
        let number = binding.entity.number
        // As references to objects of any class, which takes no calls of generic code for each.
        return [T](unsafeUninitializedCapacity: objects.count) { models, count in
            models.withMemoryRebound(to: AnyObject.self) { models in
                objects.each { object in
                    let isOfClass = object.entityNumber == number
                    if isOfClass, object.bindingReference == nil { object.bind(binding) }
                    let model: T = isOfClass ? T.of(object) : object.bound.model(as: T.self)
                    models.initializeElement(at: count, to: model)
                    count += 1
                }
            }
        }
    }

    // MARK: Identifiers

    /// Returns the model of an identifier if the context has it already.
    public func registeredModel<T: PersistentModel>(for identifier: PersistentIdentifier) -> T? {
        takeOverSaves()
        guard let id = objectID(of: identifier),
            let object = managed.registeredObject(for: id) as? _ModelObject
        else { return nil }
        return object.bound.anyModel as? T
    }

    /// Returns the model of an identifier, which may turn out not to be in the store.
    public func model(for identifier: PersistentIdentifier) -> any PersistentModel {
        takeOverSaves()
        guard let id = objectID(of: identifier), let object = managed.object(with: id) as? _ModelObject else {
            brokenContract("\(identifier) belongs to no store of the container")
        }
        return object.bound.anyModel
    }

    /// The model of an identifier with its values, or nil.
    func existingModel(for identifier: PersistentIdentifier) -> (any PersistentModel)? {
        takeOverSaves()
        guard let id = objectID(of: identifier),
            let object = (try? managed.existingObject(with: id)) as? _ModelObject
        else { return nil }
        return object.bound.anyModel
    }

    /// The object ID of an identifier in this container.
    func objectID(of identifier: PersistentIdentifier) -> NSManagedObjectID? {
        let coordinator = container.coordinator
        if let id = identifier.objectID, id.entity.managedObjectModel === managed.models.model {
            return id.isTemporaryID ? savedIDs[id] ?? id : id
        }
        if let store = container.clientStores.first(where: { $0.identifier == identifier.storeIdentifier }) {
            return store.objectID(of: identifier)
        }
        guard let store = identifier.storeIdentifier,
            let url = URL(string: "x-coredata://\(store)/\(identifier.entityName)/\(identifier.id.key)")
        else { return nil }
        return coordinator.managedObjectID(forURIRepresentation: url)
    }
}
