// The workloads in other libraries, if the build has them: BENCHMARK_PEERS=1 Scripts/bench.

import Foundation

#if GRDB
    enum Peers {
        static func insertIntegers(_ folder: URL) -> [Contestant] {
            [
                Contestant(name: "GRDB, hand-written") { try GRDBItems.insert(HandItem.self, folder) },
                Contestant(name: "GRDB, Codable") { try GRDBItems.insert(CodableItem.self, folder) },
            ]
        }

        static func fetchIntegers(_ path: String) -> [Contestant] {
            [
                Contestant(name: "GRDB, hand-written") { try GRDBItems.fetch(HandItem.self, path) },
                Contestant(name: "GRDB, Codable") { try GRDBItems.fetch(CodableItem.self, path) },
            ]
        }

        static func lookUps(_ path: String) -> [Contestant] {
            [
                Contestant(name: "GRDB, hand-written") { try GRDBItems.lookUp(HandItem.self, path) },
                Contestant(name: "GRDB, Codable") { try GRDBItems.lookUp(CodableItem.self, path) },
            ]
        }

        static func largeResults(_ path: String) -> [Contestant] {
            [
                Contestant(name: "GRDB, hand-written") { try GRDBItems.walk(HandItem.self, path) },
                Contestant(name: "GRDB, Codable") { try GRDBItems.walk(CodableItem.self, path) },
            ]
        }

        static func insertStaff(_ folder: URL) -> [Contestant] {
            [
                Contestant(name: "GRDB, hand-written") {
                    try GRDBStaff.insert(HandCompany.self, HandPerson.self, folder)
                },
                Contestant(name: "GRDB, Codable") {
                    try GRDBStaff.insert(CodableCompany.self, CodablePerson.self, folder)
                },
            ]
        }

        static func queryStaff(_ store: URL) -> [Contestant] {
            [
                Contestant(name: "GRDB, hand-written") { try GRDBStaff.query(HandPerson.self, store) },
                Contestant(name: "GRDB, Codable") { try GRDBStaff.query(CodablePerson.self, store) },
            ]
        }

        static func traverseLazily(_ store: URL) -> [Contestant] {
            [
                Contestant(name: "GRDB, hand-written") {
                    try GRDBStaff.traverse(HandCompany.self, HandPerson.self, store)
                },
                Contestant(name: "GRDB, Codable") {
                    try GRDBStaff.traverse(CodableCompany.self, CodablePerson.self, store)
                },
            ]
        }

        static func traversePrefetched(_ store: URL) -> [Contestant] {
            [Contestant(name: "GRDB, Codable") { try GRDBStaff.traversePrefetched(store) }]
        }

        static func updateAges(_ store: URL) -> [Contestant] {
            [
                Contestant(name: "GRDB, hand-written") { try GRDBStaff.updateAges(HandPerson.self, store) },
                Contestant(name: "GRDB, Codable") { try GRDBStaff.updateAges(CodablePerson.self, store) },
            ]
        }

        static func updateSalaries(_ store: URL) -> [Contestant] {
            [
                Contestant(name: "GRDB, hand-written") {
                    try GRDBStaff.updateSalaries(HandPerson.self, store)
                },
                Contestant(name: "GRDB, Codable") { try GRDBStaff.updateSalaries(CodablePerson.self, store) },
            ]
        }

        static func delete(_ store: URL) -> [Contestant] {
            [
                Contestant(name: "GRDB, hand-written") { try GRDBStaff.delete(HandPerson.self, store) },
                Contestant(name: "GRDB, Codable") { try GRDBStaff.delete(CodablePerson.self, store) },
            ]
        }
    }
#else
    enum Peers {
        static func insertIntegers(_ folder: URL) -> [Contestant] { [] }
        static func fetchIntegers(_ path: String) -> [Contestant] { [] }
        static func lookUps(_ path: String) -> [Contestant] { [] }
        static func largeResults(_ path: String) -> [Contestant] { [] }
        static func insertStaff(_ folder: URL) -> [Contestant] { [] }
        static func queryStaff(_ store: URL) -> [Contestant] { [] }
        static func traverseLazily(_ store: URL) -> [Contestant] { [] }
        static func traversePrefetched(_ store: URL) -> [Contestant] { [] }
        static func updateAges(_ store: URL) -> [Contestant] { [] }
        static func updateSalaries(_ store: URL) -> [Contestant] { [] }
        static func delete(_ store: URL) -> [Contestant] { [] }
    }
#endif
