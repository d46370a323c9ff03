// Archived sources for tests.

import CoreDataSupport
import Foundation

/// Makes archives of a model with one entity, in the form that Xcode 3's models have.
struct ArchivedSourceMaker {
    let archive = KeyedArchiveWriter()
    /// The fact that holds the entity's fetch requests.
    var requests: PropertyList?
    /// Fields of the model itself.
    var modelFields: [PropertyList.Entry] = []
    var properties: [(String, PropertyList)] = []
    let entity: PropertyList

    init() { entity = archive.reserve() }

    func string(_ text: String?) -> PropertyList { archive.string(text) }

    func element(_ name: String, _ fields: [PropertyList.Entry]) -> PropertyList {
        archive.object([name, "NSObject"], fields: fields)
    }

    func stereotypes(_ facts: [(String, PropertyList)]) -> PropertyList {
        let attributes = facts.map { name, value in
            (
                string(name),
                element(
                    "XDUMLPropertyImp",
                    [.init("_name", value: string(name)), .init("_default", value: value)])
            )
        }
        let stereotype = element(
            "XDUMLStereotypeImp",
            [.init("XDBucketForOwnedAttributesstorage", value: archive.dictionary(attributes))])
        return archive.dictionary([(string("XD_PStereotype"), stereotype)])
    }

    func attribute(_ name: String, _ facts: [(String, PropertyList)]) -> PropertyList {
        element(
            "XDPMAttribute",
            [
                .init("_name", value: string(name)),
                .init("XDBucketForStereotypesstorage", value: stereotypes(facts)),
            ])
    }

    func data() -> Data {
        archive.define(
            entity, classes: ["XDPMEntity", "XDUMLClassImp", "NSObject"],
            fields: [
                .init("_name", value: string("Human")),
                .init(
                    "XDBucketForStereotypesstorage",
                    value: stereotypes([("XD_PSK_fetchRequestsArray", requests ?? archive.array([]))])),
                .init(
                    "XDBucketForOwnedAttributesstorage",
                    value: archive.dictionary(properties.map { (string($0), $1) })),
            ])
        let package = element(
            "XDModelPackage",
            [.init("XDBucketForClassesstorage", value: archive.dictionary([(string("Human"), entity)]))])
        return archive.data(
            root: element("XDPMModel", [.init("_xd_rootPackage", value: package)] + modelFields))
    }
}
