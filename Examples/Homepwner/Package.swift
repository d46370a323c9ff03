// swift-tools-version: 6.2
import PackageDescription

// The belongings of a household. The plugin compiles the model into the program's bundle and writes the
// classes that it asks for.

// The checks of this repository build everything with all traits, so that the library is built once.
let traits: Set<Package.Dependency.Trait> =
    Context.environment["OPENCOREDATA_ALL_TRAITS"] == nil ? ["Studio"] : [.defaults]

let package = Package(
    name: "Homepwner",
    // Studio brings the web server of the administration pages along.
    dependencies: [.package(name: "OpenCoreData", path: "../..", traits: traits)],
    targets: [
        .executableTarget(
            name: "Homepwner",
            dependencies: [
                .product(name: "CoreData", package: "OpenCoreData"),
                .product(name: "CoreDataStudio", package: "OpenCoreData"),
            ],
            resources: [.process("Homepwner.xcdatamodeld")],
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)],
            plugins: [.plugin(name: "CoreDataModelPlugin", package: "OpenCoreData")]),
        // SQLite itself: tests look into the store's file without the library.
        .systemLibrary(name: "PlainSQLite", path: "Tests/PlainSQLite"),
        .testTarget(
            name: "HomepwnerTests", dependencies: ["Homepwner", "PlainSQLite"],
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
    ]
)
