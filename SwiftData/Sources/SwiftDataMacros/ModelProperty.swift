// The stored properties of a class, as `@Model` sees them.

import SwiftIfConfig
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// One stored property that the store keeps.
struct ModelProperty {
    let name: String
    /// The place among the class's persisted properties.
    let number: Int
    let declaration: VariableDeclSyntax
    let initialValue: ExprSyntax?
    /// `Schema.Attribute(…)` or `Schema.Relationship(…)`, as stated.
    let metadata: ExprSyntax?
    let isTransformable: Bool

    /// The properties of a class in the order of their declarations.
    static func all(
        in declaration: some DeclGroupSyntax, _ context: some MacroExpansionContext
    ) -> [ModelProperty] {
        var properties: [ModelProperty] = []
        for member in declaration.memberBlock.members {
            guard let variable = member.decl.as(VariableDeclSyntax.self), variable.isPersisted,
                !variable.isConstant || context.persistsConstants, let binding = variable.bindings.first,
                let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier
            else { continue }
            properties.append(
                ModelProperty(
                    name: name.text.trimmingBackticks, number: properties.count, declaration: variable,
                    initialValue: binding.initializer?.value.trimmed,
                    metadata: variable.statedMetadata,
                    isTransformable: variable.statesTransformer))
        }
        return properties
    }
}

extension MacroExpansionContext {
    /// Indicates that constants can be persisted: Swift 6 refuses accessors of theirs, and Swift 5 warns.
    var persistsConstants: Bool {
        buildConfiguration.map { $0.languageVersion < VersionTuple(6) } ?? false
    }
}

extension String {
    var trimmingBackticks: String { hasPrefix("`") && hasSuffix("`") ? String(dropFirst().dropLast()) : self }
}

extension VariableDeclSyntax {
    /// A stored instance property that isn't marked as transient.
    var isPersisted: Bool {
        guard bindings.count == 1, let binding = bindings.first else { return false }
        if binding.pattern.as(IdentifierPatternSyntax.self) == nil { return false }
        if modifiers.contains(where: { ["static", "class", "lazy"].contains($0.name.text) }) { return false }
        if attribute(named: "Transient") != nil || attribute(named: "_PersistedProperty") != nil {
            return false
        }
        return binding.isStored
    }

    func attribute(named name: String) -> AttributeSyntax? {
        for case .attribute(let attribute) in attributes {
            let text = attribute.attributeName.trimmedDescription
            if text == name || text == "SwiftData.\(name)" { return attribute }
        }
        return nil
    }

    /// The arguments of `@Attribute` or `@Relationship` as a value of the schema.
    var statedMetadata: ExprSyntax? {
        for (name, type) in [("Attribute", "Attribute"), ("Relationship", "Relationship")] {
            guard let attribute = attribute(named: name) else { continue }
            let arguments = attribute.arguments?.trimmedDescription ?? ""
            return "SwiftData.Schema.\(raw: type)(\(raw: arguments))"
        }
        return nil
    }

    var statesTransformer: Bool {
        attribute(named: "Attribute")?.arguments?.trimmedDescription.contains("transformable(") ?? false
    }
}

extension PatternBindingSyntax {
    /// No getter. Observers don't make a property computed.
    var isStored: Bool {
        switch accessorBlock?.accessors {
        case nil: true
        case .getter: false
        case .accessors(let list):
            list.allSatisfy { ["willSet", "didSet"].contains($0.accessorSpecifier.text) }
        }
    }
}
