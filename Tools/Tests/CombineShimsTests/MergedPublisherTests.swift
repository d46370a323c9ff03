import CombineShims
import Testing

private struct Failed: Error {}

struct MergedPublisherTests {
    @Test func mergedValuesComeInTheirOrder() {
        let (one, other) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
        var (values, ends) = ([Int](), 0)
        let cancellable = one.merge(with: other.map { $0 * 10 })
            .sink(receiveCompletion: { _ in ends += 1 }, receiveValue: { values.append($0) })
        one.send(1)
        other.send(2)
        one.send(completion: .finished)
        other.send(3)
        #expect(values == [1, 20, 30] && ends == 0)
        other.send(completion: .finished)
        #expect(ends == 1)
        cancellable.cancel()
    }

    @Test func manyAreMerged() {
        let subjects = (0..<5).map { _ in PassthroughSubject<Int, Never>() }
        var values: [Int] = []
        var cancellables: Set<AnyCancellable> = []
        Publishers.MergeMany(subjects).merge(with: subjects[0]).sink { values.append($0) }
            .store(in: &cancellables)
        for (number, subject) in subjects.enumerated() { subject.send(number) }
        #expect(values == [0, 0, 1, 2, 3, 4])
        values = []
        subjects[0].merge(with: subjects[1]).sink { values.append($0) }.store(in: &cancellables)
        subjects[0].merge(with: Just(7), Just(8)).sink { values.append($0) }.store(in: &cancellables)
        #expect(values == [7, 8])
    }

    @Test func aFailureEndsWhatIsMerged() {
        let (one, other) = (PassthroughSubject<Int, any Error>(), PassthroughSubject<Int, any Error>())
        var (values, failures) = ([Int](), 0)
        let cancellable = Publishers.Merge(one, other.map { $0 }).sink(
            receiveCompletion: { if case .failure = $0 { failures += 1 } },
            receiveValue: { values.append($0) })
        one.send(1)
        other.send(completion: .failure(Failed()))
        one.send(2)
        #expect(values == [1] && failures == 1)
        cancellable.cancel()
    }

    @Test func latestValuesComeTogether() {
        let (name, age) = (PassthroughSubject<String, Never>(), CurrentValueSubject<Int, Never>(1))
        var (pairs, lines, ends) = ([String](), [String](), 0)
        var cancellables: Set<AnyCancellable> = []
        name.combineLatest(age).sink(
            receiveCompletion: { _ in ends += 1 }, receiveValue: { pairs.append("\($0) \($1)") }
        ).store(in: &cancellables)
        name.combineLatest(age) { "\($0)-\($1)" }.sink { lines.append($0) }.store(in: &cancellables)
        #expect(pairs.isEmpty)
        name.send("Ada")
        age.send(2)
        name.send("Bea")
        #expect(pairs == ["Ada 1", "Ada 2", "Bea 2"] && lines == ["Ada-1", "Ada-2", "Bea-2"])
        name.send(completion: .finished)
        age.send(3)
        #expect(pairs.last == "Bea 3" && ends == 0)
        age.send(completion: .finished)
        #expect(ends == 1)
    }

    @Test func threeAndFourCombine() {
        let last = CurrentValueSubject<String?, Never>(nil)
        var cancellables: Set<AnyCancellable> = []
        var (threes, fours) = ([String](), [String]())
        Publishers.CombineLatest3(Just(1), Just("a"), last).sink { threes.append("\($0)\($1)\($2 ?? "nil")") }
            .store(in: &cancellables)
        Just(1).combineLatest(Just(2), Just(3), last).sink { fours.append("\($0)\($1)\($2)\($3 ?? "nil")") }
            .store(in: &cancellables)
        Just(1).combineLatest(Just(2), Just(3)).sink { #expect($0 + $1 + $2 == 6) }
            .store(in: &cancellables)
        last.send("b")
        #expect(threes == ["1anil", "1ab"] && fours == ["123nil", "123b"])
    }
}
