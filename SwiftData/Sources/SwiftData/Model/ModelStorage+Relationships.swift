// Reading and writing relationships.

@_spi(SwiftData) import CoreData
import Foundation

extension _ModelStorage {
    // MARK: To one

    /// The model that a relationship leads to, or nil.
    ///
    /// - Parameters:
    ///   - number: the property's number in its class.
    ///   - model: the model.
    public func value<Other: PersistentModel>(_ number: Int, of model: some PersistentModel) -> Other? {
        noteRead(number, model)
        return related(number)
    }

    /// The model that a relationship leads to.
    ///
    /// - Parameters:
    ///   - number: the property's number in its class.
    ///   - model: the model.
    public func value<Other: PersistentModel>(_ number: Int, of model: some PersistentModel) -> Other {
        if let other: Other = value(number, of: model) { return other }
        return object.placeholder(for: Other.self)
    }

    private func related<Other: PersistentModel>(_ number: Int) -> Other? {
        let other: _ModelObject? = object[place(number).relationship]
        return other.map { $0.bound.model(as: Other.self) }
    }

    /// Lets a relationship lead to a model, or nowhere.
    ///
    /// - Parameters:
    ///   - number: the property's number in its class.
    ///   - model: the model.
    ///   - other: the model on the other side, or nil.
    public func setValue<Other: PersistentModel>(
        _ number: Int, of model: some PersistentModel, to other: Other?
    ) {
        prepareToChange(model)
        let object = object(of: model)
        let target = other.map { $0._$modelStorage.object(of: $0) }
        if let target { object.join(target) }
        object[place(number).relationship] = target
    }

    /// Lets a relationship lead to a model.
    ///
    /// - Parameters:
    ///   - number: the property's number in its class.
    ///   - model: the model.
    ///   - other: the model on the other side.
    public func setValue<Other: PersistentModel>(
        _ number: Int, of model: some PersistentModel, to other: Other
    ) {
        setValue(number, of: model, to: Optional(other))
    }

    /// Lets a relationship of a new model lead to a model, or nowhere.
    ///
    /// - Parameters:
    ///   - number: the property's number in its class.
    ///   - other: the model on the other side, or nil.
    public mutating func initialize<Other: PersistentModel>(_ number: Int, to other: Other?) {
        if isOfRow { return }
        findModel()
        let target = other.map { $0._$modelStorage.object(of: $0) }
        if let target { object.join(target, isMaking: true) }
        object[place(number).relationship] = target
        keepContext()
    }

    /// Lets a relationship of a new model lead to a model.
    ///
    /// - Parameters:
    ///   - number: the property's number in its class.
    ///   - other: the model on the other side.
    public mutating func initialize<Other: PersistentModel>(_ number: Int, to other: Other) {
        initialize(number, to: Optional(other))
    }

    // MARK: To many

    /// The models that a relationship leads to.
    ///
    /// - Parameters:
    ///   - number: the property's number in its class.
    ///   - model: the model.
    public func value<Other: PersistentModel>(_ number: Int, of model: some PersistentModel) -> [Other] {
        noteRead(number, model)
        return members(number)
    }

    /// The models that a relationship leads to; never nil.
    ///
    /// - Parameters:
    ///   - number: the property's number in its class.
    ///   - model: the model.
    public func value<Other: PersistentModel>(_ number: Int, of model: some PersistentModel) -> [Other]? {
        noteRead(number, model)
        return members(number)
    }

    /// The models that a relationship leads to, without an order.
    ///
    /// - Parameters:
    ///   - number: the property's number in its class.
    ///   - model: the model.
    public func value<Other: PersistentModel>(_ number: Int, of model: some PersistentModel) -> Set<Other> {
        noteRead(number, model)
        return Set(members(number) as [Other])
    }

    private func members<Other: PersistentModel>(_ number: Int) -> [Other] {
        let members: [_ModelObject] = object[place(number).relationship]
        return members.map { $0.bound.model(as: Other.self) }
    }

    /// Lets a relationship lead to models, or none.
    ///
    /// - Parameters:
    ///   - number: the property's number in its class.
    ///   - model: the model.
    ///   - others: the models on the other side.
    public func setValue<Other: PersistentModel>(
        _ number: Int, of model: some PersistentModel, to others: [Other]
    ) {
        prepareToChange(model)
        setMembers(number, object(of: model), others)
    }

    /// Lets a relationship lead to models, or none.
    ///
    /// - Parameters:
    ///   - number: the property's number in its class.
    ///   - model: the model.
    ///   - others: the models on the other side; nil for none.
    public func setValue<Other: PersistentModel>(
        _ number: Int, of model: some PersistentModel, to others: [Other]?
    ) {
        setValue(number, of: model, to: others ?? [])
    }

    /// Lets a relationship lead to models, or none.
    ///
    /// - Parameters:
    ///   - number: the property's number in its class.
    ///   - model: the model.
    ///   - others: the models on the other side.
    public func setValue<Other: PersistentModel>(
        _ number: Int, of model: some PersistentModel, to others: Set<Other>
    ) {
        setValue(number, of: model, to: Array(others))
    }

    /// Lets a relationship of a new model lead to models, or none.
    ///
    /// - Parameters:
    ///   - number: the property's number in its class.
    ///   - others: the models on the other side.
    public mutating func initialize<Other: PersistentModel>(_ number: Int, to others: [Other]) {
        if isOfRow || others.isEmpty { return }
        findModel()
        setMembers(number, object, others, isMaking: true)
        keepContext()
    }

    /// Lets a relationship of a new model lead to models, or none.
    ///
    /// - Parameters:
    ///   - number: the property's number in its class.
    ///   - others: the models on the other side; nil for none.
    public mutating func initialize<Other: PersistentModel>(_ number: Int, to others: [Other]?) {
        initialize(number, to: others ?? [])
    }

    /// Lets a relationship of a new model lead to models, or none.
    ///
    /// - Parameters:
    ///   - number: the property's number in its class.
    ///   - others: the models on the other side.
    public mutating func initialize<Other: PersistentModel>(_ number: Int, to others: Set<Other>) {
        initialize(number, to: Array(others))
    }

    private func setMembers<Other: PersistentModel>(
        _ number: Int, _ object: _ModelObject, _ others: [Other], isMaking: Bool = false
    ) {
        // Models that are there already needn't be joined: whoever appends in a loop sets all of them each
        // time.
        let present: [_ModelObject] = isMaking ? [] : object[place(number).relationship]
        var known = 0
        while known < present.count, known < others.count,
            present[known].model === others[known]
        {
            known += 1
        }
        let new = others[known...].map { $0._$modelStorage.object(of: $0) }
        for other in new { object.join(other, isMaking: isMaking) }
        // The object may have entered the context of one behind those that are in none.
        for other in new { object.join(other, isMaking: isMaking) }
        // Joining may have made the object one of another schema's entity, with places of its own.
        object[place(number).relationship] = present[..<known] + new
    }
}
