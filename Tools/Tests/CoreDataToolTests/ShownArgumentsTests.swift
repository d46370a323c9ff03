import Testing

@testable import coredata

struct ShownArgumentsTests {
    @Test(arguments: [
        ("postgresql://ann:secret@host/db", "postgresql://ann:******@host/db"),
        ("postgresql://ann@host/db?password=a&schema=b", "postgresql://ann@host/db?password=*&schema=b"),
        ("postgresql://h/db?sslpassword=xy", "postgresql://h/db?sslpassword=**"),
        ("postgresql://ann@host:5432/db", "postgresql://ann@host:5432/db"),
        ("postgresql://host:5432/db?application_name=a@b", "postgresql://host:5432/db?application_name=a@b"),
        ("/path/with:colon@sign", "/path/with:colon@sign"), ("name == 'a:b@c'", "name == 'a:b@c'"),
    ])
    func `Passwords are covered`(argument: String, shown: String) {
        var bytes = Array(argument.utf8)
        for place in ShownArguments.passwords(in: bytes) { bytes[place] = UInt8(ascii: "*") }
        #expect(String(decoding: bytes, as: UTF8.self) == shown)
    }
}
