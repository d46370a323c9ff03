// Makes one model of several.

import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Foundation

extension ModelSchema {
    /// The same where nothing can be thrown.
    static func mergingOrRaise(_ models: [ModelSchema]) -> ModelSchema {
        do {
            return try merging(models)
        } catch {
            raise(
                .invalidArgument, error.localizedDescription, instead: "NSManagedObjectModel(checkingMerge:)")
        }
    }

    /// All that the models say. Two of them must say the same under one name.
    static func merging(_ models: [ModelSchema]) throws -> ModelSchema {
        var merged = ModelSchema()
        var entities: [String: EntitySchema] = [:]
        var templates: [String: FetchTemplateSchema] = [:]
        for model in models {
            for entity in model.entities
            where try isNew(entity, named: entity.name, kind: "entities", in: &entities) {
                merged.entities.append(entity)
            }
            for template in model.fetchTemplates
            where try isNew(template, named: template.name, kind: "fetch request templates", in: &templates) {
                merged.fetchTemplates.append(template)
            }
            for configuration in model.configurations { merged.add(configuration) }
        }
        merged.versionIdentifiers = Set(models.flatMap(\.versionIdentifiers)).sorted()
        return merged
    }

    private static func isNew<Part: Mergeable>(
        _ part: Part, named name: String, kind: String, in known: inout [String: Part]
    ) throws -> Bool {
        guard let former = known.updateValue(part, forKey: name) else { return true }
        guard former.meaning == part.meaning else {
            throw CoreDataError.make(
                NSCoreDataError,
                description: "Can't merge models with two different \(kind) named \"\(name)\".")
        }
        known[name] = former
        return false
    }

    private mutating func add(_ configuration: ConfigurationSchema) {
        guard let place = configurations.firstIndex(where: { $0.name == configuration.name }) else {
            configurations.append(configuration)
            return
        }
        for name in configuration.entityNames where !configurations[place].entityNames.contains(name) {
            configurations[place].entityNames.append(name)
        }
    }

    /// A model with exactly these versions of the entities, put together from those that have them: one model
    /// that has them all if there is one, else as many as it takes. `nil` if a version is nowhere. Looks no further than the
    /// first model that has these versions and nothing else.
    static func merging(
        _ models: some Sequence<ModelSchema>, forVersions wanted: [String: Data]
    ) -> ModelSchema? {
        guard !wanted.isEmpty else { return nil }
        var candidates: [(model: ModelSchema, hashes: [String: Data])] = []
        for model in models {
            let hashes = VersionHash.hashes(of: ModelIndex(model)).mapValues(\.data)
            if hashes == wanted { return model }
            candidates.append((model, hashes))
        }
        if let whole = candidates.first(where: { $0.hashes.merging(wanted) { $1 } == $0.hashes }) {
            return whole.model
        }
        var merged = ModelSchema()
        for candidate in candidates {
            let names = Set(merged.entities.map(\.name))
            let fitting = Set(
                candidate.model.entities.map(\.name).filter {
                    !names.contains($0) && wanted[$0] == candidate.hashes[$0] && wanted[$0] != nil
                })
            merged.add(fitting, from: candidate.model)
        }
        let isWhole = Set(merged.entities.map(\.name)) == Set(wanted.keys)
        return isWhole && ModelSoundness.flaw(in: merged) == nil ? merged : nil
    }

    /// The model with a store's entities and no others, whose hashes are the store's as far as the formula for them is settled:
    /// a source model of a store that Apple's framework made may be recognised by no more. `nil` if several versions come into
    /// question.
    static func agreeing(
        _ models: some Sequence<ModelSchema>, withVersions wanted: [String: Data]
    ) -> ModelSchema? {
        var found: (model: ModelSchema, hashes: [String: EntityHash])?
        for model in models {
            let hashes = VersionHash.hashes(of: ModelIndex(model))
            let agrees = hashes.allSatisfy { name, own in
                wanted[name].map { !own.isCertain || own.data == $0 } ?? false
            }
            guard agrees, hashes.count == wanted.count, hashes != found?.hashes else { continue }
            if found != nil { return nil }
            found = (model, hashes)
        }
        return found?.model
    }

    /// Takes these entities and what the model says about them alone.
    private mutating func add(_ names: Set<String>, from model: ModelSchema) {
        guard !names.isEmpty else { return }
        entities += model.entities.filter { names.contains($0.name) }
        for configuration in model.configurations {
            add(
                ConfigurationSchema(
                    name: configuration.name, entityNames: configuration.entityNames.filter(names.contains)))
        }
        fetchTemplates += model.fetchTemplates.filter { template in
            names.contains(template.request.entityName)
                && !fetchTemplates.contains { $0.name == template.name }
        }
        versionIdentifiers = Set(versionIdentifiers + model.versionIdentifiers).sorted()
    }
}

/// Something of which a merged model has one under each name.
private protocol Mergeable: Hashable {
    /// The part that must be the same in all models.
    var meaning: Self { get }
}

extension EntitySchema: Mergeable {
    /// A compiled entity and its source are the same, though sources say more and the compiled one may know the
    /// module of its class.
    var meaning: EntitySchema {
        var entity = ModelSchema(entities: [self]).compiled.entities[0].normalized
        entity.className = className?.split(separator: ".").last.map(String.init)
        return entity
    }
}

extension FetchTemplateSchema: Mergeable {
    var meaning: FetchTemplateSchema { self }
}
