// A walk through a database of heroes: swift run SuperDB [--studio] [FILE]
//
// FILE is where the store is made, anew each time; a temporary file unless given. With --studio its objects can be seen
// and changed in the browser afterwards.

import CoreData

func heading(_ text: String) { print("\n\(text)") }

func show(_ hero: Hero) {
    let colour = hero.favouriteColour.map { ", likes \($0)" } ?? ""
    let age = hero.age.map { ", \($0) years" } ?? ""
    print("  \(hero.name ?? "?")\(age)\(colour)\(hero.isNew ? ", new" : "")")
    let powers = (hero.powers as? Set<Power> ?? []).sorted { ($0.name ?? "") < ($1.name ?? "") }
    for power in powers { print("    \(power.name ?? "?") (\(power.source ?? "source unknown"))") }
}

/// Tries to save, and says why it can't be.
func trySaving() {
    do {
        try context.save()
        print("  saved")
    } catch {
        for sentence in sentences(error) { print("  \(sentence)") }
    }
}

let file =
    CommandLine.arguments.dropFirst().first { $0 != "--studio" }.map { URL(fileURLWithPath: $0) }
    ?? FileManager.default.temporaryDirectory.appendingPathComponent("SuperDB.sqlite")
for ending in ["", "-wal", "-shm"] {
    try? FileManager.default.removeItem(atPath: file.path + ending)  // there may be none
}

// 1. Make heroes. They are new until they are saved.
let database = try Database(file: file)
let context = database.context
let heroes = Database.insertHeroes(in: context)
heading("New heroes")
for hero in heroes { show(hero) }

// 2. Let Core Data judge what a form would hold, before and while saving.
let stranger = Hero(context: context)
stranger.name = "   "
stranger.birthDate = day(2999, 1, 1)
heading("A hero that can't be saved")
trySaving()
stranger.name = "Ms. Stranger"
stranger.birthDate = day(1700, 1, 1)
trySaving()
stranger.birthDate = day(1999, 1, 1)
stranger.secretIdentity = "Ms. Stranger"
trySaving()
heading("What a form would ask for one field")
var candidate: Any? = "The Name That Goes On And On And On And On"
do {
    try stranger.validateValue(&candidate, forKey: "name")
} catch {
    for sentence in sentences(error) { print("  \(sentence)") }
}
context.delete(stranger)

// 3. Save the others.
try context.save()
print("\nSaved \(heroes.count) heroes in \(file.path)")

// 4. Open the store again and ask for reports: fetched properties of the model, each a predicate with
// `$FETCH_SOURCE` for the hero who is asked.
let reopened = try Database(file: file)
for hero in try Database.heroes(in: reopened.context) {
    heading(hero.name ?? "?")
    for (title, heroes) in hero.reports {
        print("  \(title): \(heroes.compactMap(\.name).joined(separator: ", "))")
    }
}

// 5. A calculated property by its key, and the cascade: powers go with their hero.
let all = try Database.heroes(in: reopened.context)
heading("Ages by key")
print("  \(all.compactMap { $0.value(forKey: "age") as? Int }.map(String.init).joined(separator: ", "))")
if let granite = all.first(where: { $0.name == "Granite" }) { reopened.context.delete(granite) }
try reopened.context.save()
heading("Powers without Granite's")
for power in try reopened.context.fetch(Power.fetchRequest()) { print("  \(power.name ?? "?")") }

if CommandLine.arguments.contains("--studio") { try await administer(reopened.container) }
