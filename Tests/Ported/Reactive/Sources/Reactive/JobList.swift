import Combine
import CoreData
import Foundation

/// The state of a view: titles, and how much is left to do.
public final class JobList: ObservableObject {
    @Published public private(set) var titles: [String] = []
    @Published public private(set) var effort = 0.0
    @Published public var filter = ""
    public private(set) var saves = 0
    private var cancellables = Set<AnyCancellable>()

    public init(_ context: NSManagedObjectContext) {
        let request = NSFetchRequest<Job>(entityName: "Job")
        request.predicate = NSPredicate(format: "%K == NO", #keyPath(Job.isDone))
        request.sortDescriptors = [NSSortDescriptor(key: #keyPath(Job.title), ascending: true)]
        let jobs = ResultsPublisher(request: request, context: context).replaceError(with: []).share()
        jobs.combineLatest($filter)
            .map { jobs, filter in
                jobs.compactMap { $0.title }.filter { filter.isEmpty || $0.contains(filter) }
            }
            .removeDuplicates()
            .sink { [weak self] in self?.titles = $0 }
            .store(in: &cancellables)
        ResultsPublisher(request: request, context: context)
            .replaceError(with: [])
            .map { $0.reduce(0) { $0 + $1.effort } }
            .assign(to: \.effort, on: self)
            .store(in: &cancellables)
        NotificationCenter.default.publisher(for: .NSManagedObjectContextDidSave, object: context)
            .sink { [unowned self] _ in saves += 1 }
            .store(in: &cancellables)
    }
}
