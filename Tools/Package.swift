// swift-tools-version: 6.2
import PackageDescription

// The `coredata` command. A package of its own, so that who uses the framework fetches and builds nothing of
// it: swift run --package-path Tools coredata --help

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
    // Foundation off Apple's systems marks the predicate classes that we complete as deprecated.
    .treatWarning("DeprecatedDeclaration", as: .warning),
]

// The checks of this repository build everything with all traits, so that the library is built once.
let traits: Set<Package.Dependency.Trait> =
    Context.environment["OPENCOREDATA_ALL_TRAITS"] == nil ? ["Studio", "Combine"] : [.defaults]

let package = Package(
    name: "OpenCoreDataTools",
    products: [
        .executable(name: "coredata", targets: ["coredata"])
    ],
    dependencies: [
        // The trait `Combine` is for tests only.
        .package(name: "OpenCoreData", path: "..", traits: traits),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    ],
    targets: [
        // The work of `coredata port`.
        .target(
            name: "SourcePort", dependencies: [.product(name: "CoreData", package: "OpenCoreData")],
            swiftSettings: settings),
        .executableTarget(
            name: "coredata",
            dependencies: [
                "SourcePort",
                .product(name: "StoreTools", package: "OpenCoreData"),
                .product(name: "CoreData", package: "OpenCoreData"),
                .product(name: "CoreDataPostgreSQL", package: "OpenCoreData"),
                .product(name: "CoreDataStudio", package: "OpenCoreData"),
                .product(name: "CoreDataGenerator", package: "OpenCoreData"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "CoreDataToolTests",
            dependencies: [
                "coredata", .product(name: "StoreTools", package: "OpenCoreData"),
                .product(name: "CoreData", package: "OpenCoreData"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "CombineShimsTests",
            dependencies: [
                .product(name: "CombineShims", package: "OpenCoreData"),
                .product(name: "AppleShims", package: "OpenCoreData"),
                .product(name: "CoreData", package: "OpenCoreData"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "SourcePortTests", dependencies: ["coredata", "SourcePort"], swiftSettings: settings),
    ]
)
