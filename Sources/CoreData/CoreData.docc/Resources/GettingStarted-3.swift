import CoreData

let container = NSPersistentContainer(name: "Heroes")
container.loadPersistentStores { description, error in
    if let error { print("can't open \(description.url?.path ?? "the store"): \(error)") }
}
let context = container.viewContext

let hero = Hero(context: context)
hero.name = "Supergirl"
let power = Power(context: context)
power.name = "Flying"
hero.addToPowers(power)
print(power.hero?.name ?? "nobody")
try context.save()
