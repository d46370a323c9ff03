// swift-tools-version: 6.2
import PackageDescription

// Measures the framework beside plain SQLite, in one run on one file system. A package of its own, so that nobody
// who uses the framework builds it: swift run -c release --package-path Benchmarks Benchmarks

let package = Package(
    name: "Benchmarks",
    dependencies: [.package(name: "OpenCoreData", path: "..")],
    targets: [
        .systemLibrary(name: "CRawSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .executableTarget(
            name: "Benchmarks",
            dependencies: ["CRawSQLite", .product(name: "CoreData", package: "OpenCoreData")]),
    ]
)
