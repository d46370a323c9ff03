import Foundation
import SwiftData

extension PantrySchemaV2 {
    @Model
    final class Household {
        @Attribute(.unique) var id: UUID
        var name: String
        var createdAt: Date = Date.now
        var settings: HouseholdSettings = HouseholdSettings()
        @Relationship(deleteRule: .cascade, inverse: \Member.household)
        var members: [Member] = []
        @Relationship(deleteRule: .cascade)
        var locations: [StorageLocation] = []

        @Transient
        var isSyncing: Bool = false

        init(id: UUID = UUID(), name: String) {
            self.id = id
            self.name = name
        }

        var owners: [Member] {
            members.filter { $0.role == .owner }
        }
    }

    @Model
    final class Member {
        var name: String
        var role: Role = Role.adult
        var birthday: Date?
        var diets: [Diet] = []
        var household: Household?
        var favourites: [Recipe] = []
        @Attribute(.ephemeral) var isOnline: Bool = false

        init(name: String, role: Role = .adult, birthday: Date? = nil, diets: [Diet] = []) {
            self.name = name
            self.role = role
            self.birthday = birthday
            self.diets = diets
        }

        func canEat(_ recipe: Recipe) -> Bool {
            diets.allSatisfy { recipe.suitable.contains($0) }
        }
    }
}
