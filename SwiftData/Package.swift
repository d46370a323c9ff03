// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

// SwiftData over the library. A package of its own, so that who imports `CoreData` neither fetches nor builds swift-syntax.

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
    .treatWarning("DeprecatedDeclaration", as: .warning),
]

let package = Package(
    name: "OpenSwiftData",
    products: [
        .library(name: "SwiftData", targets: ["SwiftData"]),
        // Needs libpq; nothing else does.
        .library(name: "SwiftDataPostgreSQL", targets: ["SwiftDataPostgreSQL"]),
    ],
    dependencies: [
        .package(name: "OpenCoreData", path: ".."),
        .package(url: "https://github.com/swiftlang/swift-syntax", exact: "603.0.1"),
    ],
    targets: [
        .macro(
            name: "SwiftDataMacros",
            dependencies: [
                .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
                .product(name: "SwiftCompilerPlugin", package: "swift-syntax"),
                .product(name: "SwiftDiagnostics", package: "swift-syntax"),
                .product(name: "SwiftSyntaxBuilder", package: "swift-syntax"),
                .product(name: "SwiftSyntax", package: "swift-syntax"),
                .product(name: "SwiftIfConfig", package: "swift-syntax"),
            ],
            swiftSettings: settings),
        .target(name: "CModelConstruction", publicHeadersPath: "."),
        .target(
            name: "SwiftData",
            dependencies: [
                "SwiftDataMacros", "CModelConstruction", .product(name: "CoreData", package: "OpenCoreData"),
            ],
            swiftSettings: settings),
        .target(
            name: "SwiftDataPostgreSQL",
            dependencies: [
                "SwiftData", .product(name: "CoreData", package: "OpenCoreData"),
                .product(name: "CoreDataPostgreSQL", package: "OpenCoreData"),
            ],
            swiftSettings: settings),
        // Not part of any check: swift run -c release --package-path SwiftData SwiftDataBenchmarks
        .executableTarget(
            name: "SwiftDataBenchmarks",
            dependencies: ["SwiftData", .product(name: "CoreData", package: "OpenCoreData")],
            swiftSettings: settings),
        // By the compiler: a test target that depends on a macro has everything built for the host once more.
        .testTarget(name: "SwiftDataMacrosTests", dependencies: ["SwiftData"], swiftSettings: settings),
        // Random runs over models, for the tests of every kind of store.
        .target(
            name: "ModelRuns", dependencies: ["SwiftData"], path: "Tests/ModelRuns", swiftSettings: settings),
        .testTarget(
            name: "SwiftDataTests",
            dependencies: [
                "SwiftData", "ModelRuns", .product(name: "CoreData", package: "OpenCoreData"),
                .product(name: "StoreTools", package: "OpenCoreData"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "SwiftDataPostgreSQLTests",
            dependencies: ["SwiftData", "SwiftDataPostgreSQL", "ModelRuns"],
            swiftSettings: settings),
        // An app's model layer, written for Apple's SwiftData, with that language mode and no settings of ours.
        .target(
            name: "Pantry", dependencies: ["SwiftData"], path: "Tests/Apps/Pantry/Model",
            swiftSettings: [.swiftLanguageMode(.v6)]),
        .testTarget(
            name: "PantryTests", dependencies: ["Pantry", "SwiftData"], path: "Tests/Apps/Pantry/Tests",
            swiftSettings: [.swiftLanguageMode(.v6)]),
        // Models and tests in the many manners in which apps have them.
        .testTarget(
            name: "StylesTests", dependencies: ["SwiftData"], path: "Tests/Apps/Styles",
            swiftSettings: [.swiftLanguageMode(.v6)]),
        // Xcode's template for apps: what states no isolation is the main actor's.
        .testTarget(
            name: "LedgerTests", dependencies: ["SwiftData"], path: "Tests/Apps/Ledger",
            swiftSettings: [
                .swiftLanguageMode(.v6), .defaultIsolation(MainActor.self),
                .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
                .enableUpcomingFeature("InferIsolatedConformances"),
                .enableUpcomingFeature("MemberImportVisibility"),
            ]),
    ]
)
