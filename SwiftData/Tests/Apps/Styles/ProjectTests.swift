// Contexts, as tests of apps use them.

import Foundation
import Observation
import SwiftData
import Testing

@Suite struct ProjectTests {
    let container: ModelContainer
    init() throws {
        container = try ModelContainer(
            for: Project.self, Job.self, Step.self, Person.self,
            configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    }
    @Test func pending() throws {
        let context = ModelContext(container)
        let (a, b) = (Project("a"), Project("b"))
        context.insert(a)
        context.insert(b)
        try context.save()
        let c = Project("c")
        context.insert(c)
        context.delete(a)
        b.name = "z"
        #expect(
            try context.fetch(FetchDescriptor<Project>(sortBy: [SortDescriptor(\.name)])).map(\.name) == [
                "c", "z",
            ])
        #expect(try context.fetchCount(FetchDescriptor<Project>()) == 2)
        #expect(try context.fetchIdentifiers(FetchDescriptor<Project>()).count == 2)
        var old = FetchDescriptor<Project>(sortBy: [SortDescriptor(\.name)])
        old.includePendingChanges = false
        #expect(try context.fetchCount(old) == 2)
        #expect(
            try Set(context.fetch(old).map(\.persistentModelID)) == [
                a.persistentModelID, b.persistentModelID,
            ])
        var limited = FetchDescriptor<Project>(sortBy: [SortDescriptor(\.name, order: .reverse)])
        limited.fetchLimit = 1
        #expect(try context.fetch(limited).first === b)
        limited.fetchOffset = 1
        #expect(try context.fetch(limited).first === c)
        try context.save()
        #expect(a.modelContext == nil)
        #expect(try context.fetchCount(FetchDescriptor<Project>()) == 2)
    }
    @Test func cascades() throws {
        let context = ModelContext(container)
        let project = Project("p")
        let job = Job("j")
        let person = Person("x")
        job.steps = [Step(1), Step(2)]
        job.people = [person]
        job.project = project
        project.lead = person
        context.insert(job)
        #expect(project.modelContext === context)
        #expect(person.modelContext === context)
        try context.save()
        context.delete(project)
        #expect(context.deletedModelsArray.contains { $0 === project })
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Step>()) == 0)
        #expect(try context.fetchCount(FetchDescriptor<Job>()) == 0)
        #expect(person.jobs.isEmpty && person.leads.isEmpty)
    }
    @Test func uniqueOptionals() throws {
        let context = ModelContext(container)
        for n in 0..<3 { context.insert(Project("\(n)")) }
        context.insert(Project("k", key: "K"))
        try context.save()
        let other = ModelContext(container)
        let again = Project("k2", key: "K")
        again.jobs = [Job("new")]
        other.insert(again)
        try other.save()
        #expect(try context.fetchCount(FetchDescriptor<Project>()) == 4)
        let key = "K"
        let found = try context.fetch(FetchDescriptor<Project>(predicate: #Predicate { $0.key == key }))
        #expect(found.map(\.name) == ["k2"])
        #expect(found.first?.jobs.map(\.title) == ["new"])
    }
    @Test func rollbackOfRelations() throws {
        let context = ModelContext(container)
        let project = Project("p")
        context.insert(project)
        project.jobs = [Job("a"), Job("b")]
        try context.save()
        project.jobs.removeAll { $0.title == "a" }
        project.jobs.append(Job("c"))
        #expect(project.jobs.count == 2)
        context.rollback()
        #expect(Set(project.jobs.map(\.title)) == ["a", "b"])
        #expect(try context.fetchCount(FetchDescriptor<Job>()) == 2)
        project.jobs = []
        try context.save()
        #expect(try context.fetch(FetchDescriptor<Job>()).allSatisfy { $0.project == nil })
    }
    @Test func modelsByIdentifier() throws {
        let context = ModelContext(container)
        let project = Project("p")
        context.insert(project)
        let temporary = project.persistentModelID
        #expect(context.model(for: temporary) === project)
        try context.save()
        let id = project.persistentModelID
        #expect(context.model(for: temporary) === project)
        #expect(context.model(for: id) === project)
        context.delete(project)
        try context.save()
        let gone: Project? = context.registeredModel(for: id)
        #expect(gone == nil)
        let descriptor = FetchDescriptor<Project>(predicate: #Predicate { $0.persistentModelID == id })
        #expect(try context.fetch(descriptor).isEmpty)
    }
    @Test func reflection() throws {
        let a = Schema.Attribute(
            name: "x", originalName: "y", options: [.unique], valueType: String.self, defaultValue: "q",
            hashModifier: "h")
        #expect(
            a.name == "x" && a.originalName == "y" && a.isUnique && a.hashModifier == "h"
                && a.defaultValue as? String == "q")
        #expect(!a.isOptional && !a.isTransformable && a.isAttribute && !a.isRelationship)
        let schema = Schema([Project.self], version: Schema.Version(2, 1, 0))
        #expect(schema.version == Schema.Version(2, 1, 0))
        #expect(Set(schema.entities.map(\.name)) == ["Project", "Job", "Step", "Person"])
        let entity = try #require(schema.entity(for: Project.self))
        #expect(entity.attributesByName["end"]?.isOptional == true)
        #expect(entity.attributesByName["budget"]?.valueType == Double.self)
        #expect(entity.attributesByName["isArchived"]?.defaultValue as? Bool == false)
        #expect(entity.relationshipsByName["jobs"]?.inverseKeyPath == \Job.project)
        #expect(entity.relationshipsByName["lead"]?.inverseName == "leads")
        #expect(entity.relationshipsByName["auditor"]?.deleteRule == .noAction)
        #expect(entity.uniquenessConstraints == [["key"]])
        let json = try JSONEncoder().encode(schema)
        #expect(try JSONDecoder().decode(Schema.self, from: json) == schema)
        for property in entity.storedProperties { #expect(!property.name.isEmpty) }
    }
    @Test func actors() async throws {
        let container = container
        async let one = Task.detached { () -> PersistentIdentifier in
            let context = ModelContext(container)
            let project = Project("bg")
            context.insert(project)
            try context.save()
            return project.persistentModelID
        }.value
        let id = try await one
        let name = await MainActor.run { (container.mainContext.model(for: id) as? Project)?.name }
        #expect(name == "bg")
        try await withThrowingTaskGroup(of: Int.self) { group in
            for n in 0..<8 {
                group.addTask {
                    let context = ModelContext(container)
                    for i in 0..<10 { context.insert(Project("\(n).\(i)")) }
                    try context.save()
                    return 10
                }
            }
            var sum = 0
            for try await count in group { sum += count }
            #expect(sum == 80)
        }
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Project>()) == 81)
    }
    @Test func observationOfCounts() throws {
        let context = ModelContext(container)
        let project = Project("p")
        context.insert(project)
        final class C: @unchecked Sendable { var n = 0 }
        let c = C()
        withObservationTracking {
            _ = project.jobs.filter { !$0.done }.count
        } onChange: {
            c.n += 1
        }
        let job = Job("j")
        job.project = project
        #expect(c.n == 1)
        withObservationTracking {
            _ = project.jobs.filter { !$0.done }.count
        } onChange: {
            c.n += 1
        }
        job.done = true
        #expect(c.n == 2)
        withObservationTracking {
            _ = project.tint.r
        } onChange: {
            c.n += 1
        }
        project.tint.g = 4
        #expect(c.n == 3)
        withObservationTracking {
            _ = project.hasChanges
        } onChange: {
            c.n += 1
        }
        withObservationTracking {
            _ = project.name
        } onChange: {
            c.n += 1
        }
        context.rollback()
    }
}
