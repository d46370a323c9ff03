// `@Model`: the members of a model class, and its conformances.

import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

struct ModelMacro {}

extension ModelMacro: MemberMacro {
    static func expansion(
        of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard let model = declaration.as(ClassDeclSyntax.self) else {
            throw ModelDiagnostic.noClass.error(at: node)
        }
        let isSound = PropertyCheck.pass(declaration, in: context)
        let name = model.name.trimmed.text
        let storage = model.storageName
        let access = model.access
        // A conformance that is there already is that of a superclass.
        let isRoot = protocols.contains { $0.is("PersistentModel") } || model.statesPersistentModel
        let overriding = isRoot ? "" : "override "
        let properties = ModelProperty.all(in: declaration, context)
        // Each read of a property reads the storage, which Swift would check for exclusive access by a call. Unchecked is sound as
        // models belong to one actor, and the library calls nothing of a client's while it changes the storage.
        var members: [DeclSyntax] = [
            "nonisolated private static let _$ownModelClass = SwiftData._ModelClass(\(raw: name).self)",
            """
            @exclusivity(unchecked) nonisolated(unsafe) private var \(raw: storage) =
                SwiftData._ModelStorage(\(raw: name)._$ownModelClass)
            """,
            "\(raw: model.overridableAccess)nonisolated \(raw: overriding)class var _$modelClass: SwiftData._ModelClass { _$ownModelClass }",
        ]
        members += metadata(
            of: properties, statements(in: model, name), name,
            model.overridableAccess + "nonisolated " + overriding)
        if isRoot {
            members.append(
                """
                \(raw: access)nonisolated var _$modelStorage: SwiftData._ModelStorage {
                    get { \(raw: storage) }
                    _modify { yield &\(raw: storage) }
                }
                """)
            members.append(
                """
                \(raw: access)nonisolated var _$references: SwiftData._ModelReferences { \(raw: storage).references }
                """)
            members.append(
                """
                \(raw: model.overridableAccess)nonisolated func _$takeObject(_ object: SwiftData._ModelObject) {
                    \(raw: storage).object = object
                }
                """
            )
        } else {
            members.append(
                """
                \(raw: model.overridableAccess)nonisolated override func _$takeObject(_ object: SwiftData._ModelObject) {
                    super._$takeObject(object)
                    \(raw: storage).object = object
                }
                """)
        }
        // A class that was refused has all members that others name, so that the compiler says nothing beside the reason.
        members.append(
            isSound
                ? initializer(of: properties, access, isRoot: isRoot)
                : "\(raw: access)nonisolated required init(_$object: __shared SwiftData._ModelObject) { Swift.fatalError() }"
        )
        if isRoot, model.statesEquality { members.append(equality(name, access)) }
        return members
    }

    /// `schemaMetadata`: the properties, unique constraints and indexes of the class itself.
    private static func metadata(
        of properties: [ModelProperty], _ statements: [String], _ name: String, _ modifiers: String
    ) -> [DeclSyntax] {
        let lines = properties.map { property in
            // The property's type, which may be inferred of the value, is the closure's.
            let value =
                property.initialValue.map { "SwiftData._initialValue(\\\(name).\(property.name)) { \($0) }" }
                ?? "nil"
            let metadata = property.metadata.map { "\($0)" } ?? "nil"
            return
                "SwiftData.Schema.PropertyMetadata(name: \"\(property.name)\", keypath: \\\(name).\(property.name), "
                + "defaultValue: \(value), metadata: \(metadata))"
        }
        // The list has the class's isolation, as key paths and initial values need it. Whoever asks for it has none.
        return [
            """
            private static func _$ownProperties() -> [SwiftData.Schema.PropertyMetadata] {
                [
                    \(raw: (lines + statements).joined(separator: ",\n        "))
                ]
            }
            """,
            """
            \(raw: modifiers)class var schemaMetadata: [SwiftData.Schema.PropertyMetadata] {
                SwiftData._withoutIsolation(_$ownProperties)
            }
            """,
        ]
    }

    /// The witness of a class that states an operator `==`. The conformance is that of a macro's extension, where the
    /// compiler finds an operator in the class twice, and can't decide for either.
    private static func equality(_ name: String, _ access: String) -> DeclSyntax {
        """
        @_implements(Swift.Equatable, ==(_:_:))
        \(raw: access)nonisolated static func _$equals(_ left: \(raw: name), _ right: \(raw: name)) -> Swift.Bool {
            left == right
        }
        """
    }

