// The address of a server: read as libpq reads it, shown without passwords.

import CoreDataPostgreSQLEngine
import CoreDataTestSupport
import Foundation
import Testing

struct ServerAddressTests {
    @Test(arguments: [
        "postgresql://ann:secret%20word@db.example:5433/library?sslmode=require",
        "host=db.example port=5433 user=ann password='secret word' dbname=library sslmode=require",
        "postgresql:///library?host=db.example&port=5433&user=ann&password=secret%20word&sslmode=require",
    ])
    func bothFormsAreReadAndNoneShowsThePassword(_ text: String) throws {
        let address = try ServerAddress(parsing: text)
        expect(address["password"], equals: "secret word")
        #expect(address["host"] == "db.example" && address["dbname"] == "library")
        #expect(address.url.absoluteString == "postgresql://ann@db.example:5433/library?sslmode=require")
        #expect(address.hasSecrets && !address.withoutSecrets.hasSecrets)
        for shown in ["\(address)", String(reflecting: address), "\([address])", dumped(address)] {
            #expect(!shown.contains("secret"))
        }
    }

    private func dumped(_ address: ServerAddress) -> String {
        var text = ""
        dump(address, to: &text)
        return text
    }

    @Test func theURLLeadsToTheSamePlace() throws {
        for text in [
            "postgresql:///db?host=/run/postgresql",
            "postgresql://a,b:5433/db?target_session_attrs=read-write",
            "postgresql://ann@[::1]:5433/a%2Fb", "host=/tmp dbname='my db' application_name=50%+1",
        ] {
            let address = try ServerAddress(parsing: text)
            try expect(ServerAddress(parsing: address.url.absoluteString), equals: address, "\(text)")
        }
    }

    @Test func whatIsNoAddressIsRefusedWithoutBeingQuoted() throws {
        let failure = try #require(throws: ServerFailure.self) {
            try ServerAddress(parsing: "password=secret word")
        }
        #expect(failure.kind == .address && !failure.message.contains("secret"))
    }

    @Test func theSchemaIsThatOfTheSearchPath() throws {
        let address = try ServerAddress(parsing: "postgresql:///db?options=-c%20geqo%3Doff")
        expect(address.schema, equals: "public")
        let other = address.with(schema: "my \"own\"")
        #expect(other["options"] == #"-c geqo=off -csearch_path="my\ ""own""""#)
        expect(other.schema, equals: "my \"own\"")
        expect(other.with(schema: "library")["options"], equals: #"-c geqo=off -csearch_path="library""#)
        try expect(ServerAddress(parsing: "options='-c search_path=a,b'").schema, equals: "a")
    }

    @Test func passwordsAreTakenFromAnotherAddress() throws {
        let address = try ServerAddress(parsing: "postgresql://ann:secret@h/db")
        let plain = try ServerAddress(parsing: address.url.absoluteString)
        expect(plain.withSecrets(of: address), equals: address)
    }
}
