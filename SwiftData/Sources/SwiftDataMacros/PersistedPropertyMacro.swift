// The accessors of a persisted property.

import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

struct PersistedPropertyMacro {}

extension PersistedPropertyMacro: AccessorMacro {
    static func expansion(
        of node: AttributeSyntax, providingAccessorsOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [AccessorDeclSyntax] {
        guard let (name, number) = subject(node, declaration),
            let storage = context.lexicalContext.first?.as(ClassDeclSyntax.self)?.storageName
        else { return [] }
        let kind =
            node.arguments?.trimmedDescription.contains("isTransformable: true") == true
            ? "Transformable" : ""
        return [
            """
            @storageRestrictions(accesses: \(raw: storage), initializes: _\(raw: name))
            init(initialValue) {
                \(raw: storage).initialize\(raw: kind)(\(raw: number), to: initialValue)
                _\(raw: name) = SwiftData._Persisted()
            }
            """,
            "get { \(raw: storage).value\(raw: kind)(\(raw: number), of: self) }",
            "set { \(raw: storage).setValue\(raw: kind)(\(raw: number), of: self, to: newValue) }",
        ] + (kind.isEmpty ? modification(of: declaration, storage, number) : [])
    }

    /// Arrays are changed in place, as they may be relationships to which models are added one by one.
    private static func modification(
        of declaration: some DeclSyntaxProtocol, _ storage: String, _ number: String
    ) -> [AccessorDeclSyntax] {
        let binding = declaration.as(VariableDeclSyntax.self)?.bindings.first
        guard let type = binding?.typeAnnotation?.type.trimmed,
            type.is(ArrayTypeSyntax.self) || type.as(IdentifierTypeSyntax.self)?.name.text == "Array"
        else { return [] }
        return [
            """
            _modify {
                var value: \(type) = \(raw: storage).takeValue(\(raw: number), of: self)
                defer { \(raw: storage).putValue(\(raw: number), of: self, to: value) }
                yield &value
            }
            """
        ]
    }

    /// The property's name and the number that `@Model` gave it.
    private static func subject(_ node: AttributeSyntax, _ declaration: some DeclSyntaxProtocol) -> (
        String, String
    )? {
        guard let variable = declaration.as(VariableDeclSyntax.self),
            let name = variable.bindings.first?.pattern.as(IdentifierPatternSyntax.self)?.identifier.text,
            case .argumentList(let arguments) = node.arguments, let number = arguments.first?.expression
        else { return nil }
        return (name.trimmingBackticks, number.trimmedDescription)
    }
}

extension PersistedPropertyMacro: PeerMacro {
    /// A property without size: by it the compiler sees that initialisers set every property.
    static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard let (name, _) = subject(node, declaration) else { return [] }
        return ["nonisolated(unsafe) private var _\(raw: name): SwiftData._Persisted"]
    }
}
