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
            guard let (diagnostic, node) = fault(of: variable) else { continue }
            context.diagnose(Diagnostic(node: node, message: diagnostic))
            isSound = false
        }
        return isSound
    }

    private static func fault(of variable: VariableDeclSyntax) -> (ModelDiagnostic, Syntax)? {
        if variable.modifiers.contains(where: { ["static", "class"].contains($0.name.text) }) { return nil }
        let names = variable.bindings.map { $0.pattern.trimmedDescription.trimmingBackticks }
        let name = names.first ?? ""
        let stated = ["Attribute", "Relationship"].filter { variable.attribute(named: $0) != nil }
        if stated.count == 2 { return (.both(name), Syntax(variable)) }
        guard let binding = variable.bindings.first else { return nil }
        if !binding.isStored {
            if let observer = observers(in: binding), variable.attribute(named: "Transient") == nil {
                return (.observed(name), Syntax(observer))
            }
            return stated.first.map { (.computed(name, macro: $0), Syntax(variable)) }
        }
        if variable.attribute(named: "Transient") != nil {
            let isOptional = binding.typeAnnotation?.type.isOptional ?? false
            if binding.initializer == nil, !isOptional || variable.isConstant {
                return (.transientWithoutValue(name), Syntax(variable))
            }
            return nil
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
        if variable.isConstant { return (.constant(name), Syntax(variable.bindingSpecifier)) }
        if let observer = observers(in: binding) { return (.observed(name), Syntax(observer)) }
        if binding.typeAnnotation == nil, !(binding.initializer?.value.showsType ?? false) {
            return (.untyped(name), Syntax(binding))
        }
        if let relationship = variable.attribute(named: "Relationship"),
            relationship.arguments?.trimmedDescription.contains(".unique") == true,
            binding.typeAnnotation?.type.isCollection == true
        {
            return (.uniqueRelationship(name), Syntax(relationship))
        }
        return nil
    }

    private static func observers(in binding: PatternBindingSyntax) -> AccessorDeclSyntax? {
        guard case .accessors(let list) = binding.accessorBlock?.accessors else { return nil }
        return list.first { ["willSet", "didSet"].contains($0.accessorSpecifier.text) }
    }
}

extension VariableDeclSyntax {
    var isConstant: Bool { bindingSpecifier.tokenKind == .keyword(.let) }
}

extension TypeSyntax {
    var isOptional: Bool { `is`(OptionalTypeSyntax.self) || trimmedDescription.hasPrefix("Optional<") }

    var isCollection: Bool {
        let type = `as`(OptionalTypeSyntax.self)?.wrappedType ?? self
        return type.is(ArrayTypeSyntax.self)
            || ["Array<", "Set<"].contains { type.trimmedDescription.hasPrefix($0) }
    }
}

extension ExprSyntax {
    /// A literal, or a call or member of a type that stands there: `false`, `3`, `"a"`, `UUID()`, `Weather.sunny`.
    var showsType: Bool {
        if let call = `as`(FunctionCallExprSyntax.self) { return call.calledExpression.showsType }
        if let member = `as`(MemberAccessExprSyntax.self) { return member.base?.showsType ?? false }
        if let prefix = `as`(PrefixOperatorExprSyntax.self) { return prefix.expression.showsType }
        if let array = `as`(ArrayExprSyntax.self) {
            return array.elements.first?.expression.showsType ?? false
        }
        if let generic = `as`(GenericSpecializationExprSyntax.self) { return generic.expression.showsType }
        if `is`(DeclReferenceExprSyntax.self) { return true }
        return `is`(BooleanLiteralExprSyntax.self) || `is`(IntegerLiteralExprSyntax.self)
            || `is`(FloatLiteralExprSyntax.self) || `is`(StringLiteralExprSyntax.self)
    }
}
