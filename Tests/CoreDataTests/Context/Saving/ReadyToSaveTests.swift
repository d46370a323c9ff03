import CoreData
import CoreDataTestSupport
import Testing

/// A class whose validation does what a test says.
private final class Judge: NSManagedObject {
    var onValidate: ((Judge) throws -> Void)?
    var calls: [String] = []

    override func willSave() { calls.append("willSave") }
    override func validateForInsert() throws {
        calls.append("validate")
        try super.validateForInsert()
        try onValidate?(self)
    }
    override func validateForUpdate() throws {
        calls.append("validate")
        try super.validateForUpdate()
        try onValidate?(self)
    }
    override func validateForDelete() throws {
        var problems: [NSError] = []
        do { try super.validateForDelete() } catch { problems.append(error as NSError) }
        do { try onValidate?(self) } catch { problems.append(error as NSError) }
        if problems.count == 1 { throw problems[0] }
        if problems.count > 1 {
            throw NSError(
                domain: NSCocoaErrorDomain, code: NSValidationMultipleErrorsError,
                userInfo: [NSDetailedErrorsKey: problems])
        }
    }

    override class func registerKeys(in keys: inout KeyRegistry) {
        super.registerKeys(in: &keys)
        keys.validator("text") { (judge: Judge, value) in
            judge.calls.append("text")
            if let text = value as? String { value = text + "!" }
        }
    }
}

@Suite struct ReadyToSaveTests {
    private func stack(_ change: (NSManagedObjectModel) -> Void = { _ in }) throws -> TestStack {
        let model = CompanyModel.make()
        model.entitiesByName["Note"]?.managedObjectClassName = "Judge"
        Judge.registerClass()
        change(model)
        return try TestStack(model: model)
    }

    private func judge(_ stack: TestStack, _ text: String) throws -> Judge {
        try #require(stack.context.make("Note", ["text": text]) as? Judge)
    }

    @Test func aValidatorThatAlwaysChangesTheValueDoesNotLoop() throws {
        let stack = try stack()
        try stack.context.run { () throws in
            let judge = try judge(stack, "a")
            try stack.context.save()
            #expect(judge.text("text") == "a!" && judge.calls == ["willSave", "validate", "text"])
            #expect(!stack.context.hasChanges && judge.changedValues().isEmpty)
            judge.calls = []
            judge.setValue("b", forKey: "text")
            try stack.context.save()
            #expect(judge.text("text") == "b!" && judge.calls == ["willSave", "validate", "text"])
            try expect(stack.another().all("Note")[0].value(forKey: "text") as? String, equals: "b!")
        }
    }

    @Test func observersHearOfWhatValidatorsChangedBeforeTheSaveIsDone() throws {
        let stack = try stack()
        try stack.context.run { () throws in
            let judge = try judge(stack, "a")
            let changes = Posted(.NSManagedObjectContextObjectsDidChange, stack.context)
            try stack.context.save()
            #expect(changes.all.count == 2 && changes.objects(NSUpdatedObjectsKey) == [judge])
            stack.context.processPendingChanges()
            expect(changes.all.count, equals: 2)
        }
    }

    @Test func whatAValidationChangesInOtherObjectsIsSavedToo() throws {
        let stack = try stack()
        try stack.context.run { () throws in
            let (first, second) = (try judge(stack, "first"), try judge(stack, "second"))
            let person = stack.context.make("Person", ["name": "Ada"])
            try stack.context.save()
            first.onValidate = { _ in
                person.setValue("Bea", forKey: "name")
                second.setPrimitiveValue("x", forKey: "text")
                second.willChangeValue(forKey: "text")
                second.didChangeValue(forKey: "text")
                _ = stack.context.make("Project", ["title": "made"])
                first.onValidate = nil
            }
            second.calls = []
            first.setValue("changed", forKey: "text")
            try stack.context.save()
            #expect(!stack.context.hasChanges && second.calls == ["willSave", "validate", "text"])
            let other = stack.another()
            #expect(try other.all("Person")[0].text("name") == "Bea" && other.all("Project").count == 1)
        }
    }

    @Test func aChangedObjectIsValidatedAgain() throws {
        let stack = try stack()
        try stack.context.run { () throws in
            let first = try judge(stack, "first")
            let company = stack.context.make("Company", ["name": "A"])
            try stack.context.save()
            first.onValidate = { _ in company.setValue(nil, forKey: "name") }
            first.setValue("changed", forKey: "text")
            let error = #expect(throws: CocoaError.self) { try stack.context.save() }
            expect(error?.code, equals: .validationMissingMandatoryProperty)
            #expect(error?.validationObject as? NSManagedObject === company && stack.context.hasChanges)
        }
    }

    @Test func validationsThatChangeEachOtherForeverFailTheSave() throws {
        let stack = try stack()
        try stack.context.run { () throws in
            let (first, second) = (try judge(stack, "1"), try judge(stack, "2"))
            func touch(_ judge: Judge) {
                judge.willChangeValue(forKey: "text")
                judge.didChangeValue(forKey: "text")
            }
            first.onValidate = { _ in touch(second) }
            second.onValidate = { _ in touch(first) }
            let error = #expect(throws: CocoaError.self) { try stack.context.save() }
            expect(error?.code.rawValue, equals: NSPersistentStoreSaveError)
            #expect(first.isInserted && second.isInserted)
            first.onValidate = nil
            try stack.context.save()
        }
    }

    @Test func overridesCombineTheirErrorsWithTheModels() throws {
        let stack = try stack { model in
            model.entitiesByName["Note"]?.relationshipsByName["author"]?.deleteRule = .denyDeleteRule
        }
        try stack.context.run { () throws in
            let judge = try judge(stack, "a")
            let author = stack.context.make("Person", ["name": "Ada"])
            judge.setValue(author, forKey: "author")
            try stack.context.save()
            judge.onValidate = { _ in throw NSError(domain: "Judge", code: 5) }
            stack.context.delete(judge)
            let error = #expect(throws: NSError.self) { try stack.context.save() }
            let details = error?.userInfo[NSDetailedErrorsKey] as? [NSError] ?? []
            expect(error?.code, equals: NSValidationMultipleErrorsError)
            expect(details.map(\.code), equals: [NSValidationRelationshipDeniedDeleteError, 5])
            #expect(
                (details.first?.userInfo[NSValidationValueErrorKey] as? NSSet)?.anyObject()
                    as? NSManagedObject === author)
            #expect(judge.isDeleted)
        }
    }

    @Test func deletionsOfWillSaveCascadeAndAreValidated() throws {
        let stack = try stack()
        try stack.context.run { () throws in
            let judge = try judge(stack, "a")
            let author = stack.context.make("Person", ["name": "Ada"])
            judge.setValue(author, forKey: "author")
            let other = try self.judge(stack, "b")
            try stack.context.save()
            other.onValidate = { _ in if !author.isDeleted { stack.context.delete(author) } }
            other.setValue("c", forKey: "text")
            try stack.context.save()
            #expect(try stack.another().all("Note").count == 1 && stack.another().all("Person").isEmpty)
        }
    }
}
