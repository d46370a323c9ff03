// swift-tools-version: 6.2
import PackageDescription

// A layer that migrates stores step by step with mapping models and policies.

let package = Package(
    name: "Upgrades",
    dependencies: [.package(name: "OpenCoreData", path: "../../..")],
    targets: [
        .target(
            name: "Upgrades",
            dependencies: [
                .product(name: "CoreData", package: "OpenCoreData"),
                .product(name: "AppleShims", package: "OpenCoreData"),
            ],
            resources: [.process("Diary.xcdatamodeld"), .process("Diary1to2.xcmappingmodel")],
            swiftSettings: [.swiftLanguageMode(.v5)],
            plugins: [.plugin(name: "CoreDataModelPlugin", package: "OpenCoreData")]),
        .testTarget(
            name: "UpgradesTests",
            dependencies: [
                "Upgrades", .product(name: "CoreData", package: "OpenCoreData"),
                .product(name: "AppleShims", package: "OpenCoreData"),
            ],
            swiftSettings: [.swiftLanguageMode(.v5)]),
    ]
)
