// The methods of migration policies and managers that mapping models call by their selectors. Apple's framework finds
// them through the Objective-C runtime.

/// The methods of one class that are marked `@objc`.
struct PolicyMethods {
    /// The lines that state them to the library.
    private(set) var lines: [String] = []
    /// Those that no generated code can call.
    private(set) var warnings: [ScanProblem] = []

    /// The class is named from its module on, without it.
    init(of className: String, in scan: SourceScan) {
        let path = className.split(separator: ".").map(String.init)
        let declared = scan.type(path)
        let extensions = scan.files.flatMap(\.extensions).filter {
            $0.extended == .path(path) || $0.extended == .path([scan.moduleName] + path)
        }
        let groups =
            (declared.map { [($0.members, $0.isObjectiveC)] } ?? [])
            + extensions.map { ($0.members, $0.isObjectiveC || declared?.isObjectiveC == true) }
        for (members, isObjectiveC) in groups {
            for method in members.methods where method.isObjectiveC || isObjectiveC {
                add(method, className: className)
            }
        }
    }

    private mutating func add(_ method: ScannedMethod, className: String) {
        guard Self.isCallable(method) else { return }
        if method.access < .internal {
            // Those of `@objcMembers` aren't meant.
            if method.isObjectiveC {
                warnings.append(
                    ScanProblem(
                        method.place,
                        reason: "\(method.name) is private: expressions of mapping models don't reach it here"
                    ))
            }
            return
        }
        lines.append(
            "functions.method(\"\(method.objectiveCSelector)\", \(Self.reference(to: method, in: className)))"
        )
    }

    /// Indicates whether an expression can call the method: it gives a value, and takes values alone.
    private static func isCallable(_ method: ScannedMethod) -> Bool {
        let takesValues = method.parameters.allSatisfy { parameter in
            switch parameter.type {
            case .inOut, .unsupported: false
            default: true
            }
        }
        let isSynchronous = !method.isThrowing && !method.isAsynchronous && method.isolation != .globalActor
        let givesValue = method.result.map { $0 != .simple("Void") && $0 != .tuple([]) } ?? false
        return givesValue && takesValues && isSynchronous && !method.isStatic && !method.isGeneric
    }

    private static func reference(to method: ScannedMethod, in className: String) -> String {
        let name = Keywords.escaped(method.name)
        // A name without labels may be that of others with labels, too.
        if method.parameters.isEmpty {
            return "{ (receiver: \(className)) in { receiver.\(name)() } }"
        }
        let labels = method.parameters.map { ($0.label.isEmpty ? "_" : $0.label) + ":" }.joined()
        return "\(className).\(name)(\(labels))"
    }

    /// The companion, without a trailing newline.
    static func companion(of className: String, lines: [String]) -> String {
        let name = className.replacing(".", with: "_") + "__Methods"
        return """
            final class \(name): MigrationMethods {
                override class func register(in functions: inout MigrationFunctions) {
                    functions.register(members)
                }
            }

            extension \(name) {
                private static func members(in functions: inout MigrationFunctions) {
            \(lines.map { "        " + $0 }.joined(separator: "\n"))
                }
            }
            """
    }
}
