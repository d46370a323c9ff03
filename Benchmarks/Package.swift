// swift-tools-version: 6.2
import PackageDescription

// Measures the framework beside plain SQLite, in one run on one file system. A package of its own, so that nobody
// who uses the framework builds it: swift run -c release --package-path Benchmarks Benchmarks

/// Adds measurements of GRDB, which has to be fetched: BENCHMARK_PEERS=1.
let withPeers = Context.environment["BENCHMARK_PEERS"] == "1"
let peers: [Package.Dependency] =
    withPeers ? [.package(url: "https://github.com/groue/GRDB.swift.git", exact: "7.10.0")] : []
let peerProducts: [Target.Dependency] = withPeers ? [.product(name: "GRDB", package: "GRDB.swift")] : []

let package = Package(
    name: "Benchmarks",
    dependencies: [.package(name: "OpenCoreData", path: "..")] + peers,
    targets: [
        .systemLibrary(name: "CRawSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "CRawSQLite", .product(name: "CoreData", package: "OpenCoreData"),
                .product(name: "StoreTools", package: "OpenCoreData"),
            ] + peerProducts,
            swiftSettings: withPeers ? [.define("GRDB")] : []),
        // A small program, whose start is measured.
        .executableTarget(
            name: "StartUp", dependencies: [.product(name: "CoreData", package: "OpenCoreData")]),
        // Stores in PostgreSQL beside plain libpq, on a server of its own.
        .systemLibrary(name: "CRawPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .executableTarget(
            name: "PostgreSQLBenchmarks",
            dependencies: [
                "CRawPostgreSQL", .product(name: "CoreData", package: "OpenCoreData"),
                .product(name: "CoreDataPostgreSQL", package: "OpenCoreData"),
            ]),
    ]
)
