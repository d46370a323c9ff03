// swift-tools-version: 6.2
import PackageDescription

// A layer whose model is stated in code.

let package = Package(
    name: "CodeModels",
    dependencies: [.package(name: "OpenCoreData", path: "../../..")],
    targets: [
        .target(
            name: "CodeModels",
            dependencies: [
                .product(name: "CoreData", package: "OpenCoreData"),
                .product(name: "AppleShims", package: "OpenCoreData"),
            ],
            swiftSettings: [.swiftLanguageMode(.v5)],
            plugins: [.plugin(name: "CoreDataModelPlugin", package: "OpenCoreData")]),
        .testTarget(
            name: "CodeModelsTests",
            dependencies: [
                "CodeModels", .product(name: "CoreData", package: "OpenCoreData"),
                .product(name: "AppleShims", package: "OpenCoreData"),
            ],
            swiftSettings: [.swiftLanguageMode(.v5)]),
    ]
)
