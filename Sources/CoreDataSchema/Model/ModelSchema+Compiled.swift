// The part of a source model that remains after compilation.

extension ModelSchema {
    /// The model without what only sources state: code generation, scalar types, the names of composite types.
    package var compiled: ModelSchema {
        var model = self
        model.source = nil
        for index in model.entities.indices {
            model.entities[index].codeGeneration = nil
            model.entities[index].classModule = nil
            model.entities[index].properties = model.entities[index].properties.map { $0.compiled }
        }
        return model
    }
}

extension PropertySchema {
    fileprivate var compiled: PropertySchema {
        guard case .attribute(var traits) = kind else { return self }
        traits.usesScalarValueType = false
        traits.compositeName = nil
        traits.elements = traits.elements.map { $0.compiled }
        var property = self
        property.kind = .attribute(traits)
        return property
    }
}
