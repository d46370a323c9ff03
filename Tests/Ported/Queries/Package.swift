// swift-tools-version: 6.2
import PackageDescription

// A layer that builds predicates and orders from key paths and operators.

let package = Package(
    name: "Queries",
    dependencies: [.package(name: "OpenCoreData", path: "../../..")],
    targets: [
        .target(
            name: "Queries",
            dependencies: [
                .product(name: "CoreData", package: "OpenCoreData"),
                .product(name: "AppleShims", package: "OpenCoreData"),
            ],
            resources: [.process("Notes.xcdatamodeld")], swiftSettings: [.swiftLanguageMode(.v5)],
            plugins: [.plugin(name: "CoreDataModelPlugin", package: "OpenCoreData")]),
        .testTarget(
            name: "QueriesTests",
            dependencies: [
                "Queries", .product(name: "CoreData", package: "OpenCoreData"),
                .product(name: "AppleShims", package: "OpenCoreData"),
            ],
            swiftSettings: [.swiftLanguageMode(.v5)]),
    ]
)
