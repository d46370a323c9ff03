// Declarations that ported code uses and that one of the systems lacks. They become a file of the target.

/// A part of the file that porting adds to a target.
enum PortSupport: CaseIterable {
    /// Casts of fetch requests.
    case requests
    /// Bundles of other modules' classes.
    case bundles
    /// The superclass of observers.
    case observers
    /// Comparisons of sort descriptors.
    case comparisons
    /// Parts of XCTest that are on Apple's systems only.
    case testing

    static let name = "CoreDataPortSupport.swift"

    /// The file. It has the parts that it had already too, so that porting again leaves it as it is.
    static func text(of parts: Set<PortSupport>, existing: String = "") -> String {
        let kept = allCases.filter { parts.contains($0) || existing.contains($0.declaration) }
        return kept.reduce("// Written by `coredata port`: what ported code calls beside the systems' own.\n")
        {
            $0 + "\n" + $1.declaration
        }
    }

    private var declaration: String {
        switch self {
        case .requests: Self.requestsText
        case .bundles: Self.bundlesText
        case .observers: Self.observersText
        case .comparisons: Self.comparisonsText
        case .testing: Self.testingText
        }
    }

    private static let requestsText = """
        #if canImport(ObjectiveC)
        import CoreData

        // CoreData has the same elsewhere.
        extension NSPersistentStoreRequest {
            /// The fetch request with another type of results, which the cast `as! NSFetchRequest<Result>` gives here.
            func returning<Result: NSFetchRequestResult>(_ type: Result.Type) -> NSFetchRequest<Result> {
                self as! NSFetchRequest<Result>
            }

            /// The value if it is a fetch request, which the cast `as? NSFetchRequest<Result>` tells here.
            static func fetchRequest<Result: NSFetchRequestResult>(
                _ value: Any?, returning type: Result.Type
            ) -> NSFetchRequest<Result>? {
                value as? NSFetchRequest<Result>
            }
        }
        #endif

        """

    private static let observersText = """
        #if canImport(ObjectiveC)
        import Foundation

        /// What observers with `observeValue` derive from. CoreData has a class of this name elsewhere.
        public typealias KeyValueObserver = NSObject
        #endif

        """

    private static let comparisonsText = """
        #if canImport(ObjectiveC)
        import Foundation

        // CoreData has the same elsewhere.
        extension Selector {
            static var compare: Selector { #selector(NSNumber.compare(_:)) }
            static var caseInsensitiveCompare: Selector { #selector(NSString.caseInsensitiveCompare(_:)) }
            static var localizedCompare: Selector { #selector(NSString.localizedCompare(_:)) }
            static var localizedCaseInsensitiveCompare: Selector {
                #selector(NSString.localizedCaseInsensitiveCompare(_:))
            }
            static var localizedStandardCompare: Selector { #selector(NSString.localizedStandardCompare(_:)) }
        }
        #endif

        """

    private static let bundlesText = """
        import Foundation

        extension Bundle {
            /// The bundle with the resources of a class's module: the main one if the module has none of its own.
            static func containing(_ type: AnyClass) -> Bundle {
                #if canImport(ObjectiveC)
                return Bundle(for: type)
                #else
                // The package manager puts a module's resources into PACKAGE_MODULE.resources beside the program.
                let suffix = "_" + String(reflecting: type).prefix { $0 != "." } + ".resources"
                let folder = Bundle.main.bundleURL
                let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
                let name = names.sorted().first { $0.hasSuffix(suffix) }
                return name.flatMap { Bundle(url: folder.appendingPathComponent($0)) } ?? .main
                #endif
            }
        }

        """
}
