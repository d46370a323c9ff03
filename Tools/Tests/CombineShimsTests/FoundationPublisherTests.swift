import CombineShims
import CoreData
import Testing

/// An observable object of the kind that apps have between a store and their views.
@MainActor private final class NoteList: ObservableObject {
    @Published var titles: [String] = []
    private var cancellables: Set<AnyCancellable> = []

    init(_ context: NSManagedObjectContext) {
        NotificationCenter.default.publisher(for: .NSManagedObjectContextDidSave, object: context)
            .compactMap { $0.object as? NSManagedObjectContext }
            .map { context in
                let request = NSFetchRequest<Note>(entityName: "Note")
                request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
                return ((try? context.fetch(request)) ?? []).compactMap(\.title)
            }
            .assign(to: &$titles)
    }
}

@MainActor struct FoundationPublisherTests {
    @Test func savesReachAPublishedProperty() throws {
        let notes = Notes()
        let list = NoteList(notes.context)
        var changes = 0
        let cancellable = list.objectWillChange.sink { changes += 1 }
        _ = try notes.note("Tea")
        _ = try notes.note("Milk")
        #expect(list.titles == ["Milk", "Tea"] && changes == 2)
        cancellable.cancel()
    }

    @Test func notificationsArePublishedByName() {
        let center = NotificationCenter()
        let name = Notification.Name("told")
        var count = 0
        let publisher: NotificationCenter.Publisher = center.publisher(for: name)
        let cancellable = publisher.sink { _ in count += 1 }
        center.post(name: name, object: nil)
        center.post(name: Notification.Name("else"), object: nil)
        #expect(count == 1)
        cancellable.cancel()
    }

    @Test(.timeLimit(.minutes(20))) func queuesAreSchedulers() async {
        let subject = PassthroughSubject<Int, Never>()
        let onQueue = subject.receive(on: DispatchQueue.main).map { $0 + 1 }
            .debounce(for: .milliseconds(10), scheduler: DispatchQueue.main)
        let (values, continuation) = AsyncStream.makeStream(of: Int.self)
        let cancellable = onQueue.sink { continuation.yield($0) }
        let other = subject.receive(on: OperationQueue.main).delay(for: .zero, scheduler: OperationQueue.main)
            .sink { _ in }
        let third = subject.throttle(for: .seconds(1), scheduler: RunLoop.main, latest: true).sink { _ in }
        subject.send(1)
        subject.send(2)
        var iterator = values.makeAsyncIterator()
        #expect(await iterator.next() == 3)
        for cancellable in [cancellable, other, third] { cancellable.cancel() }
    }

    @Test(.timeLimit(.minutes(20))) func timersPublish() {
        var dates: [Date] = []
        let cancellable = Timer.publish(every: 0.01, on: .current, in: .default).autoconnect()
            .sink { dates.append($0) }
        while dates.isEmpty, !Task.isCancelled {
            _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.1))
        }
        #expect(!dates.isEmpty)
        cancellable.cancel()
    }

    @Test(.timeLimit(.minutes(20))) func progressesPublish() async {
        let progress = Progress(totalUnitCount: 4)
        let (values, continuation) = AsyncStream.makeStream(of: Int64.self)
        let cancellable = progress.publisher(for: \.completedUnitCount).sink { continuation.yield($0) }
        progress.completedUnitCount = 2
        var iterator = values.makeAsyncIterator()
        var last: Int64? = 0
        while last != 2 { last = await iterator.next() }
        #expect(last == 2)
        cancellable.cancel()
    }

    @Test func futuresAndTypes() {
        let subject = CurrentValueSubject<Int, any Error>(1)
        let erased: AnyPublisher<[Int], Never> =
            subject.collect().replaceError(with: []).eraseToAnyPublisher()
        var collected: [Int] = []
        let cancellable = erased.sink { collected = $0 }
        subject.send(2)
        subject.send(completion: .finished)
        #expect(collected == [1, 2])
        cancellable.cancel()
        var result = 0
        let future = Future<Int, Never> { $0(.success(4)) }.sink { result = $0 }
        #expect(result == 4)
        future.cancel()
    }
}
