// Merging of publishers, which OpenCombine leaves out.

#if Combine
    public import OpenCombine

    extension Publishers {
        /// Publishes what several publishers of one type publish, as it comes. Ends when all have, and with the first failure.
        public struct MergeMany<Upstream: Publisher>: Publisher {
            public typealias Output = Upstream.Output
            public typealias Failure = Upstream.Failure

            /// All that are merged, in the order in which they were given.
            public let publishers: [Upstream]

            /// A publisher of what all of some publishers publish.
            ///
            /// - Parameter upstream: the publishers.
            public init(_ upstream: Upstream...) {
                publishers = upstream
            }

            /// A publisher of what all publishers of a sequence publish.
            ///
            /// - Parameter upstream: the publishers.
            public init<Upstreams: Swift.Sequence>(_ upstream: Upstreams)
            where Upstreams.Element == Upstream {
                publishers = Array(upstream)
            }

            public func receive<Downstream: Subscriber>(subscriber: Downstream)
            where Downstream.Input == Output, Downstream.Failure == Failure {
                publishers.publisher.setFailureType(to: Failure.self).flatMap { $0 }
                    .receive(subscriber: subscriber)
            }

            public func merge(with other: Upstream) -> MergeMany<Upstream> {
                MergeMany(publishers + [other])
            }
        }

        /// Publishes what two publishers publish, as it comes.
        public struct Merge<A: Publisher, B: Publisher>: Publisher
        where A.Output == B.Output, A.Failure == B.Failure {
            public typealias Output = A.Output
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
                MergeMany(a.eraseToAnyPublisher(), b.eraseToAnyPublisher()).receive(subscriber: subscriber)
            }
        }

        /// Publishes what three publishers publish, as it comes.
        public struct Merge3<A: Publisher, B: Publisher, C: Publisher>: Publisher
        where
            A.Output == B.Output, A.Failure == B.Failure, A.Output == C.Output, A.Failure == C.Failure
        {
            public typealias Output = A.Output
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
                MergeMany(a.eraseToAnyPublisher(), b.eraseToAnyPublisher(), c.eraseToAnyPublisher())
                    .receive(subscriber: subscriber)
            }
        }
    }

    extension Publisher {
        /// Publishes what this and another publisher publish, as it comes.
        ///
        /// - Parameter other: the other publisher.
        /// - Returns: a publisher of the values of both.
        public func merge<Other: Publisher>(with other: Other) -> Publishers.Merge<Self, Other>
        where Other.Output == Output, Other.Failure == Failure {
            Publishers.Merge(self, other)
        }

        /// Publishes what this and two other publishers publish, as it comes.
        ///
        /// - Parameters:
        ///   - b: the second publisher.
        ///   - c: the third.
        /// - Returns: a publisher of the values of all three.
        public func merge<B: Publisher, C: Publisher>(with b: B, _ c: C) -> Publishers.Merge3<Self, B, C>
        where B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure {
            Publishers.Merge3(self, b, c)
        }

        /// Publishes what this and another publisher of its type publish, as it comes.
        ///
        /// - Parameter other: the other publisher.
        /// - Returns: a publisher of the values of both, with which more can be merged.
        public func merge(with other: Self) -> Publishers.MergeMany<Self> {
            Publishers.MergeMany(self, other)
        }
    }
#endif
