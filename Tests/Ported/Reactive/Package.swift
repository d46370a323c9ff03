// swift-tools-version: 6.2
import PackageDescription

// A layer between a store and views, over Combine.

// The checks of this repository build everything with all traits, so that the library is built once.
let traits: Set<Package.Dependency.Trait> =
    Context.environment["OPENCOREDATA_ALL_TRAITS"] == nil ? ["Combine"] : [.defaults]

let package = Package(
    name: "Reactive",
    dependencies: [.package(name: "OpenCoreData", path: "../../..", traits: traits)],
    targets: [
        .target(
            name: "Reactive",
            dependencies: [
                .product(name: "CoreData", package: "OpenCoreData"),
                .product(name: "AppleShims", package: "OpenCoreData"),
                .product(name: "CombineShims", package: "OpenCoreData"),
            ],
            resources: [.process("Tasks.xcdatamodeld")], swiftSettings: [.swiftLanguageMode(.v5)],
            plugins: [.plugin(name: "CoreDataModelPlugin", package: "OpenCoreData")]),
        .testTarget(
            name: "ReactiveTests",
            dependencies: [
                "Reactive", .product(name: "CoreData", package: "OpenCoreData"),
                .product(name: "AppleShims", package: "OpenCoreData"),
                .product(name: "CombineShims", package: "OpenCoreData"),
            ],
            swiftSettings: [.swiftLanguageMode(.v5)]),
    ]
)
