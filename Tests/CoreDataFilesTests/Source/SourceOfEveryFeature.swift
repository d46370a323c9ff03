// A model source with every element and attribute that Xcode writes.

enum SourceOfEveryFeature {
    static let text = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="23231" \
        systemVersion="24A335" minimumToolsVersion="Automatic" sourceLanguage="Swift" usedWithCloudKit="NO" \
        userDefinedModelVersionIdentifier="3">
        \(base)\(person)\(company)
        <composite name="Place">
            <attribute name="city" optional="YES" attributeType="String"/>
            <attribute name="latitude" optional="YES" attributeType="Double" usesScalarValueType="NO"/>
        </composite>
        <configuration name="Local"><memberEntity name="Company"/></configuration>
        <fetchRequest name="young" entity="Person" predicateString="age &lt; 30" fetchLimit="5" fetchBatchSize="20" \
        resultType="2" includeSubentities="NO" includePropertyValues="NO" includePendingChanges="NO" \
        returnObjectsAsFaults="NO" returnDistinctResults="YES"/>
        <elements><element name="Base" positionX="-10" positionY="20" width="128" height="59"/></elements>
        </model>
        """

    private static let base = """
        <entity name="Base" representedClassName="Base" isAbstract="YES" syncable="YES" codeGenerationType="class">
            <attribute name="identifier" optional="YES" attributeType="UUID" usesScalarValueType="NO" \
            defaultValueString="E621E1F8-C36C-495A-93FC-0C247A3E6E5F"/>
            <userInfo><entry key="color" value="red"/></userInfo>
        </entity>
        """

    private static let person = """
        <entity name="Person" representedClassName=".Person" parentEntity="Base" elementID="Human" \
        versionHashModifier="2" syncable="YES" coreSpotlightDisplayNameExpression="name">
            <attribute name="age" optional="YES" attributeType="Integer 16" minValueString="0" maxValueString="150" \
            defaultValueString="30" usesScalarValueType="YES" indexed="YES" syncable="YES"/>
            <attribute name="born" optional="YES" attributeType="Date" usesScalarValueType="NO" \
            defaultDateTimeInterval="60" minDateTimeInterval="0" maxDateTimeInterval="1000"/>
            <attribute name="home" optional="YES" attributeType="Composite" composite="Place"/>
            <attribute name="isReal" attributeType="Boolean" defaultValueString="NO" usesScalarValueType="YES"/>
            <attribute name="look" optional="YES" attributeType="Transformable" customClassName="Look" \
            valueTransformerName="NSSecureUnarchiveFromData"/>
            <attribute name="mood" optional="YES" transient="YES" attributeType="Undefined"/>
            <attribute name="name" attributeType="String" defaultValueString="Zoe" minValueString="1" \
            maxValueString="80" regularExpressionString="[A-Z].*" elementID="title" versionHashModifier="b" \
            spotlightIndexingEnabled="YES" preserveAfterDeletion="YES" allowsCloudEncryption="YES"/>
            <attribute name="page" optional="YES" attributeType="URI" defaultValueString="https://example.org"/>
            <attribute name="picture" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
            <attribute name="price" optional="YES" attributeType="Decimal" defaultValueString="1.25"/>
            <attribute name="rank" optional="YES" attributeType="Integer 64" defaultValueString="7"/>
            <attribute name="search" optional="YES" attributeType="String" derived="YES" \
            derivationExpression="canonical:(name)"/>
            <attribute name="size" optional="YES" attributeType="Double" defaultValueString="1.5"/>
            <attribute name="weight" optional="YES" attributeType="Float" defaultValueString="0.5"/>
            <attribute name="visits" optional="YES" attributeType="Integer 32" defaultValueString="0"/>
            <relationship name="company" optional="YES" maxCount="1" deletionRule="Nullify" \
            destinationEntity="Company" inverseName="staff" inverseEntity="Company" syncable="YES"/>
            <relationship name="friends" optional="YES" toMany="YES" ordered="YES" minCount="0" maxCount="9" \
            deletionRule="Deny" destinationEntity="Person" inverseName="friends" inverseEntity="Person"/>
            <fetchedProperty name="namesakes" optional="YES"><fetchRequest name="fetchedPropertyFetchRequest" \
            entity="Person" predicateString="name == $FETCH_SOURCE.name"/></fetchedProperty>
            <fetchIndex name="byName" partialIndexPredicate="age &gt; 0">
                <fetchIndexElement property="name" type="Binary" order="ascending"/>
                <fetchIndexElement expression="uppercase:(name)" expressionType="String" type="Binary" \
                order="descending"/>
            </fetchIndex>
            <compoundIndexes><compoundIndex><index value="name"/><index value="age"/></compoundIndex></compoundIndexes>
            <uniquenessConstraints><uniquenessConstraint><constraint value="name"/><constraint value="age"/>\
            </uniquenessConstraint></uniquenessConstraints>
        </entity>
        """

    private static let company = """
        <entity name="Company" representedClassName="Company" syncable="YES" codeGenerationType="category">
            <attribute name="name" optional="YES" attributeType="String"/>
            <relationship name="staff" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Person" \
            inverseName="company" inverseEntity="Person"/>
        </entity>
        """
}
