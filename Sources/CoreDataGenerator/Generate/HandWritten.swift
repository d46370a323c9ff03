// The facts that generated code depends on, of the sources that it will stand beside.

/// The target's own sources, as far as they were scanned.
package struct HandWritten: Sendable {
    private let scan: SourceScan?
    private let index: ModuleIndex?

    /// Without a scan nothing is known.
    package init(_ scan: SourceScan? = nil) {
        self.scan = scan
        index = scan.map { ModuleIndex([$0]) }
    }

    /// The stored properties of classes that are generated or stand in the sources.
    func stored(_ generated: [String: StoredProperties.Generated]) -> StoredProperties {
        StoredProperties(scan, generated: generated)
    }

    /// The names of types at the top level.
    var typeNames: Set<String> { Set(scan?.files.flatMap(\.types).map(\.name) ?? []) }

    /// Returns the visibility of a class; nil if the sources don't declare it.
    func access(of className: String) -> AccessLevel? {
        guard let scan, let index else { return nil }
        let path = [scan.moduleName] + className.split(separator: ".").map(String.init)
        return index.entries[path]?.access
    }

    /// Returns whether an extension or the declaration of a class names a protocol.
    func conforms(_ className: String, to protocolName: String) -> Bool {
        guard let scan else { return false }
        let path = className.split(separator: ".").map(String.init)
        let wanted = TypeSyntax.path([protocolName])
        let declared = scan.files.flatMap(\.types).first { [$0.name] == path }
        let extensions = scan.files.flatMap(\.extensions).filter { $0.extended == .path(path) }
        return declared?.inherited.contains(wanted) == true
            || extensions.contains { $0.inherited.contains(wanted) }
    }

    /// Returns the keys that a class offers beside the model's properties.
    func customKeys(of className: String, keys: Set<String>) -> CustomKeys? {
        scan.map { CustomKeys(of: className, in: $0, keys: keys.sorted()) }
    }

    /// The overrides that extensions of a generated class state.
    func overrides(of className: String) -> [ExtensionOverride] {
        scan?.extensionOverrides(of: className) ?? []
    }
}
