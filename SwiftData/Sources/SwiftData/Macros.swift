// The macros. SwiftDataMacros expands them.

import Foundation

/// Makes a class a model: its stored properties become attributes and relationships of an entity with the class's name.
///
/// ```swift
/// @Model
/// final class Trip {
///     var name: String
///     @Relationship(deleteRule: .cascade) var stops: [Stop] = []
///
///     init(name: String) {
///         self.name = name
///     }
/// }
/// ```
@attached(
    member, conformances: Observable, PersistentModel,
    names: named(schemaMetadata), named(_$modelClass), named(_$ownModelClass), named(_$ownProperties),
    named(_$modelStorage), named(_$references), named(_$takeObject), named(_$equals), named(init),
    prefixed(_$))
@attached(memberAttribute)
// What the compiler knows of a class while it looks into `@Relationship(inverse: \Stop.trip)` are the conformances listed here, not those that
// follow from them: without Hashable, `Set<Stop>` would be an error there, and `$0.stop != nil` in a predicate.
@attached(extension, conformances: Observable, PersistentModel, Hashable, Equatable)
public macro Model() = #externalMacro(module: "SwiftDataMacros", type: "ModelMacro")

/// States options of an attribute: `@Attribute(.unique) var name: String`.
@attached(peer)
public macro Attribute(
    _ options: Schema.Attribute.Option..., originalName: String? = nil, hashModifier: String? = nil
) = #externalMacro(module: "SwiftDataMacros", type: "MarkerMacro")

/// States how a property relates its model to others: `@Relationship(deleteRule: .cascade, inverse: \Stop.trip)`.
@attached(peer)
public macro Relationship(
    _ options: Schema.Relationship.Option..., deleteRule: Schema.Relationship.DeleteRule = .nullify,
    minimumModelCount: Int? = 0, maximumModelCount: Int? = 0, originalName: String? = nil,
    inverse: AnyKeyPath? = nil, hashModifier: String? = nil
) = #externalMacro(module: "SwiftDataMacros", type: "MarkerMacro")

/// Keeps a stored property out of the store. It must have an initial value.
@attached(peer)
public macro Transient() = #externalMacro(module: "SwiftDataMacros", type: "MarkerMacro")

/// States properties that no two models of the class have in common, alone or together.
@freestanding(declaration)
public macro Unique<T: PersistentModel>(_ constraints: [PartialKeyPath<T>]...) =
    #externalMacro(module: "SwiftDataMacros", type: "DeclarationMarkerMacro")

/// States properties by which a store finds models faster, alone or together.
@freestanding(declaration)
public macro Index<T: PersistentModel>(_ indices: [PartialKeyPath<T>]...) =
    #externalMacro(module: "SwiftDataMacros", type: "DeclarationMarkerMacro")

/// States properties by which a store finds models faster, with the kind of the index.
@freestanding(declaration)
public macro Index<T: PersistentModel>(_ indices: Schema.Index<T>.Types<T>...) =
    #externalMacro(module: "SwiftDataMacros", type: "DeclarationMarkerMacro")

/// Makes a stored property one whose value lies in the model's row. `@Model` adds it.
@attached(accessor, names: named(init), named(get), named(set), named(_modify))
@attached(peer, names: prefixed(_))
public macro _PersistedProperty(_ number: Int, isTransformable: Bool = false) =
    #externalMacro(module: "SwiftDataMacros", type: "PersistedPropertyMacro")

/// Gives an actor a context and an executor of its own, and `init(modelContainer:)`.
///
/// ```swift
/// @ModelActor
/// actor Importer {
///     func add(_ name: String) throws {
///         modelContext.insert(Trip(name: name))
///         try modelContext.save()
///     }
/// }
/// ```
@attached(member, names: named(modelExecutor), named(modelContainer), named(unownedExecutor), named(init))
@attached(extension, conformances: ModelActor)
public macro ModelActor() = #externalMacro(module: "SwiftDataMacros", type: "ModelActorMacro")
