// The stored properties of classes that a key path can read: companions state their keys, so that naming a key path takes
// neither a model nor a value.

/// Managed properties by class, as sources and generated code declare them.
package struct StoredProperties {
    /// The contents that generated code gives a class.
    package struct Generated {
        package let superclass: String
        package let names: [String]
    }

    /// Classes that inherit from each other in a circle end here.
    private static let depthLimit = 64

    private let scan: SourceScan?
    private let dependencies: [SourceScan]
    private let generated: [String: Generated]

    init(_ scan: SourceScan?, dependencies: [SourceScan] = [], generated: [String: Generated]) {
        self.scan = scan
        self.dependencies = dependencies
        self.generated = generated
    }

    /// The names of a class's properties, inherited ones too, sorted. The class is named from its module on, without it.
    func names(of className: String) -> [String] {
        var names: Set<String> = []
        var next: String? = className
        for _ in 0..<Self.depthLimit {
            guard let name = next else { break }
            if isIsolated(name, in: scan) { return [] }
            names.formUnion(generated[name]?.names ?? [])
            names.formUnion(scan.map { Self.managed($0, className: name, from: .internal) } ?? [])
            next = generated[name]?.superclass ?? scan.flatMap { Self.superclass(of: name, in: $0) }
            if next != nil || generated[name] != nil || scan?.type(Self.path(name)) != nil { continue }
            for other in dependencies {
                names.formUnion(Self.managed(other, className: name, from: .public))
                next = next ?? Self.superclass(of: name, in: other)
            }
        }
        return names.sorted()
    }

    /// Nothing can be said of the properties of a global actor from where companions stand.
    private func isIsolated(_ className: String, in scan: SourceScan?) -> Bool {
        scan?.members(of: className).first?.isolation == .globalActor
    }

    private static func managed(_ scan: SourceScan, className: String, from access: AccessLevel) -> [String] {
        scan.members(of: className).flatMap { members, isolation in
            members.properties.filter {
                $0.isManaged && !$0.isStatic && $0.access >= access
                    && ($0.isolation ?? isolation) != .globalActor
                    && AccessorWriter.primitivePart($0.name) == nil
            }.map(\.name)
        }
    }

    private static func path(_ className: String) -> [String] {
        className.split(separator: ".").map(String.init)
    }

    private static func superclass(of className: String, in scan: SourceScan) -> String? {
        let path = path(className)
        guard let type = scan.type(path), type.kind == .class,
            case .named(let components)? = type.inherited.first
        else { return nil }
        var names = components.map(\.name)
        if names.count > 1, names[0] == scan.moduleName { names.removeFirst() }
        // Beside the class first, then at the top level.
        let beside = path.dropLast() + names
        return (scan.type(Array(beside)) != nil ? Array(beside) : names).joined(separator: ".")
    }
}
