// swift-tools-version: 6.2
import PackageDescription

// The layers, lowest first. A target may import only what its line lists; `Scripts/check` has the compiler
// enforce that. See Docs/Architecture.md.

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
    // Foundation off Apple's systems marks the predicate classes that we complete as deprecated.
    .treatWarning("DeprecatedDeclaration", as: .warning),
]

func layer(_ name: String, _ dependencies: Target.Dependency...) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: Target.Dependency...) -> Target {
    .testTarget(
        name: name + "Tests", dependencies: [.byName(name: name), "CoreDataTestSupport"] + dependencies,
        swiftSettings: settings)
}

/// A trait is a condition of every target, so that packages with other traits build all of the library once more. The gate, which
/// builds many packages, has all of them take all traits, and shares one build; its release builds are made without.
let traits: Set<String> = Context.environment["OPENCOREDATA_ALL_TRAITS"] == nil ? [] : ["Studio", "Combine"]

let package = Package(
    name: "OpenCoreData",
    products: [
        .library(name: "CoreData", targets: ["CoreData"]),
        // Needs libpq; nothing else does.
        .library(name: "CoreDataPostgreSQL", targets: ["CoreDataPostgreSQL"]),
        .library(name: "CoreDataGenerator", targets: ["CoreDataGenerator"]),
        .library(name: "AppleShims", targets: ["AppleShims"]),
        .library(name: "CombineShims", targets: ["CombineShims"]),
        .plugin(name: "CoreDataModelPlugin", targets: ["CoreDataModelPlugin"]),
        .library(name: "StoreTools", targets: ["StoreTools"]),
        .library(name: "CoreDataStudio", targets: ["CoreDataStudio"]),
    ],
    traits: [
        .default(enabledTraits: traits),
        .trait(name: "Studio", description: "Serves CoreDataStudio's pages with a web server of its own."),
        .trait(name: "Combine", description: "Gives CombineShims publishers, over OpenCombine."),
    ],
    dependencies: [
        // Each fetched only where its trait is on.
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    ],
    targets: [
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .target(name: "CSwiftRuntime", publicHeadersPath: "."),
        layer("CoreDataSupport", "CZlib"),
        layer("CoreDataPredicate", "CoreDataSupport"),
        layer("CoreDataSchema", "CoreDataPredicate", "CoreDataSupport"),
        layer("CoreDataFiles", "CoreDataSchema", "CoreDataPredicate", "CoreDataSupport"),
        layer("CoreDataSQL", "CoreDataSchema", "CoreDataPredicate", "CoreDataSupport"),
        layer(
            "CoreDataSQLiteEngine", "CSQLite", "CoreDataSQL", "CoreDataSchema", "CoreDataPredicate",
            "CoreDataSupport"),
        // Stores as values: what lies below Apple's classes.
        layer(
            "CoreDataStores", "CoreDataSQLiteEngine", "CoreDataSQL", "CoreDataFiles", "CoreDataSchema",
            "CoreDataPredicate", "CoreDataSupport"),
        layer(
            "CoreData", "CSwiftRuntime", "CoreDataStores", "CoreDataSQLiteEngine", "CoreDataSQL",
            "CoreDataFiles",
            "CoreDataSchema",
            "CoreDataPredicate", "CoreDataSupport"),
        // PostgreSQL itself. Nothing that CoreData imports needs it.
        layer(
            "CoreDataPostgreSQLEngine", "CPostgreSQL", "CoreDataSQL", "CoreDataSchema", "CoreDataPredicate",
            "CoreDataSupport"),
        // Stores in PostgreSQL databases, beside those that CoreData has.
        layer(
            "CoreDataPostgreSQL", "CoreData", "CoreDataPostgreSQLEngine", "CoreDataStores", "CoreDataSQL",
            "CoreDataFiles", "CoreDataSchema", "CoreDataPredicate", "CoreDataSupport"),
        // An exercise: a store in a file of comma-separated values, on the seam below Apple's classes.
        .target(
            name: "CSVStore",
            dependencies: ["CoreDataStores", "CoreDataSQL", "CoreDataSchema", "CoreDataSupport"],
            path: "Examples/CSVStore/Sources", swiftSettings: settings),
        // What code for Apple's systems uses beside Core Data. Nothing here imports it.
        layer("AppleShims", "CoreData", "CoreDataSupport"),
        // Combine for code that was written for it. Empty without the trait. Tested in Tools, where the trait is on.
        .target(
            name: "CombineShims",
            dependencies: ["CoreData", "AppleShims"]
                + ["OpenCombine", "OpenCombineFoundation", "OpenCombineDispatch"].map {
                    .product(name: $0, package: "OpenCombine", condition: .when(traits: ["Combine"]))
                },
            swiftSettings: settings),
        // Swift sources from models: for the build plugin, which runs the tool, and for `coredata generate`.
        layer("CoreDataGenerator", "CoreDataFiles", "CoreDataSchema", "CoreDataPredicate", "CoreDataSupport"),
        .executableTarget(
            name: "coredata-model-tool", dependencies: ["CoreDataGenerator"], swiftSettings: settings),
        .plugin(
            name: "CoreDataModelPlugin", capability: .buildTool(), dependencies: ["coredata-model-tool"]),
        // What `coredata` and the studio do with stores and models, without command line or page.
        layer("StoreTools", "CoreData", "CoreDataSupport"),
        // The studio: a function from request to response. Its pages are compiled in by the plugin.
        .target(
            name: "CoreDataStudio",
            dependencies: [
                "StoreTools", "CoreData", "CoreDataGenerator", "CoreDataSQL", "CoreDataFiles",
                "CoreDataSchema",
                "CoreDataPredicate", "CoreDataSupport",
                .product(name: "FlyingFox", package: "FlyingFox", condition: .when(traits: ["Studio"])),
            ],
            exclude: ["Pages"], swiftSettings: settings, plugins: ["StudioPagesPlugin"]),
        .executableTarget(name: "studio-pages-tool", swiftSettings: settings),
        .plugin(name: "StudioPagesPlugin", capability: .buildTool(), dependencies: ["studio-pages-tool"]),

        .target(
            name: "CoreDataTestSupport", dependencies: ["CSQLite"], path: "Tests/Support",
            swiftSettings: settings),
        tests("CoreDataSupport"),
        tests("CoreDataPredicate", "CoreDataSupport"),
        tests("CoreDataSchema", "CoreDataFiles", "CoreDataPredicate", "CoreDataSupport"),
        tests("CoreDataFiles", "CoreDataSchema", "CoreDataPredicate", "CoreDataSupport", "CSQLite"),
        tests(
            "CoreDataSQL", "CoreDataFiles", "CoreDataSchema", "CoreDataPredicate", "CoreDataSupport",
            "CSQLite"),
        tests(
            "CoreDataSQLiteEngine", "CoreDataSQL", "CoreDataSchema", "CoreDataPredicate", "CoreDataSupport"),
        tests(
            "CoreDataStores", "CoreDataSQLiteEngine", "CoreDataSQL", "CoreDataSchema", "CoreDataPredicate",
            "CoreDataSupport"),
        tests(
            "CoreData", "CoreDataPostgreSQL", "CoreDataPostgreSQLEngine", "CoreDataStores",
            "CoreDataSQLiteEngine", "CoreDataSQL",
            "CoreDataFiles", "CoreDataSchema",
            "CoreDataPredicate", "CoreDataSupport", "CSQLite"),
        tests(
            "CoreDataPostgreSQLEngine", "CoreDataSQL", "CoreDataSchema", "CoreDataPredicate",
            "CoreDataSupport"),
        tests(
            "CoreDataPostgreSQL", "CoreData", "CoreDataPostgreSQLEngine", "CoreDataStores", "CoreDataSQL",
            "CoreDataSchema", "CoreDataSupport"),
        .testTarget(
            name: "CSVStoreTests",
            dependencies: ["CSVStore", "CoreData", "CoreDataStores", "CoreDataTestSupport"],
            path: "Examples/CSVStore/Tests", swiftSettings: settings),
        tests("StoreTools", "CoreData", "CoreDataPostgreSQL", "CoreDataPostgreSQLEngine"),
        tests("AppleShims", "CoreData"),
        tests(
            "CoreDataStudio", "StoreTools", "CoreData", "CoreDataPostgreSQL", "CoreDataFiles",
            "CoreDataSchema",
            "CoreDataSQL", "CoreDataSupport", "CSQLite"),
        tests(
            "CoreDataGenerator", "CoreDataFiles", "CoreDataSchema", "CoreDataPredicate", "CoreDataSupport"),
    ]
)
