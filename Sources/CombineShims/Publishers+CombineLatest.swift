// The latest values of several publishers together, which OpenCombine leaves out.

#if Combine
    public import OpenCombine

    extension Publishers {
        /// Publishes the latest values of two publishers whenever one of them publishes, once both have. Ends when both have
        /// ended, and with the first failure.
        public struct CombineLatest<A: Publisher, B: Publisher>: Publisher where A.Failure == B.Failure {
            public typealias Output = (A.Output, B.Output)
            public typealias Failure = A.Failure

            /// The first publisher.
            public let a: A
            /// The second publisher.
            public let b: B

            /// A publisher of what two publishers publish.
            ///
            /// - Parameters:
            ///   - a: the first publisher.
            ///   - b: the second publisher.
            public init(_ a: A, _ b: B) {
                (self.a, self.b) = (a, b)
            }

            public func receive<Downstream: Subscriber>(subscriber: Downstream)
            where Downstream.Input == Output, Downstream.Failure == Failure {
                typealias Latest = (a: A.Output?, b: B.Output?)
                typealias Step = (Latest) -> Latest
                let first = a.map { value -> Step in { (value, $0.b) } }
                let second = b.map { value -> Step in { ($0.a, value) } }
                Merge(first, second)
                    .scan((nil, nil) as Latest) { latest, step in step(latest) }
                    .compactMap { latest -> Output? in
                        guard let a = latest.a, let b = latest.b else { return nil }
                        return (a, b)
                    }
                    .receive(subscriber: subscriber)
            }
        }

        /// The same of three publishers.
        public struct CombineLatest3<A: Publisher, B: Publisher, C: Publisher>: Publisher
        where A.Failure == B.Failure, A.Failure == C.Failure {
            public typealias Output = (A.Output, B.Output, C.Output)
            public typealias Failure = A.Failure

            /// The first publisher.
            public let a: A
            /// The second publisher.
            public let b: B
            /// The third publisher.
            public let c: C

            /// A publisher of what three publishers publish.
            ///
            /// - Parameters:
            ///   - a: the first publisher.
            ///   - b: the second publisher.
            ///   - c: the third publisher.
            public init(_ a: A, _ b: B, _ c: C) {
                (self.a, self.b, self.c) = (a, b, c)
            }

            public func receive<Downstream: Subscriber>(subscriber: Downstream)
            where Downstream.Input == Output, Downstream.Failure == Failure {
                CombineLatest(CombineLatest(a, b), c).map { ($0.0, $0.1, $1) }
                    .receive(subscriber: subscriber)
            }
        }

        /// The same of four publishers.
        public struct CombineLatest4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: Publisher
        where A.Failure == B.Failure, A.Failure == C.Failure, A.Failure == D.Failure {
            public typealias Output = (A.Output, B.Output, C.Output, D.Output)
            public typealias Failure = A.Failure

            /// The first publisher.
            public let a: A
            /// The second publisher.
            public let b: B
            /// The third publisher.
            public let c: C
            /// The fourth publisher.
            public let d: D

            /// A publisher of what four publishers publish.
            ///
            /// - Parameters:
            ///   - a: the first publisher.
            ///   - b: the second publisher.
            ///   - c: the third publisher.
            ///   - d: the fourth publisher.
            public init(_ a: A, _ b: B, _ c: C, _ d: D) {
                (self.a, self.b, self.c, self.d) = (a, b, c, d)
            }

            public func receive<Downstream: Subscriber>(subscriber: Downstream)
            where Downstream.Input == Output, Downstream.Failure == Failure {
                CombineLatest(CombineLatest(a, b), CombineLatest(c, d)).map { ($0.0, $0.1, $1.0, $1.1) }
                    .receive(subscriber: subscriber)
            }
        }
    }

    extension Publisher {
        /// Publishes the latest values of this and another publisher together.
        ///
        /// - Parameter other: the other publisher.
        /// - Returns: a publisher of pairs, from when both have published.
        public func combineLatest<B: Publisher>(_ other: B) -> Publishers.CombineLatest<Self, B>
        where B.Failure == Failure {
            Publishers.CombineLatest(self, other)
        }

        /// Publishes what a closure makes of the latest values of this and another publisher.
        ///
        /// - Parameters:
        ///   - other: the other publisher.
        ///   - transform: makes a value of this publisher's and the other's.
        /// - Returns: a publisher of what the closure makes.
        public func combineLatest<B: Publisher, Result>(
            _ other: B, _ transform: @escaping (Output, B.Output) -> Result
        ) -> Publishers.Map<Publishers.CombineLatest<Self, B>, Result> where B.Failure == Failure {
            Publishers.CombineLatest(self, other).map { transform($0.0, $0.1) }
        }

        /// Publishes the latest values of this and two other publishers together.
        ///
        /// - Parameters:
        ///   - b: the second publisher.
        ///   - c: the third.
        /// - Returns: a publisher of triples, from when all have published.
        public func combineLatest<B: Publisher, C: Publisher>(
            _ b: B, _ c: C
        ) -> Publishers.CombineLatest3<Self, B, C> where B.Failure == Failure, C.Failure == Failure {
            Publishers.CombineLatest3(self, b, c)
        }

        /// Publishes the latest values of this and three other publishers together.
        ///
        /// - Parameters:
        ///   - b: the second publisher.
        ///   - c: the third.
        ///   - d: the fourth.
        /// - Returns: a publisher of quadruples, from when all have published.
        public func combineLatest<B: Publisher, C: Publisher, D: Publisher>(
            _ b: B, _ c: C, _ d: D
        ) -> Publishers.CombineLatest4<Self, B, C, D>
        where B.Failure == Failure, C.Failure == Failure, D.Failure == Failure {
            Publishers.CombineLatest4(self, b, c, d)
        }
    }
#endif
