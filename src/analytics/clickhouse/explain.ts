import { sql } from 'kysely'
import type { StatementRow } from '../event-table.ts'
import { type Explain, type PlanStep, toWork } from '../plan-step.ts'

/** Runs the statement and tells the time of each step, without the names and texts of the query. */
const ANALYZE =
  'explain analyze compact = 0, pretty = 0, actions = 0, indexes = 0, description = 0 '
/** Counts the rows that a statement would read, which versions before 26.7 can too. */
const ESTIMATE = 'explain estimate '

const MARK = 'explain '

/** The columns of both: a line of text, or the database, table, parts, rows and marks. */
const COLUMNS = ['v0', 'v1', 'v2', 'v3', 'v4'] as const

export const EXPLAIN: Explain = {
  wrap: (statement) => sql`${sql.raw(MARK)}${statement}`,
  toSteps: (rows) => (rows.some(({ v3 }) => v3 !== null) ? fromEstimate(rows) : fromLines(rows)),
}

/** Returns the statement that is to be explained; undefined for all others. */
export const findExplained = (text: string): string | undefined =>
  text.startsWith(MARK) ? text.slice(MARK.length) : undefined

export const toAnalyze = (text: string) => ({
  text: `${ANALYZE}${text}`,
  columns: new Map(COLUMNS.map((name) => [name, 'text'] as const)),
})

/** Returns what an older server can do instead; undefined if the statement is not explained. */
export const toEstimate = (text: string): string | undefined =>
  text.startsWith(ANALYZE) ? `${ESTIMATE}${text.slice(ANALYZE.length)}` : undefined

const fromEstimate = (rows: readonly StatementRow[]): PlanStep[] =>
  rows.map(({ v3 }) => ({ work: 'read', rowsRead: Number(v3), milliseconds: 0 }))

const WORKS = [
  [/^Read/, 'read'],
  [/Filter/, 'filter'],
  [/Join|CreatingSet/, 'join'],
  [/Aggregat|Distinct|Rollup/, 'group'],
  [/Window/, 'window'],
  [/Sorting/, 'sort'],
] as const

const STEP = /^\s*([A-Z][^:()]*)$/
const TIME = /\btime ([\d.]+) (ns|us|ms|s)\b/
const READ = /^\s*Read:\s+([\d.]+)(?: (thousand|million|billion|trillion))? rows/

const MILLISECONDS: Readonly<Record<string, number>> = { ns: 1e-6, us: 1e-3, ms: 1, s: 1000 }
const FACTORS: Readonly<Record<string, number>> = {
  ...{ thousand: 1e3, million: 1e6, billion: 1e9, trillion: 1e12 },
}

/** The summary has the rows that were read; a step has those that are left after its conditions. */
function fromLines(rows: readonly StatementRow[]): PlanStep[] {
  const steps: PlanStep[] = []
  let work: PlanStep['work'] = 'compute'
  for (const { v0 } of rows) {
    const line = String(v0 ?? '')
    const name = STEP.exec(line)?.[1]
    if (name !== undefined) work = toWork(name, WORKS)
    const [, count, factor = ''] = READ.exec(line) ?? []
    if (count !== undefined) {
      const rowsRead = Math.round(Number(count) * (FACTORS[factor] ?? 1))
      steps.push({ work: 'read', rowsRead, milliseconds: 0 })
    }
    const [, time, unit = ''] = TIME.exec(line) ?? []
    if (time !== undefined) {
      steps.push({ work, rowsRead: 0, milliseconds: Number(time) * (MILLISECONDS[unit] ?? 0) })
    }
  }
  return steps
}
