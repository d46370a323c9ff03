// swift-tools-version: 6.2
import PackageDescription

// A layer between a store and views, over Combine.

let package = Package(
    name: "Reactive",
    // The trait Combine would do. With those of Tools the gate builds the library once for both.
    dependencies: [.package(name: "OpenCoreData", path: "../../..", traits: ["Studio", "Combine"])],
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
