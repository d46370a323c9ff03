// The published vectors, and messages around the block boundaries.

import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct SHA2Tests {
    private func hex(_ data: Data) -> String {
        data.map { String(format: "%02x", $0) }.joined()
    }

    @Test func sha256OfPublishedVectors() {
        expect(
            hex(SHA256.hash([UInt8]())),
            equals: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        expect(
            hex(SHA256.hash(Array("abc".utf8))),
            equals: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        expect(
            hex(SHA256.hash(Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8))),
            equals: "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
    }

    @Test func sha512OfPublishedVectors() {
        expect(
            hex(SHA512.hash(Array("abc".utf8))),
            equals: "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f")
        expect(
            hex(SHA512.hash([UInt8]())),
            equals: "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
                + "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e")
    }

    @Test(arguments: [
        (55, "9f4390f8d30c2dd9", "b0220c772cbf6c18"),
        (56, "b35439a4ac6f0948", "962b64aae357d2a4"),
        (63, "7d3e74a05d7db15b", "c1b0f5c6d3b03dfe"),
        (64, "ffe054fe7ae0cb6d", "01d35c10c6c38c2d"),
        (65, "635361c48bb9eab1", "b83086cd8494e557"),
        (111, "6374f73208854473", "fa9121c7b32b9e01"),
        (112, "f54353008a255326", "c01d080efd492776"),
        (119, "31eba51c313a5c08", "130396a75cb483f2"),
        (120, "2f3d335432c70b58", "f241de612b01aa2f"),
        (127, "c57e9278af78fa3c", "828613968b501dc0"),
        (128, "6836cf13bac400e9", "b73d1929aa615934"),
        (129, "c12cb024a2e5551c", "4f681e0bd53cda4b"),
        (1000, "41edece42d63e8d9", "67ba5535a46e3f86"),
        (100000, "6d1cf22d7cc09b08", "c7664ff18bbefa58"),
    ])
    func lengthsAroundABlock(_ length: Int, _ sum256: String, _ sum512: String) {
        let message = [UInt8](repeating: 0x61, count: length)
        #expect(hex(SHA256.hash(message)).hasPrefix(sum256))
        #expect(hex(SHA512.hash(message)).hasPrefix(sum512))
    }
}
