// swift-tools-version: 6.2
import PackageDescription

// The programs that `Scripts/reliability` runs, kills and judges (Docs/Reliability.md). A package of its own,
// so that nobody who uses the framework builds it.

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
    // Foundation off Apple's systems marks the predicate classes that we complete as deprecated.
    .treatWarning("DeprecatedDeclaration", as: .warning),
]

let package = Package(
    name: "Reliability",
    dependencies: [.package(name: "OpenCoreData", path: "..")],
    targets: [
        .executableTarget(
            name: "Worker",
            dependencies: [
                .product(name: "CoreData", package: "OpenCoreData"),
                .product(name: "StoreTools", package: "OpenCoreData"),
                .product(name: "CoreDataStudio", package: "OpenCoreData"),
            ],
            swiftSettings: settings)
    ]
)
