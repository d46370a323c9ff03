import CoreData
import CoreDataTestSupport
import Testing

/// Bounds that a model states, one attribute for each kind, and the error that each bound gives.
@Suite struct ValidationRulesTests {
    private static let source = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" userDefinedModelVersionIdentifier="">
            <entity name="Sample" syncable="YES">
                <attribute name="small" optional="YES" attributeType="Integer 16" minValueString="2" maxValueString="9"/>
                <attribute name="medium" optional="YES" attributeType="Integer 32" minValueString="2" maxValueString="9"/>
                <attribute name="large" optional="YES" attributeType="Integer 64" minValueString="2" maxValueString="9"/>
                <attribute name="half" optional="YES" attributeType="Float" minValueString="2" maxValueString="9"/>
                <attribute name="whole" optional="YES" attributeType="Double" minValueString="2" maxValueString="9"/>
                <attribute name="exact" optional="YES" attributeType="Decimal" minValueString="2" maxValueString="9"/>
                <attribute name="day" optional="YES" attributeType="Date" minDateTimeInterval="100" maxDateTimeInterval="900"/>
                <attribute name="text" optional="YES" attributeType="String" minValueString="2" maxValueString="4"/>
                <attribute name="code" optional="YES" attributeType="String" regularExpressionString="[A-Z]{2}[0-9]+"/>
                <attribute name="needed" attributeType="String"/>
            </entity>
        </model>
        """

    private func stack() throws -> TestStack {
        let folder = try TemporaryFolder()
        let package = folder.file("Sample.xcdatamodel")
        try FileManager.default.createDirectory(at: package, withIntermediateDirectories: true)
        try Data(Self.source.utf8).write(to: package.appendingPathComponent("contents"))
        let model = try #require(NSManagedObjectModel(contentsOf: package))
        return try TestStack(model: model)
    }

    private static let day = Date(timeIntervalSinceReferenceDate: 500)

    @Test func everyBoundHasItsCode() throws {
        let stack = try stack()
        try stack.context.run { () throws in
            let numbers = ["small", "medium", "large", "half", "whole", "exact"]
            var cases: [(String, Any, Int)] = numbers.flatMap { key in
                [(key, 1, NSValidationNumberTooSmallError), (key, 10, NSValidationNumberTooLargeError)]
            }
            cases += [
                ("day", Date(timeIntervalSinceReferenceDate: 99), NSValidationDateTooSoonError),
                ("day", Date(timeIntervalSinceReferenceDate: 901), NSValidationDateTooLateError),
                ("text", "a", NSValidationStringTooShortError),
                ("text", "abcde", NSValidationStringTooLongError),
                ("code", "ab12", NSValidationStringPatternMatchingError),
                ("code", "AB12x", NSValidationStringPatternMatchingError),
            ]
            let object = stack.context.make("Sample", ["needed": "yes"])
            for (key, value, code) in cases {
                object.setValue(value, forKey: key)
                let error = #expect(throws: NSError.self, "\(key) \(value)") { try stack.context.save() }
                #expect(error?.domain == NSCocoaErrorDomain && error?.code == code, "\(key) \(value)")
                let info = error?.userInfo ?? [:]
                expect(info[NSValidationKeyErrorKey] as? String, equals: key)
                #expect(info[NSValidationObjectErrorKey] as? NSManagedObject === object)
                #expect(
                    info[NSValidationValueErrorKey] != nil
                        && info[NSValidationPredicateErrorKey] is NSPredicate)
                expect(error?.localizedDescription.contains(key), equals: true)
                object.setValue(nil, forKey: key)
            }
            #expect(object.isInserted && object.objectID.isTemporaryID)
        }
    }

    @Test func valuesOnTheBoundsPass() throws {
        let stack = try stack()
        try stack.context.run { () throws in
            let values: [[String: Any]] = [
                ["small": 2, "medium": 9, "large": 2, "half": 9, "whole": 2.0, "exact": Decimal(9)],
                ["day": Self.day, "text": "ab", "code": "AB12"], ["text": "abcd"],
            ]
            for value in values {
                stack.context.make("Sample", value).setValue("yes", forKey: "needed")
            }
            try stack.context.save()
        }
    }

    @Test func aMissingValueNamesItsKey() throws {
        let stack = try stack()
        try stack.context.run { () throws in
            let object = stack.context.make("Sample")
            let error = #expect(throws: CocoaError.self) { try stack.context.save() }
            #expect(error?.code == .validationMissingMandatoryProperty && error?.validationKey == "needed")
            #expect(error?.validationObject as? NSManagedObject === object && error?.validationValue == nil)
            object.setValue("", forKey: "needed")
            try stack.context.save()
        }
    }

    @Test func allProblemsOfAllObjectsAreInOneError() throws {
        let stack = try stack()
        try stack.context.run { () throws in
            let first = stack.context.make("Sample", ["small": 1, "text": "abcde"])
            let second = stack.context.make("Sample", ["needed": "yes", "code": "-"])
            let error = #expect(throws: CocoaError.self) { try stack.context.save() }
            expect(error?.code, equals: .validationMultipleErrors)
            let details = error?.userInfo[NSDetailedErrorsKey] as? [NSError] ?? []
            expect(
                details.map(\.code).sorted(),
                equals: [
                    NSValidationMissingMandatoryPropertyError, NSValidationNumberTooSmallError,
                    NSValidationStringTooLongError, NSValidationStringPatternMatchingError,
                ])
            expect(
                details.filter { $0.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === first }
                    .count, equals: 3)
            #expect(throws: NSError.self) { try second.validateForInsert() }
        }
    }

    @Test func aSingleValueIsValidatedWithoutBeingSet() throws {
        let stack = try stack()
        try stack.context.run { () throws in
            let object = stack.context.make("Sample", ["needed": "yes", "small": 5])
            var value: Any? = 1
            let error = #expect(throws: CocoaError.self) { try object.validateValue(&value, forKey: "small") }
            #expect(error?.code == .validationNumberTooSmall && error?.validationValue as? Int == 1)
            value = 3
            try object.validateValue(&value, forKey: "small")
            value = nil
            #expect(throws: CocoaError.self) { try object.validateValue(&value, forKey: "needed") }
            expect(object["small"] as? Int, equals: 5)
        }
    }

    @Test func aCandidateForARelationshipIsCounted() throws {
        let model = CompanyModel.make()
        let people = model.entitiesByName["Company"]?.relationshipsByName["people"]
        people?.minCount = 1
        people?.maxCount = 2
        people?.isOptional = false
        people?.setValidationPredicates(
            [NSPredicate(format: "ALL SELF.age > 17")], withValidationWarnings: ["Too young"])
        let stack = try TestStack(model: model)
        try stack.context.run { () throws in
            let company = stack.context.make("Company", ["name": "A"])
            let (child, adult) = (
                stack.context.make("Person", ["age": 4]), stack.context.make("Person", ["age": 40])
            )
            let other = stack.context.make("Person", ["age": 50])
            func failure(_ members: [NSManagedObject]) -> NSError? {
                var value: Any? = NSSet(array: members)
                do { try company.validateValue(&value, forKey: "people") } catch { return error as NSError }
                return nil
            }
            expect(failure([])?.code, equals: NSValidationRelationshipLacksMinimumCountError)
            expect(
                failure([child, adult, other])?.code, equals: NSValidationRelationshipExceedsMaximumCountError
            )
            expect(failure([child])?.code, equals: NSManagedObjectValidationError)
            expect(failure([child])?.localizedDescription, equals: "Too young")
            #expect(failure([adult]) == nil)
        }
    }

    /// Only a minimum demands members: models exist in which an object can't have any at first, such as CareKit's,
    /// whose plans have required successors and predecessors.
    @Test(arguments: [(isOptional: false, minimum: 0), (false, 1), (true, 0), (true, 1), (true, 2)])
    func anEmptyToManyRelationshipLacksMembersBelowARequiredMinimum(isOptional: Bool, minimum: Int) throws {
        let model = CompanyModel.make()
        let people = try #require(model.entitiesByName["Company"]?.relationshipsByName["people"])
        people.isOptional = isOptional
        people.minCount = minimum
        let stack = try TestStack(model: model)
        try stack.context.run { () throws in
            let company = stack.context.make("Company", ["name": "A"])
            func code() -> Int? {
                do { try company.validateForInsert() } catch { return (error as NSError).code }
                return nil
            }
            let lacks = NSValidationRelationshipLacksMinimumCountError
            expect(code(), equals: (!isOptional && minimum > 0 ? lacks : nil))
            company.setValue(NSSet(object: stack.context.make("Person", ["name": "Ada"])), forKey: "people")
            expect(code(), equals: (minimum > 1 ? lacks : nil))
        }
    }
}
