import CoreDataTestSupport
import CoreData
import Testing

@testable import CoreDataStudio

struct DisplayRulesTests {
    @Test(arguments: [
        ("birthDate", "Birth date"), ("externalID", "External ID"), ("uniqueIDOfHero", "Unique IDOf hero"),
        ("URL", "URL"), ("serial_number", "Serial number"), ("z", "Z"), ("page2Title", "Page2 title"),
    ])
    func `Names are written as people write`(name: String, label: String) {
        let attribute = NSAttributeDescription()
        attribute.name = name
        expect(attribute.label, equals: label)
    }
}
