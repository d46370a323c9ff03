// Merging of publishers, which OpenCombine leaves out.

#if Combine
    public import OpenCombine

    extension Publishers {
        /// Publishes what several publishers of one type publish, as it comes. Ends when all have, and with the first failure.
        public struct MergeMany<Upstream: Publisher>: Publisher {
            public typealias Output = Upstream.Output
            public typealias Failure = Upstream.Failure

            public let publishers: [Upstream]

            public init(_ upstream: Upstream...) {
                publishers = upstream
            }

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

            public let a: A
            public let b: B

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

            public let a: A
            public let b: B
            public let c: C

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
        public func merge<Other: Publisher>(with other: Other) -> Publishers.Merge<Self, Other>
        where Other.Output == Output, Other.Failure == Failure {
            Publishers.Merge(self, other)
        }

        /// The same with two others.
        public func merge<B: Publisher, C: Publisher>(with b: B, _ c: C) -> Publishers.Merge3<Self, B, C>
        where B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure {
            Publishers.Merge3(self, b, c)
        }

        /// The same with another of this type.
        public func merge(with other: Self) -> Publishers.MergeMany<Self> {
            Publishers.MergeMany(self, other)
        }
    }
#endif
