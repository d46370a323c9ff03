// swift-tools-version: 6.2
import PackageDescription

// An app: one stack for all, a feed that is imported, a repository, and lists that follow changes.

let package = Package(
    name: "Journal",
    dependencies: [.package(name: "OpenCoreData", path: "../../..")],
    targets: [
        .target(
            name: "Journal",
            dependencies: [
                .product(name: "CoreData", package: "OpenCoreData"),
                .product(name: "AppleShims", package: "OpenCoreData"),
            ],
            exclude: ["Drafts.xcdatamodeld"],
            resources: [.process("Journal.xcdatamodeld")], swiftSettings: [.swiftLanguageMode(.v5)],
            plugins: [.plugin(name: "CoreDataModelPlugin", package: "OpenCoreData")]),
        .testTarget(
            name: "JournalTests",
            dependencies: [
                "Journal", .product(name: "CoreData", package: "OpenCoreData"),
                .product(name: "AppleShims", package: "OpenCoreData"),
            ],
            swiftSettings: [.swiftLanguageMode(.v5)]),
    ]
)
