// Values of properties whose types only the running program knows.

@_spi(SwiftData) import CoreData
import Foundation

extension _ModelObject {
    /// The number of a property by its name.
    func number(_ name: String) -> Int {
        guard let number = binding.properties.firstIndex(where: { $0.name == name }) else {
            brokenContract("\(binding.modelClass.type) has no property \(name)")
        }
        return number
    }

    /// The value of a property, or the one that stands for nil.
    func anyValue<Value>(_ number: Int) -> Value {
        if let value = storedValue(number, as: Value.self) as? Value { return value }
        if let value = binding.defaultValue(number) as? Value { return value }
        if let value = emptyValue(of: Value.self) { return value }
        if let value = placeholder(as: Value.self) { return value }
        brokenContract(
            "\(binding.modelClass.type).\(name(number)) holds no \(Value.self), and has no initial value")
    }

    /// The value of a property as a type's, unless there is none.
    func storedValue(_ number: Int, as type: any Any.Type) -> Any? {
        let type = unwrapped(type)
        let place = places[number]
        if let model = type as? any PersistentModel.Type {
            let other: _ModelObject? = self[place.relationship]
            return other.map { object in object.bound.upcastModel(model) }
        }
        if let collection = type as? any RelationshipCollection.Type {
            let members: [_ModelObject] = self[place.relationship]
            return collection.make(members.map { $0.bound.anyModel })
        }
        if binding.isTransformable(number) { return value(forKey: name(number)) }
        if let form = binding.composites[number] {
            return elements(form, number).flatMap(form.value)
        }
        if let storable = type as? any ManagedStorable.Type { return load(storable, place.attribute) }
        if let raw = type as? any RawRepresentable.Type, ValueKind(type) != .codable {
            return loadCase(raw, place.attribute)
        }
        func decoded<Coded: Decodable>(_ type: Coded.Type) -> Any? {
            Data.loadIfPresent(from: self, place.attribute).flatMap { ValueCoding.decode(type, from: $0) }
        }
        return (type as? any Decodable.Type).flatMap { decoded($0) }
    }

    private func load<Stored: ManagedStorable>(_ type: Stored.Type, _ attribute: ManagedAttribute) -> Any? {
        type.loadIfPresent(from: self, attribute)
    }

    private func loadCase<Raw: RawRepresentable>(_ type: Raw.Type, _ attribute: ManagedAttribute) -> Any? {
        guard let stored = Raw.RawValue.self as? any ManagedStorable.Type,
            let raw = load(stored, attribute) as? Raw.RawValue
        else { return nil }
        return Raw(rawValue: raw)
    }

    private func upcastModel<Model: PersistentModel>(_ type: Model.Type) -> Any { model(as: type) }

    private func placeholder<Value>(as type: Value.Type) -> Value? {
        func make<Model: PersistentModel>(_ type: Model.Type) -> Any { placeholder(for: type) }
        return (type as? any PersistentModel.Type).flatMap { make($0) as? Value }
    }

    /// A new model of no context with initial values: stands for nil in a relationship that can't be nil.
    func placeholder<Model: PersistentModel>(for type: Model.Type) -> Model {
        type._$modelClass.binding.makeObject().model(as: type)
    }

    /// Sets the value of a property.
    func setAnyValue<Value>(_ number: Int, to value: Value) {
        let place = places[number]
        let content = unwrappedValue(value)
        let type = unwrapped(Value.self)
        if type is any PersistentModel.Type {
            let other = (content as? any PersistentModel).map { Self.object(of: $0) }
            if let other { join(other) }
            self[place.relationship] = other
        } else if let collection = type as? any RelationshipCollection.Type {
            let others = content.map { collection.elements($0) } ?? []
            let objects = others.map { Self.object(of: $0) }
            for object in objects { join(object) }
            self[place.relationship] = objects
        } else if binding.isTransformable(number) {
            setValue(content, forKey: name(number))
        } else if type is any ManagedStorable.Type
            || (type is any RawRepresentable.Type && ValueKind(type) != .codable)
        {
            let raw = content.map { ($0 as? any RawRepresentable)?.rawValue ?? $0 }
            store(raw, place.attribute, number)
        } else if let encodable = content as? any Codable {
            func encode<Coded: Codable>(_ value: Coded) { self.encode(value, number) }
            encode(encodable)
        } else if binding.composites[number] != nil {
            setValue(nil, forKey: name(number))
        } else {
            Data?.store(nil, in: self, place.attribute)
        }
    }

    private func store(_ value: Any?, _ attribute: ManagedAttribute, _ number: Int) {
        guard let storable = value as? any ManagedStorable else { return setValue(nil, forKey: name(number)) }
        func store<Stored: ManagedStorable>(_ value: Stored) { Stored.store(value, in: self, attribute) }
        store(storable)
    }

    static func object(of model: any PersistentModel) -> _ModelObject {
        func object(_ model: some PersistentModel) -> _ModelObject { model._$modelStorage.object(of: model) }
        return object(model)
    }

    /// Takes one property's value from values in somebody else's form.
    func copyValue<Model: PersistentModel>(
        _ number: Int, _ keyPath: AnyKeyPath, _ data: any BackingData<Model>
    ) {
        let type = unwrapped(Swift.type(of: keyPath).valueType)
        if let coded = type as? any Codable.Type {
            func copy<Value: Codable>(_ type: Value.Type) {
                if let path = keyPath as? KeyPath<Model, Value> {
                    setAnyValue(number, to: data.getValue(forKey: path))
                } else if let path = keyPath as? KeyPath<Model, Value?> {
                    setAnyValue(number, to: data.getValue(forKey: path))
                }
            }
            copy(coded)
        } else if let model = type as? any PersistentModel.Type {
            func copy<Value: PersistentModel>(_ type: Value.Type) {
                if let path = keyPath as? KeyPath<Model, Value?> {
                    setAnyValue(number, to: data.getValue(forKey: path))
                } else if let path = keyPath as? KeyPath<Model, Value> {
                    setAnyValue(number, to: data.getValue(forKey: path))
                }
            }
            copy(model)
        } else if let collection = type as? any RelationshipCollection.Type {
            func copy<Value: RelationshipCollection>(_ type: Value.Type) {
                if let path = keyPath as? KeyPath<Model, Value> {
                    setAnyValue(number, to: data.getValue(forKey: path))
                }
            }
            copy(collection)
        }
    }
}

extension RelationshipCollection {
    /// The collection of models, as far as they are of its class.
    static func make(_ models: [any PersistentModel]) -> Any {
        let elements = models.compactMap { $0 as? PersistentElement }
        return Self.self == Set<PersistentElement>.self ? Set(elements) as Any : elements
    }

    /// The models of a collection.
    static func elements(_ collection: Any) -> [any PersistentModel] {
        if let set = collection as? Set<PersistentElement> { return Array(set) }
        return collection as? [PersistentElement] ?? []
    }
}

extension ModelBinding {
    /// Indicates whether a transformer makes the stored bytes of an attribute.
    func isTransformable(_ number: Int) -> Bool {
        (properties[number].metadata as? Schema.Attribute)?.isTransformable ?? false
    }
}
