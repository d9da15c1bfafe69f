"""Asks SQLite's RTree for the windows of taps: prints mean and 99th percentile in microseconds, and what was found."""
import array
import sqlite3
import sys
import time

package, table, path = sys.argv[1:4]
windows = array.array("d")
with open(path, "rb") as file:
    windows.frombytes(file.read())
database = sqlite3.connect(f"file:{package}/data.gpkg?immutable=1", uri=True)
query = f"SELECT id FROM rtree_{table}_geom WHERE maxx >= ? AND minx <= ? AND maxy >= ? AND miny <= ?"
times = []
found = 0
for start in range(0, len(windows), 4):
    west, south, east, north = windows[start:start + 4]
    begin = time.perf_counter()
    rows = database.execute(query, (west, east, south, north)).fetchall()
    times.append(time.perf_counter() - begin)
    found += len(rows)
times.sort()
print(f"mean_us={sum(times) / len(times) * 1e6:.2f} p99_us={times[len(times) * 99 // 100] * 1e6:.2f} found={found}")
