"""The works of PostgreSQLBenchmarks by SQLAlchemy's mapper: sqlalchemy_works.py ADDRESS WORK ROUNDS prints the medians of the
milliseconds of processor time and of the clock."""

import gc
import statistics
import sys
import time

import psycopg2  # noqa: F401  the driver
import sqlalchemy
from sqlalchemy import BigInteger, Column, create_engine, select, text
from sqlalchemy.orm import Session, declarative_base

ROWS, WALKED, BATCH, QUERIES, LOOK_UPS = 100_000, 1_000_000, 500, 1000, 10_000
Base = declarative_base()


def make(name, schema):
    columns = {f"i{number}": Column(BigInteger) for number in range(10)}
    return type(name, (Base,), {
        "__tablename__": "item", "__table_args__": {"schema": schema},
        "object_id": Column(BigInteger, primary_key=True), "object_version": Column(BigInteger), **columns})


Item, Large = make("Item", "bench"), make("Large", "walk")


def total(items):
    result = 0
    for item in items:
        result += (item.i0 + item.i1 + item.i2 + item.i3 + item.i4 + item.i5 + item.i6 + item.i7 + item.i8 + item.i9)
    return result


def fetch(session):
    return total(session.scalars(select(Item)).all())


def sorted_queries(session):
    result = 0
    for number in range(QUERIES):
        start = number * 997 % 90_000 * 10
        query = select(Item).where(Item.i0 >= start).order_by(Item.i0.nulls_first()).limit(50)
        result += total(session.scalars(query).all())
    return result


def look_up(session, keys):
    return sum(total([session.get(Item, keys[number * 7919 % ROWS])]) for number in range(LOOK_UPS))


def insert(session):
    for row in range(ROWS):
        session.add(Item(object_id=row + 1, object_version=1, **{f"i{n}": row * 10 + n for n in range(10)}))
    session.commit()
    return 0


def walk(session):
    result = 0
    query = select(Large).execution_options(yield_per=BATCH, stream_results=True)
    for item in session.scalars(query):
        result += item.i0
    return result


WORKS = {"fetch": fetch, "sorted": sorted_queries, "key": look_up, "insert": insert, "walk": walk}


def measure(engine, work):
    with engine.begin() as connection:
        if work == "insert":
            connection.execute(text("TRUNCATE bench.item"))
        keys = connection.scalars(select(Item.object_id).order_by(Item.i0)).all()
    gc.collect()
    with Session(engine) as session:
        session.execute(text("SELECT 1"))
        start, begin = time.process_time(), time.perf_counter()
        WORKS[work](session, *([keys] if work == "key" else []))
        return (time.process_time() - start) * 1000, (time.perf_counter() - begin) * 1000


def main():
    address, work = sys.argv[1:3]
    if work == "version":
        print(sqlalchemy.__version__)
        return
    engine = create_engine(address.replace("postgresql://", "postgresql+psycopg2://", 1), future=True)
    times = [measure(engine, work) for _ in range(int(sys.argv[3]) + 1)][1:]
    print(*(statistics.median(column) for column in zip(*times)))


main()
