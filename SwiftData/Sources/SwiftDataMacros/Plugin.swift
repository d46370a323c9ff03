// The compiler's way to the macros.

import SwiftCompilerPlugin
import SwiftSyntaxMacros

@main
struct SwiftDataPlugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [
        ModelMacro.self, PersistedPropertyMacro.self, MarkerMacro.self, DeclarationMarkerMacro.self,
        ModelActorMacro.self,
    ]
}
