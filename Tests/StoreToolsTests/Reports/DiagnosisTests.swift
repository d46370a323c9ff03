import CoreDataTestSupport
import Foundation
import StoreTools
import Testing

@Suite struct DiagnosisTests {
    /// What `create` refuses.
    @Test(arguments: [
        (
            """
            <entity name="Foo"><attribute name="a" optional="YES" attributeType="String"/></entity>
            <entity name="FOO"><attribute name="a" optional="YES" attributeType="String"/></entity>
            """, false
        ),
        (
            """
            <entity name="Item"><attribute name="bytes" optional="YES" attributeType="Binary"/>
            <fetchIndex name="tree"><fetchIndexElement property="bytes" type="RTree" order="ascending"/>
            </fetchIndex></entity>
            """, false
        ),
        (
            """
            <entity name="Item"><attribute name="x" optional="YES" attributeType="Double"/>
            <fetchIndex name="tree"><fetchIndexElement property="x" type="RTree" order="ascending"/>
            </fetchIndex></entity>
            """, true
        ),
    ]) func aModelOfWhichNoStoreCanBeMade(_ entities: String, _ isSound: Bool) throws {
        let folder = try TemporaryFolder()
        let url = folder.file("Shop.xcdatamodel")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        let text =
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?><model documentVersion=\"1.0\">\(entities)</model>"
        try Data(text.utf8).write(to: url.appendingPathComponent("contents"))
        let harmful = try Diagnosis.findings(model: url.path).filter(\.isHarmful)
        expect(harmful.isEmpty, equals: isSound, "\(harmful.map(\.title))")
    }
}
