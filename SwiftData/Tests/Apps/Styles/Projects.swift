// An app's models of projects.

import Foundation
import SwiftData

@Model final class Project {
    @Attribute(.unique) var key: String?
    var name: String
    var nick: String?
    var start: Date
    var end: Date?
    var budget: Double = 0
    var spent: Double = 0
    var votes: Int = 0
    var isArchived = false
    var tint: Tint = Tint(r: 0, g: 0, b: 0)
    @Relationship(deleteRule: .cascade, inverse: \Job.project) var jobs: [Job] = []
    @Relationship(deleteRule: .nullify) var lead: Person?
    @Relationship(deleteRule: .noAction) var auditor: Person?
    init(_ name: String, key: String? = nil, start: Date = .init(timeIntervalSinceReferenceDate: 0)) {
        self.name = name
        self.key = key
        self.start = start
    }
}
struct Tint: Codable, Hashable { var r: Int; var g: Int; var b: Int }

@Model final class Job {
    var title: String
    var done: Bool
    var hours: Double?
    var due: Date?
    var project: Project?
    @Relationship(deleteRule: .cascade, inverse: \Step.job) var steps: [Step]? = []
    @Relationship(inverse: \Person.jobs) var people: [Person] = []
    init(_ title: String, done: Bool = false, hours: Double? = nil) {
        self.title = title
        self.done = done
        self.hours = hours
    }
}
@Model final class Step {
    var n: Int
    var job: Job?
    init(_ n: Int) { self.n = n }
}
@Model final class Person {
    var name: String
    var age: Int?
    var jobs: [Job] = []
    @Relationship(deleteRule: .nullify, inverse: \Project.lead) var leads: [Project] = []
    init(_ name: String, age: Int? = nil) {
        self.name = name
        self.age = age
    }
}
