// Companies and people as GRDB's records, hand-written (by column number) and Codable.

#if GRDB
    import Foundation
    import GRDB

    protocol CompanyRecord: FetchableRecord, PersistableRecord {
        init(number: Int)
        var key: Int64 { get }
    }

    extension CompanyRecord {
        static var databaseTableName: String { "ZCOMPANY" }
        static var databaseSelection: [any SQLSelectable] {
            ["Z_PK", "Z_ENT", "Z_OPT", "ZNAME"].map { Column($0) }
        }
    }

    protocol PersonRecord: FetchableRecord, PersistableRecord {
        init(key: Int64, _ values: Staff)
        var age: Int64 { get set }
        var salary: Double { get set }
        var name: String { get }
        var version: Int64 { get set }
    }

    extension PersonRecord {
        static var databaseTableName: String { "ZPERSON" }
        static var databaseSelection: [any SQLSelectable] {
            [
                "Z_PK", "Z_ENT", "Z_OPT", "ZACTIVE", "ZAGE", "ZCOMPANY", "ZBORN", "ZSALARY", "ZEMAIL",
                "ZNAME",
            ].map { Column($0) }
        }
    }

    struct HandCompany: CompanyRecord {
        let (key, entity, version): (Int64, Int64, Int64)
        let name: String

        init(row: Row) { (key, entity, version, name) = (row[0], row[1], row[2], row[3]) }

        init(number: Int) {
            (key, entity, version, name) = (Int64(number + 1), 1, 1, Staff.companyName(number))
        }

        func encode(to container: inout PersistenceContainer) {
            (container["Z_PK"], container["Z_ENT"], container["Z_OPT"]) = (key, entity, version)
            container["ZNAME"] = name
        }
    }

    struct HandPerson: PersonRecord {
        let (key, entity): (Int64, Int64)
        var version: Int64
        let active: Bool
        var age: Int64
        let company: Int64
        let born: Double
        var salary: Double
        let (email, name): (String, String)

        init(row: Row) {
            (key, entity, version, active, age) = (row[0], row[1], row[2], row[3], row[4])
            (company, born, salary, email, name) = (row[5], row[6], row[7], row[8], row[9])
        }

        init(key: Int64, _ values: Staff) {
            (self.key, entity, version) = (key, 2, 1)
            (active, age, company) = (values.active, Int64(values.age), Int64(values.company + 1))
            (born, salary) = (values.born.timeIntervalSinceReferenceDate, values.salary)
            (email, name) = (values.email, values.name)
        }

        func encode(to container: inout PersistenceContainer) {
            (container["Z_PK"], container["Z_ENT"], container["Z_OPT"]) = (key, entity, version)
            (container["ZACTIVE"], container["ZAGE"], container["ZCOMPANY"]) = (active, age, company)
            (container["ZBORN"], container["ZSALARY"]) = (born, salary)
            (container["ZEMAIL"], container["ZNAME"]) = (email, name)
        }
    }

    struct CodableCompany: CompanyRecord, Codable {
        let Z_PK, Z_ENT, Z_OPT: Int64
        let ZNAME: String
        var key: Int64 { Z_PK }

        init(number: Int) {
            (Z_PK, Z_ENT, Z_OPT, ZNAME) = (Int64(number + 1), 1, 1, Staff.companyName(number))
        }

        static let people = hasMany(CodablePerson.self, key: "people", using: ForeignKey(["ZCOMPANY"]))
    }

    struct CodablePerson: PersonRecord, Codable {
        enum CodingKeys: String, CodingKey {
            case key = "Z_PK"
            case entity = "Z_ENT"
            case version = "Z_OPT"
            case active = "ZACTIVE"
            case age = "ZAGE"
            case company = "ZCOMPANY"
            case born = "ZBORN"
            case salary = "ZSALARY"
            case email = "ZEMAIL"
            case name = "ZNAME"
        }

        let key, entity: Int64
        var version: Int64
        let active: Bool
        var age: Int64
        let company: Int64
        let born: Double
        var salary: Double
        let email, name: String

        init(key: Int64, _ values: Staff) {
            (self.key, entity, version) = (key, 2, 1)
            (active, age, company) = (values.active, Int64(values.age), Int64(values.company + 1))
            (born, salary) = (values.born.timeIntervalSinceReferenceDate, values.salary)
            (email, name) = (values.email, values.name)
        }
    }

    struct CompanyWithPeople: FetchableRecord, Decodable {
        let company: CodableCompany
        let people: [CodablePerson]

        init(row: Row) throws {
            company = try CodableCompany(row: row)
            people = try row.prefetchedRows["people"]?.map { try CodablePerson(row: $0) } ?? []
        }
    }

    enum GRDBStaff {
        static func insert<Company: CompanyRecord, Person: PersonRecord>(
            _: Company.Type, _: Person.Type, _ folder: URL
        ) throws -> (Double, Int64) {
            let url = Files.fresh(folder)
            defer { Files.remove(url) }
            try RawStaff(path: url.path).makeTables()
            let queue = try GRDBItems.open(url.path)
            let time = try Clock.measure {
                try queue.write { database in
                    for number in 0..<Staff.companyCount { try Company(number: number).insert(database) }
                    for (row, values) in Staff.people.enumerated() {
                        try Person(key: Int64(row + 1), values).insert(database)
                    }
                }
            }
            return (time, 0)
        }

        static func query<Person: PersonRecord>(_: Person.Type, _ store: URL) throws -> (Double, Int64) {
            let queue = try GRDBItems.open(store.path)
            var sum: Int64 = 0
            let time = try Clock.measure {
                try queue.read { database in
                    for query in 0..<QueryStaff.count {
                        let age = QueryStaff.age(query)
                        let people = try Person.filter(Column("ZAGE") >= age && Column("ZAGE") <= age + 1)
                            .order(Column("ZNAME")).limit(QueryStaff.limit).fetchAll(database)
                        for person in people { sum &+= person.age &+ Int64(person.name.utf8.count) }
                    }
                }
            }
            return (time, sum)
        }

        static func traverse<Company: CompanyRecord, Person: PersonRecord>(
            _: Company.Type, _: Person.Type, _ store: URL
        ) throws -> (Double, Int64) {
            let queue = try GRDBItems.open(store.path)
            var sum: Int64 = 0
            let time = try Clock.measure {
                try queue.read { database in
                    for company in try Company.fetchAll(database) {
                        let people = try Person.filter(Column("ZCOMPANY") == company.key).fetchAll(database)
                        for person in people { sum &+= person.age }
                    }
                }
            }
            return (time, sum)
        }

        static func traversePrefetched(_ store: URL) throws -> (Double, Int64) {
            let queue = try GRDBItems.open(store.path)
            var sum: Int64 = 0
            let time = try Clock.measure {
                let companies = try queue.read { database in
                    try CodableCompany.including(all: CodableCompany.people)
                        .asRequest(of: CompanyWithPeople.self).fetchAll(database)
                }
                for company in companies {
                    for person in company.people { sum &+= person.age }
                }
            }
            return (time, sum)
        }

        static func updateAges<Person: PersonRecord>(_: Person.Type, _ store: URL) throws -> (Double, Int64) {
            try change(Person.self, store) { person, database in
                person.age += 1
                person.version += 1
                try person.update(database, columns: ["ZAGE", "Z_OPT"])
            }
        }

        static func updateSalaries<Person: PersonRecord>(
            _: Person.Type, _ store: URL
        ) throws -> (Double, Int64) {
            try change(Person.self, store) { person, database in
                person.salary += 1
                person.version += 1
                try person.update(database, columns: ["ZSALARY", "Z_OPT"])
            }
        }

        static func delete<Person: PersonRecord>(_: Person.Type, _ store: URL) throws -> (Double, Int64) {
            try change(Person.self, store) { person, database in try person.delete(database) }
        }

        private static func change<Person: PersonRecord>(
            _: Person.Type, _ store: URL, _ work: (inout Person, Database) throws -> Void
        ) throws -> (Double, Int64) {
            try Staff.withCopy(of: store) { copy in
                let queue = try GRDBItems.open(copy.path)
                let time = try Clock.measure {
                    try queue.write { database in
                        for var person in try Person.fetchAll(database) { try work(&person, database) }
                    }
                }
                return (time, try ChangeStaff.checksum(try RawStaff(path: copy.path)))
            }
        }
    }
#endif
