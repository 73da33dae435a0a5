import { expect, it } from 'vitest'
import { EXPLAIN } from './explain.ts'

/** The output of ClickHouse 26.7, shortened. */
const LINES = `Query summary:
  Time:        29.50 ms (planning 7.98 ms · execution 21.53 ms)
  Read:        106.50 thousand rows, 3.09 MB (4.95 million rows/s., 143.46 MB/s.)
  Peak memory: 33.41 KiB

Expression
I/O: rows 3 → 3 · 78 B → 78 B
  time 250.00 us (0.1%) · parallelism 1.00/1
  Limit
  I/O: rows 3 → 3 · 78 B → 78 B
    Sorting
    I/O: rows 7 → 3 (42.86%) · 182 B → 78 B
      Stage (sorting): time 2.00 ms (0.3%) · parallelism 0.99/1
      Stage (merge sorted streams): time 1.00 ms (0.3%) · parallelism 0.99/1
      Aggregating
      I/O: rows 99.67 thousand → 7 (0.01%) · 1.79 MB → 182 B
        Stage (partial aggregation): time 1.50 s (13.5%) · parallelism 1.00/1
        ReadFromMergeTree
        I/O: rows 0 → 99.67 thousand · 0 B → 1.79 MB
          time 13.84 ms (64.3%) · parallelism 1.00/1
`

it('reads the rows and the time of each step', () => {
  const rows = LINES.split('\n').map((v0) => ({ v0, v1: null, v2: null, v3: null, v4: null }))

  expect(EXPLAIN.toSteps(rows)).toEqual([
    { work: 'read', rowsRead: 106_500, milliseconds: 0 },
    { work: 'compute', rowsRead: 0, milliseconds: 0.25 },
    { work: 'sort', rowsRead: 0, milliseconds: 2 },
    { work: 'sort', rowsRead: 0, milliseconds: 1 },
    { work: 'group', rowsRead: 0, milliseconds: 1500 },
    { work: 'read', rowsRead: 0, milliseconds: 13.84 },
  ])
})

it('reads the rows that a server before 26.7 estimates', () => {
  const rows = [
    { v0: 'db', v1: 'events', v2: 2, v3: 8192, v4: 1 },
    { v0: 'db', v1: 'persons', v2: 1, v3: 40, v4: 1 },
  ]

  expect(EXPLAIN.toSteps(rows)).toEqual([
    { work: 'read', rowsRead: 8192, milliseconds: 0 },
    { work: 'read', rowsRead: 40, milliseconds: 0 },
  ])
})
