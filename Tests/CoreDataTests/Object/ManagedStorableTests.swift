// The types that attributes are read and written as, through their protocols, as generic code uses them.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct ManagedStorableTests {
    @Test func numbers() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let person = stack.context.make("Person")
            let age = ManagedAttribute("age")
            #expect(Int16.loadIfPresent(from: person, age) == nil && Int.load(from: person, age) == 0)
            Int16.store(-9, in: person, age)
            #expect(Int32.load(from: person, age) == -9 && Int64.loadIfPresent(from: person, age) == -9)
            let isActive = ManagedAttribute("isActive")
            #expect(Bool.loadIfPresent(from: person, isActive) == nil && !Bool.load(from: person, isActive))
            Bool.store(true, in: person, isActive)
            #expect(Bool.loadIfPresent(from: person, isActive) == true && Bool.load(from: person, isActive))
            let height = ManagedAttribute("height")
            #expect(
                Double.loadIfPresent(from: person, height) == nil && Double.load(from: person, height) == 0)
            Double.store(1.5, in: person, height)
            expect(Double.loadIfPresent(from: person, height), equals: 1.5)
            let rating = ManagedAttribute("rating")
            #expect(Float.loadIfPresent(from: person, rating) == nil && Float.load(from: person, rating) == 0)
            Float.store(0.25, in: person, rating)
            expect(Float.loadIfPresent(from: person, rating), equals: 0.25)
        }
    }

    @Test func theRest() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let person = stack.context.make("Person")
            let company = stack.context.make("Company")
            let (name, photo) = (ManagedAttribute("name"), ManagedAttribute("photo"))
            #expect(
                String.loadIfPresent(from: person, name) == nil && String.load(from: person, name).isEmpty)
            String.store("Ada", in: person, name)
            expect(String.loadIfPresent(from: person, name), equals: "Ada")
            #expect(Data.loadIfPresent(from: person, photo) == nil && Data.load(from: person, photo).isEmpty)
            Data.store(Data([1]), in: person, photo)
            expect(Data.loadIfPresent(from: person, photo), equals: Data([1]))
            let founded = ManagedAttribute("founded")
            let epoch = Date(timeIntervalSinceReferenceDate: 0)
            #expect(Date.loadIfPresent(from: company, founded) == nil)
            expect(Date.load(from: company, founded), equals: epoch)
            Date.store(epoch + 5, in: company, founded)
            expect(Date.loadIfPresent(from: company, founded), equals: epoch + 5)
            let budget = ManagedAttribute("budget")
            #expect(Decimal.loadIfPresent(from: company, budget) == nil)
            expect(Decimal.load(from: company, budget), equals: 0)
            Decimal.store(2, in: company, budget)
            expect(Decimal.loadIfPresent(from: company, budget), equals: 2)
        }
    }

    @Test func identifiersAndOptionals() async throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let person = stack.context.make("Person")
            let (badge, home) = (ManagedAttribute("badge"), ManagedAttribute("home"))
            let (uuid, url) = (UUID(), try #require(URL(string: "https://example.org")))
            #expect(UUID.loadIfPresent(from: person, badge) == nil)
            UUID.store(uuid, in: person, badge)
            #expect(UUID.load(from: person, badge) == uuid && UUID?.load(from: person, badge) == uuid)
            #expect(URL.loadIfPresent(from: person, home) == nil)
            URL.store(url, in: person, home)
            #expect(URL.load(from: person, home) == url && URL?.loadIfPresent(from: person, home) == url)
            URL?.store(nil, in: person, home)
            #expect(URL?.load(from: person, home) == nil && person["home"] == nil)
        }
        await #expect(processExitsWith: .failure) {
            let stack = try TestStack()
            stack.context.performAndWait {
                _ = URL.load(from: stack.context.make("Person"), ManagedAttribute("home"))
            }
        }
    }
}
