import { expect, test } from 'vitest'
import { type Measurement, newestOf, parseHistory, toHistoryLine, toSeries } from './history.ts'
import { toReport } from './report.ts'

const measured = (more: Partial<Measurement>): Measurement => ({
  at: '2026-11-15T10:00:00Z',
  machine: { arch: 'arm64' },
  subject: 'reads',
  what: 'retrieve',
  value: 0.5,
  unit: 'of bare',
  ...more,
})

const x64 = { arch: 'x64' }

const reportOf = (...history: Measurement[]) => toReport(toSeries(history))

test('reads the lines that it wrote, rounded to five digits', () => {
  const one = measured({ value: 0.123456, spread: [0.1, 0.2], goal: { atLeast: 0.2 } })
  const other = measured({ what: 'idle memory', subject: 'footprint', value: 118, unit: 'MB' })

  const read = parseHistory(`${toHistoryLine(one)}\n${toHistoryLine(other)}\n`)

  expect(read).toEqual([{ ...one, value: 0.12346 }, other])
})

test.each([
  ['half a line', '{"at":"2026-11-15"'],
  ['an unknown subject', toHistoryLine(measured({ subject: 'nothing' as never }))],
  ['a value that is not a number', toHistoryLine(measured({ value: Number.NaN }))],
  ['a round without a figure', toHistoryLine(measured({ spread: [Number.NaN, 1] }))],
  ['an unreadable time', toHistoryLine(measured({ at: 'yesterday' }))],
])('rejects %s with the number of its line', (_, line) => {
  const text = `${toHistoryLine(measured({}))}\n${line}\n`

  expect(() => parseHistory(text)).toThrow('Line 2 of the history')
})

test('chooses the newest measurement of each kind of machine, wherever its line is', () => {
  const [series] = toSeries([
    measured({ at: '2026-11-17T10:00:00Z', value: 0.7 }),
    measured({ at: '2026-11-16T10:00:00Z', value: 0.6 }),
    measured({ at: '2026-11-15', value: 0.3, machine: x64 }),
    measured({ at: '2026-11-15T20:00:00Z', value: 0.2, machine: x64 }),
  ])

  const values = ['arm64', 'x64', 'riscv64'].map((arch) => series && newestOf(series, arch)?.value)

  expect(values).toEqual([0.7, 0.3, undefined])
})

test('judges figures of every age by the goal of today', () => {
  const report = reportOf(
    measured({ machine: x64, goal: { atLeast: 0.4 } }),
    measured({ at: '2026-11-16T10:00:00Z', value: 0.7, goal: { atLeast: 0.6 } }),
  )

  const row = '| at least 0.6 | 0.70 of bare (2026-11-16) | **0.50 of bare** (2026-11-15) |'
  expect(report).toContain(`| Reads: retrieve ${row}`)
  expect(report).toContain(`| retrieve ${row}`)
})

test('shows the worst of many cases, and its name', () => {
  const pause = (name: string, value: number) =>
    measured({ subject: 'abuse', what: `${name}: longest pause`, value, unit: 'ms' })

  const report = reportOf(pause('200 streams', 12), pause('slow senders', 34))

  expect(report).toContain('| longest pause, worst of 2 |  | 34 ms (slow senders, 2026-11-15) |  |')
})