    /// What `#Unique` and `#Index` state.
    private static func statements(in model: ClassDeclSyntax, _ name: String) -> [String] {
        model.memberBlock.members.compactMap { member in
            guard let macro = member.decl.as(MacroExpansionDeclSyntax.self),
                ["Unique", "Index"].contains(macro.macroName.text)
            else { return nil }
            return "SwiftData.Schema.PropertyMetadata(SwiftData.Schema.\(macro.macroName.text)<\(name)>("
                + macro.arguments.trimmedDescription + "))"
        }
    }

    /// The initialiser that the library makes models of rows with: its storage takes the object that waits for it.
    private static func initializer(of properties: [ModelProperty], _ access: String, isRoot: Bool)
        -> DeclSyntax
    {
        let lines =
            properties.map { "_\($0.name) = SwiftData._Persisted()" }
            + (isRoot ? [] : ["super.init(_$object: _$object)"])
        return """
            \(raw: access)nonisolated required init(_$object: __shared SwiftData._ModelObject) {
                \(raw: lines.joined(separator: "\n    "))
            }
            """
    }
}

extension ModelMacro: MemberAttributeMacro {
    static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingAttributesFor member: some DeclSyntaxProtocol, in context: some MacroExpansionContext
    ) throws -> [AttributeSyntax] {
        guard declaration.is(ClassDeclSyntax.self), let variable = member.as(VariableDeclSyntax.self),
            variable.isPersisted,
            let property = ModelProperty.all(in: declaration, context).first(where: {
                $0.declaration.bindings.first?.pattern.trimmedDescription
                    == variable.bindings.first?.pattern.trimmedDescription
            })
        else { return [] }
        let more = property.isTransformable ? ", isTransformable: true" : ""
        return ["@SwiftData._PersistedProperty(\(raw: property.number)\(raw: more))"]
    }
}

extension ModelMacro: ExtensionMacro {
    static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        guard declaration.is(ClassDeclSyntax.self) else { return [] }
        // Those of a subclass are its superclass's.
        if protocols.isEmpty { return [] }
        // A property `id` of an actor's class is its identity too, which Swift then guards at run time.
        let guarded = declaration.isOfMainActor && declaration.statesIdentity ? "@preconcurrency " : ""
        let names = [
            guarded + "SwiftData.PersistentModel", "Observation.Observable", "Swift.Hashable",
            "Swift.Equatable",
        ].filter { name in protocols.contains { $0.is(name.split(separator: ".").last ?? "") } }
        return [
            try ExtensionDeclSyntax(
                "nonisolated extension \(type.trimmed): \(raw: names.joined(separator: ", ")) {}")
        ]
    }
}

extension TypeSyntax {
    /// Indicates whether this is a protocol of that name.
    fileprivate func `is`(_ name: some StringProtocol) -> Bool { trimmedDescription.hasSuffix(name) }
}

extension DeclGroupSyntax {
    /// Indicates whether the class states the main actor as its isolation.
    fileprivate var isOfMainActor: Bool {
        attributes.contains {
            $0.as(AttributeSyntax.self)?.attributeName.trimmedDescription.hasSuffix("MainActor") == true
        }
    }

    /// Indicates whether the class has a property `id` of the same isolation as the class.
    fileprivate var statesIdentity: Bool {
        memberBlock.members.contains { member in
            guard let variable = member.decl.as(VariableDeclSyntax.self) else { return false }
            return !variable.modifiers.contains { $0.name.text == "nonisolated" || $0.name.text == "static" }
                && variable.bindings.contains { $0.pattern.trimmedDescription == "id" }
        }
    }
}

extension ClassDeclSyntax {
    /// Indicates whether the class itself states that it is a model.
    fileprivate var statesPersistentModel: Bool {
        inheritanceClause?.inheritedTypes.contains { $0.type.is("PersistentModel") } == true
    }

    /// Indicates whether the class itself states an operator `==`.
    fileprivate var statesEquality: Bool {
        memberBlock.members.contains { $0.decl.as(FunctionDeclSyntax.self)?.name.text == "==" }
    }

    /// The variable with the values of the class's own properties.
    var storageName: String { "_$" + name.text.trimmingBackticks }

    /// The access level that generated members have, with a space behind it.
    var access: String {
        for modifier in modifiers {
            switch modifier.name.text {
            case "public", "open": return "public "
            case "package": return "package "
            default: continue
            }
        }
        return ""
    }

    /// That of members that subclasses override, which may be another module's if the class is open.
    var overridableAccess: String { modifiers.contains { $0.name.text == "open" } ? "open " : access }
}
