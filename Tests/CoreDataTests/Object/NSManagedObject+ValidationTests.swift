import CoreData
import CoreDataTestSupport
import Testing

@Suite struct ValidationTests {
    private func stack(_ change: (NSManagedObjectModel) -> Void = { _ in }) throws -> TestStack {
        let model = CompanyModel.make()
        change(model)
        return try TestStack(model: model)
    }

    private func failure(_ stack: TestStack) -> NSError? {
        #expect(throws: NSError.self) { try stack.context.save() }
    }

    @Test func severalFailuresBecomeOneError() throws {
        let stack = try stack()
        try stack.context.run { () throws in
            let company = stack.context.make("Company")
            let person = stack.context.make("Person", ["age": 100_000])
            let error = try #require(failure(stack))
            #expect(error.domain == NSCocoaErrorDomain && error.code == NSValidationMultipleErrorsError)
            let details = error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? []
            expect(
                details.map(\.code).sorted(),
                equals: [
                    NSValidationMissingMandatoryPropertyError, NSValidationNumberTooLargeError,
                ])
            expect(
                Set(details.compactMap { $0.userInfo[NSValidationObjectErrorKey] as? NSManagedObject }),
                equals: [
                    company, person,
                ])
        }
    }

    @Test func integersBeyondTheirWidthWaitForValidation() throws {
        let stack = try stack()
        try stack.context.run { () throws in
            let person = stack.context.make("Person", ["age": 40_000])
            expect(person.value(forKey: "age") as? Int, equals: 40_000)
            expect(failure(stack)?.code, equals: NSValidationNumberTooLargeError)
            person.setValue(1, forKey: "age")
            person.setValue(-3_000_000_000, forKey: "level")
            expect(failure(stack)?.code, equals: NSValidationNumberTooSmallError)
            person.setValue(40_000, forKey: "level")
            try stack.context.save()
        }
    }

    /// No store keeps them, so an object that was fetched has none; a new object must have them.
    @Test(arguments: [NSRelationshipDescription.Count.one, .many, .ordered])
    func requiredTransientRelationshipsOfFetchedObjectsMayBeEmpty(
        count: NSRelationshipDescription.Count
    ) throws {
        let (task, owner) = (NSEntityDescription("Task"), NSEntityDescription("Owner"))
        task.properties = NSAttributeDescription.all(("title", .stringAttributeType))
        NSRelationshipDescription.connect(task, "owners", count, owner, "tasks", .many)
        for relationship in [task.relationshipsByName["owners"], owner.relationshipsByName["tasks"]] {
            relationship?.isTransient = true
        }
        task.relationshipsByName["owners"]?.isOptional = false
        task.relationshipsByName["owners"]?.minCount = 1
        let model = NSManagedObjectModel()
        model.entities = [task, owner]
        let stack = try TestStack(model: model)
        try stack.context.run { () throws in
            let new = stack.context.make("Task")
            let missing =
                count == .one
                ? NSValidationMissingMandatoryPropertyError : NSValidationRelationshipLacksMinimumCountError
            expect(failure(stack)?.code, equals: missing)
            let member = stack.context.make("Owner")
            switch count {
            case .one: new.setValue(member, forKey: "owners")
            case .many: new.setValue(Set([member]), forKey: "owners")
            case .ordered: new.setValue(NSOrderedSet(object: member), forKey: "owners")
            }
            try stack.context.save()
            stack.context.reset()
            let request = NSFetchRequest<NSManagedObject>(entityName: "Task")
            let fetched = try #require(try stack.context.fetch(request).first)
            fetched.setValue("again", forKey: "title")
            try stack.context.save()
            stack.context.reset()
            try expect(stack.context.fetch(request).first?.value(forKey: "title") as? String, equals: "again")
        }
    }

    @Test func predicatesOfTheModel() throws {
        let stack = try stack {
            $0.entitiesByName["Person"]?.attributesByName["name"]?.setValidationPredicates(
                [NSPredicate(format: "length > 2")], withValidationWarnings: ["Too short a name"])
        }
        try stack.context.run { () throws in
            let person = stack.context.make("Person", ["name": "Al"])
            let error = try #require(failure(stack))
            #expect(
                error.code == NSManagedObjectValidationError
                    && error.localizedDescription == "Too short a name")
            expect(error.userInfo[NSValidationValueErrorKey] as? String, equals: "Al")
            #expect(error.userInfo[NSValidationPredicateErrorKey] is NSPredicate)
            person.setValue("Ada", forKey: "name")
            try stack.context.save()
        }
    }

    @Test func countsOfRelationships() throws {
        let stack = try stack {
            let people = $0.entitiesByName["Company"]?.relationshipsByName["people"]
            people?.minCount = 1
            people?.maxCount = 2
            $0.entitiesByName["Note"]?.relationshipsByName["author"]?.isOptional = false
        }
        try stack.context.run { () throws in
            let company = stack.context.make("Company", ["name": "A"])
            try stack.context.save()
            for _ in 0..<3 { _ = stack.context.make("Person", ["company": company]) }
            let error = failure(stack)
            expect(error?.code, equals: NSValidationRelationshipExceedsMaximumCountError)
            expect(error?.userInfo[NSValidationKeyErrorKey] as? String, equals: "people")
            stack.context.rollback()
            _ = stack.context.make("Note")
            expect(failure(stack)?.code, equals: NSValidationMissingMandatoryPropertyError)
        }
    }

    @Test func registeredValidatorsPassTheirErrorsThrough() throws {
        let stack = try stack()
        try stack.context.run { () throws in
            let person = stack.context.make("Person", ["age": -1])
            let error = #expect(throws: CocoaError.self) { try stack.context.save() }
            expect(error?.code, equals: .managedObjectValidation)
            var value: Any? = -1
            #expect(throws: CocoaError.self) { try person.validateValue(&value, forKey: "age") }
            person.setValue(1, forKey: "age")
            try person.validateForInsert()
            try stack.context.save()
        }
    }

    @Test func validationReadsNoMembers() throws {
        let stack = try stack()
        try stack.context.run { () throws in
            let company = stack.context.make("Company", ["name": "A"])
            _ = stack.context.make("Person", ["company": company])
            try stack.context.save()
            stack.context.refresh(company, mergeChanges: false)
            company.setValue("B", forKey: "name")
            try stack.expectSelects(0) { try stack.context.save() }
            #expect(company.hasFault(forRelationshipNamed: "people"))
        }
    }
}
