// The reasons why a class can't be a model, each at its property.

import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// Looks for properties that can't be what the class states.
struct PropertyCheck {
    /// Tells of all that is wrong. Returns whether nothing is.
    static func pass(_ declaration: some DeclGroupSyntax, in context: some MacroExpansionContext) -> Bool {
        var isSound = true
        for member in declaration.memberBlock.members {
            guard let variable = member.decl.as(VariableDeclSyntax.self) else { continue }
            if let observer = variable.ignoredObserver {
                context.diagnose(Diagnostic(node: observer, message: ModelDiagnostic.observed(variable.name)))
            }
            guard let (diagnostic, node) = fault(of: variable, in: context) else { continue }
            context.diagnose(Diagnostic(node: node, message: diagnostic))
            isSound = false
        }
        return isSound
    }

    private static func fault(
        of variable: VariableDeclSyntax, in context: some MacroExpansionContext
    ) -> (ModelDiagnostic, Syntax)? {
        if variable.modifiers.contains(where: { ["static", "class"].contains($0.name.text) }) { return nil }
        let names = variable.bindings.map { $0.pattern.trimmedDescription.trimmingBackticks }
        let name = names.first ?? ""
        let stated = ["Attribute", "Relationship"].filter { variable.attribute(named: $0) != nil }
        if stated.count == 2 { return (.both(name), Syntax(variable)) }
        guard let binding = variable.bindings.first else { return nil }
        if !binding.isStored {
            return stated.first.map { (.computed(name, macro: $0), Syntax(variable)) }
        }
        if variable.attribute(named: "Transient") != nil {
            let isOptional = binding.typeAnnotation?.type.isOptional ?? false
            if binding.initializer == nil, !isOptional || variable.isConstant {
                return (.transientWithoutValue(name), Syntax(variable))
            }
            return nil
        }
        if variable.isConstant, !context.persistsConstants {
            return (.constant(name), Syntax(variable.bindingSpecifier))
        }
        return persistedFault(of: variable, binding, names)
    }

    private static func persistedFault(
        of variable: VariableDeclSyntax, _ binding: PatternBindingSyntax, _ names: [String]
    ) -> (ModelDiagnostic, Syntax)? {
        let name = names.first ?? ""
        if variable.modifiers.contains(where: { $0.name.text == "lazy" }) {
            return (.lazy(name), Syntax(variable))
        }
        if names.count > 1 || binding.pattern.is(TuplePatternSyntax.self) {
            return (.several(names.map { "'\($0)'" }.joined(separator: ", ")), Syntax(variable))
        }
        if let relationship = variable.attribute(named: "Relationship"),
            relationship.arguments?.trimmedDescription.contains(".unique") == true,
            binding.typeAnnotation?.type.isCollection == true
        {
            return (.uniqueRelationship(name), Syntax(relationship))
        }
        return nil
    }
}

extension VariableDeclSyntax {
    var isConstant: Bool { bindingSpecifier.tokenKind == .keyword(.let) }

    fileprivate var name: String { bindings.first?.pattern.trimmedDescription.trimmingBackticks ?? "" }

    /// The first observer of a persisted property, which has accessors, so that Swift doesn't call it.
    fileprivate var ignoredObserver: AccessorDeclSyntax? {
        guard isPersisted, case .accessors(let list) = bindings.first?.accessorBlock?.accessors else {
            return nil
        }
        return list.first { ["willSet", "didSet"].contains($0.accessorSpecifier.text) }
    }
}

extension TypeSyntax {
    var isOptional: Bool { `is`(OptionalTypeSyntax.self) || trimmedDescription.hasPrefix("Optional<") }

    var isCollection: Bool {
        let type = `as`(OptionalTypeSyntax.self)?.wrappedType ?? self
        return type.is(ArrayTypeSyntax.self)
            || ["Array<", "Set<"].contains { type.trimmedDescription.hasPrefix($0) }
    }
}
