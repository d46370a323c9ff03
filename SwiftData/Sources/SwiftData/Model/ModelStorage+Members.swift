// To-many relationships whose arrays are changed in place: whoever appends in a loop changes the whole array each time.

@_spi(SwiftData) import CoreData
import Foundation

/// An array of models that a relationship leads to, as it was left by the last change in place.
struct MemberList {
    let state: MemberState
    /// The models, which nobody else holds as an array, so that they can be changed without a copy.
    var models: [AnyObject]
    /// Where the models lie, by which what was appended is told from what was there.
    var addresses: [UInt]

    struct Key: Hashable {
        let object: ObjectIdentifier
        let number: Int
    }
}

extension _ModelStorage {
    /// The value of a property that is about to be changed in place.
    ///
    /// - Parameters:
    ///   - number: the property's number in its class.
    ///   - model: the model.
    @_disfavoredOverload
    public func takeValue<Value: Codable>(_ number: Int, of model: some PersistentModel) -> Value {
        value(number, of: model)
    }

    /// Sets a property to its value that was changed in place.
    ///
    /// - Parameters:
    ///   - number: the property's number in its class.
    ///   - model: the model.
    ///   - value: the value.
    @_disfavoredOverload
    public func putValue<Value: Codable>(_ number: Int, of model: some PersistentModel, to value: Value) {
        setValue(number, of: model, to: value)
    }

    /// The models that a relationship leads to, which are about to be changed in place.
    ///
    /// - Parameters:
    ///   - number: the property's number in its class.
    ///   - model: the model.
    public func takeValue<Other: PersistentModel>(_ number: Int, of model: some PersistentModel) -> [Other] {
        guard let context = object.modelContext, let list = context.lists[key(number)],
            list.state == object.memberState(place(number).relationship).state
        else { return value(number, of: model) }
        noteRead(number, model)
        // The array is nobody else's from now on.
        context.lists[key(number)]?.models = []
        return unsafeBitCast(list.models, to: [Other].self)
    }

    /// Lets a relationship lead to the models of an array that was changed in place.
    ///
    /// - Parameters:
    ///   - number: the property's number in its class.
    ///   - model: the model.
    ///   - others: the models on the other side.
    public func putValue<Other: PersistentModel>(
        _ number: Int, of model: some PersistentModel, to others: [Other]
    ) {
        guard let context = object.modelContext else { return setValue(number, of: model, to: others) }
        let key = key(number)
        var addresses = context.lists.removeValue(forKey: key).flatMap { list in
            append(number, model, others, behind: list) ? list.addresses : nil
        }
        if addresses == nil { setValue(number, of: model, to: others) }
        // Joining may have changed the object's places.
        let (state, count) = object.memberState(place(number).relationship)
        guard count == others.count else { return }
        let known = addresses?.count ?? 0
        addresses = addresses ?? []
        for other in others[known...] { addresses?.append(Self.address(other)) }
        context.lists[key] = MemberList(
            state: state, models: unsafeBitCast(others, to: [AnyObject].self), addresses: addresses ?? [])
    }

    /// Adds what an array has behind the models of a list. Returns false, and does nothing, if it doesn't begin with these, or the
    /// relationship was changed meanwhile.
    private func append<Other: PersistentModel>(
        _ number: Int, _ model: some PersistentModel, _ others: [Other], behind list: MemberList
    ) -> Bool {
        let known = list.addresses.count
        guard others.count > known, list.state == object.memberState(place(number).relationship).state,
            others.withUnsafeBytes({ all in
                list.addresses.withUnsafeBytes { all.prefix($0.count).elementsAreSame(as: $0) }
            })
        else { return false }
        prepareToChange(model)
        let object = object(of: model)
        let new = others[known...].map { $0._$modelStorage.object(of: $0) }
        for other in new { object.join(other) }
        object.append(new, to: place(number).relationship)
        return true
    }

    private func key(_ number: Int) -> MemberList.Key {
        MemberList.Key(object: ObjectIdentifier(object), number: base + number)
    }

    private static func address(_ model: AnyObject) -> UInt {
        UInt(bitPattern: Unmanaged.passUnretained(model).toOpaque())
    }
}

extension Slice<UnsafeRawBufferPointer> {
    fileprivate func elementsAreSame(as other: UnsafeRawBufferPointer) -> Bool {
        let own = UnsafeRawBufferPointer(rebasing: self)
        guard let first = own.baseAddress, let second = other.baseAddress else { return other.isEmpty }
        return memcmp(first, second, other.count) == 0
    }
}
