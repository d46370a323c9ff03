// Models to begin with and to look at.

import Foundation

/// A sample model: its name, what it shows, and a version's XML.
struct SampleModel: Sendable {
    let name: String
    let help: String
    private let entities: String

    var contents: Data {
        Data(
            """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22522" \
            systemVersion="23A344" minimumToolsVersion="Automatic" sourceLanguage="Swift" \
            userDefinedModelVersionIdentifier="">
            \(entities)
            </model>
            """.utf8)
    }

    /// Writes the model as its only version.
    func write(to files: ModelFiles) throws {
        var numbers = ModelNumbers()
        let text = try ModelText(contents, numbers: &numbers)
        let version = files.url.deletingPathExtension().lastPathComponent
        try files.write(ModelText.bytes(of: text.root, like: nil), as: version)
        if files.url.pathExtension == "xcdatamodeld" {
            try ModelFiles.currentText(version).write(to: files.currentFile)
        }
    }

    static let all = [library, shop, journal]

    private static let library = SampleModel(
        name: "Library", help: "Books and authors, many to many, with a unique ISBN and a fetch index.",
        entities: """
            <entity name="Author" representedClassName="Author" syncable="YES" codeGenerationType="class">
            <attribute name="born" optional="YES" attributeType="Date" usesScalarValueType="NO"/>
            <attribute name="name" attributeType="String" minValueString="1"/>
            <relationship name="books" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Book" \
            inverseName="authors" inverseEntity="Book"/>
            </entity>
            <entity name="Book" representedClassName="Book" syncable="YES" codeGenerationType="class">
            <attribute name="isbn" optional="YES" attributeType="String"/>
            <attribute name="pages" optional="YES" attributeType="Integer 32" minValueString="1" \
            usesScalarValueType="YES"/>
            <attribute name="published" optional="YES" attributeType="Date" usesScalarValueType="NO"/>
            <attribute name="title" attributeType="String" minValueString="1"/>
            <relationship name="authors" optional="YES" toMany="YES" deletionRule="Nullify" \
            destinationEntity="Author" inverseName="books" inverseEntity="Author"/>
            <fetchIndex name="byTitle">
            <fetchIndexElement property="title" type="Binary" order="ascending"/>
            </fetchIndex>
            <uniquenessConstraints>
            <uniquenessConstraint><constraint value="isbn"/></uniquenessConstraint>
            </uniquenessConstraints>
            </entity>
            <fetchRequest name="booksOfAuthor" entity="Book" predicateString="ANY authors.name == $NAME"/>
            """)

    private static let shop = SampleModel(
        name: "Shop",
        help: "Orders that own their items, products that can't go while they are ordered, an address.",
        entities: """
            <entity name="Item" representedClassName="Item" syncable="YES" codeGenerationType="class">
            <attribute name="count" attributeType="Integer 32" minValueString="1" defaultValueString="1" \
            usesScalarValueType="YES"/>
            <attribute name="price" optional="YES" attributeType="Decimal" minValueString="0"/>
            <relationship name="order" maxCount="1" deletionRule="Nullify" destinationEntity="Order" \
            inverseName="items" inverseEntity="Order"/>
            <relationship name="product" maxCount="1" deletionRule="Nullify" destinationEntity="Product" \
            inverseName="items" inverseEntity="Product"/>
            </entity>
            <entity name="Order" representedClassName="Order" syncable="YES" codeGenerationType="class">
            <attribute name="address" optional="YES" attributeType="Composite" composite="Address"/>
            <attribute name="customer" attributeType="String" minValueString="1"/>
            <attribute name="placed" optional="YES" attributeType="Date" usesScalarValueType="NO"/>
            <relationship name="items" optional="YES" toMany="YES" deletionRule="Cascade" ordered="YES" \
            destinationEntity="Item" inverseName="order" inverseEntity="Item"/>
            </entity>
            <entity name="Product" representedClassName="Product" syncable="YES" codeGenerationType="class">
            <attribute name="name" attributeType="String" minValueString="1"/>
            <attribute name="price" optional="YES" attributeType="Decimal" minValueString="0"/>
            <relationship name="items" optional="YES" toMany="YES" deletionRule="Deny" destinationEntity="Item" \
            inverseName="product" inverseEntity="Item"/>
            </entity>
            <composite name="Address">
            <attribute name="city" optional="YES" attributeType="String"/>
            <attribute name="street" optional="YES" attributeType="String"/>
            </composite>
            """)

    private static let journal = SampleModel(
        name: "Journal",
        help: "Entries with tags and pictures in files of their own; tasks inherit from entries.",
        entities: """
            <entity name="Entry" representedClassName="Entry" syncable="YES" codeGenerationType="class">
            <attribute name="date" optional="YES" attributeType="Date" usesScalarValueType="NO"/>
            <attribute name="picture" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
            <attribute name="text" optional="YES" attributeType="String">
            <userInfo><entry key="studio.kind" value="longText"/></userInfo>
            </attribute>
            <attribute name="title" attributeType="String" minValueString="1"/>
            <relationship name="tags" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Tag" \
            inverseName="entries" inverseEntity="Tag"/>
            </entity>
            <entity name="Tag" representedClassName="Tag" syncable="YES" codeGenerationType="class">
            <attribute name="name" attributeType="String" minValueString="1"/>
            <relationship name="entries" optional="YES" toMany="YES" deletionRule="Nullify" \
            destinationEntity="Entry" inverseName="tags" inverseEntity="Entry"/>
            </entity>
            <entity name="Task" representedClassName="Task" parentEntity="Entry" syncable="YES" \
            codeGenerationType="class">
            <attribute name="isDone" optional="YES" attributeType="Boolean" defaultValueString="NO" \
            usesScalarValueType="YES"/>
            </entity>
            """)
}
