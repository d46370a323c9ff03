// swift-tools-version: 6.2
import PackageDescription

// Heroes in a database. The plugin compiles the model and makes the classes that the model asks for.

// The checks of this repository build everything with all traits, so that the library is built once.
let traits: Set<Package.Dependency.Trait> =
    Context.environment["OPENCOREDATA_ALL_TRAITS"] == nil ? ["Studio"] : [.defaults]

let package = Package(
    name: "SuperDB",
    // Studio brings the web server of the administration pages along.
    dependencies: [.package(name: "OpenCoreData", path: "../..", traits: traits)],
    targets: [
        .executableTarget(
            name: "SuperDB",
            dependencies: [
                .product(name: "CoreData", package: "OpenCoreData"),
                .product(name: "CoreDataStudio", package: "OpenCoreData"),
            ],
            resources: [.process("SuperDB.xcdatamodeld")],
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)],
            plugins: [.plugin(name: "CoreDataModelPlugin", package: "OpenCoreData")]),
        // SQLite itself: tests look into the store's file without the library.
        .systemLibrary(name: "PlainSQLite", path: "Tests/PlainSQLite"),
        .testTarget(
            name: "SuperDBTests", dependencies: ["SuperDB", "PlainSQLite"],
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
    ]
)
