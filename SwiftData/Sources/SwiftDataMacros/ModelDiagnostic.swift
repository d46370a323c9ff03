// What the macros say about code that they can't work with.

import SwiftDiagnostics
import SwiftSyntax

/// An error of a macro, with the property and the reason.
enum ModelDiagnostic: DiagnosticMessage {
    case noClass
    case noActor
    case constant(String)
    case lazy(String)
    case several(String)
    case observed(String)
    case transientWithoutValue(String)
    case both(String)
    case uniqueRelationship(String)
    case computed(String, macro: String)
    case undottedKeyPath(String, macro: String)

    var message: String {
        switch self {
        case .noClass: "@Model makes classes models; a structure, an enumeration or an actor can't be one"
        case .noActor: "@ModelActor is for actors"
        case .constant(let name):
            "'\(name)' can't be persisted because it is a constant: make it a 'var', or mark it with @Transient"
        case .lazy(let name):
            "'\(name)' can't be persisted because it is lazy: give it an initial value, or mark it with @Transient"
        case .several(let names):
            "\(names) can't be persisted because they are declared together: declare each on its own"
        case .observed(let name):
            "willSet and didSet of '\(name)' aren't called: its value lies in the store's row"
        case .transientWithoutValue(let name):
            "'\(name)' is transient and needs an initial value: a model that is fetched has nothing else to give it"
        case .both(let name): "'\(name)' can't be an attribute and a relationship"
        case .uniqueRelationship(let name):
            "'\(name)' leads to many models and can't be unique: state .unique on the other side"
        case .computed(let name, let macro): "'\(name)' is computed, so that @\(macro) has nothing to state"
        case .undottedKeyPath(let text, let macro):
            "#\(macro) takes key paths of properties; '\(text)' is none"
        }
    }

    var diagnosticID: MessageID {
        MessageID(domain: "SwiftData", id: String("\(self)".prefix { $0.isLetter }))
    }

    var severity: DiagnosticSeverity {
        if case .observed = self { return .warning }
        return .error
    }

    func error(at node: some SyntaxProtocol) -> DiagnosticsError {
        DiagnosticsError(diagnostics: [Diagnostic(node: Syntax(node), message: self)])
    }
}
