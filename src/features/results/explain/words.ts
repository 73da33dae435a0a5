import type { PlanStep, PlanWork } from '#server/analytics/plan-step.ts'
import { MAX_LIMIT, USUAL_LIMIT } from '#server/analytics/queries/sql/compile.ts'
import { TEXT_TIMEOUT_MS } from '../compute/compute.ts'
import type { Explanation } from './schema.ts'

const NAMES: Record<PlanWork, string> = {
  read: 'reading',
  filter: 'filtering',
  join: 'joining',
  group: 'grouping',
  window: 'windows',
  sort: 'sorting',
  compute: 'computing columns',
}

interface Measured {
  /** The SQL. */
  readonly text: string
  readonly steps: readonly PlanStep[]
  readonly milliseconds: number
  readonly rows: number
  readonly hasMore: boolean
}

/** More than this, and a condition on time is worth more than anything else. */
const MANY_ROWS = 100_000

/** Says in words what a query did. */
export function explain({ text, steps, milliseconds, rows, hasMore }: Measured): Explanation {
  const work = toShares(steps)
  const rowsRead = steps.reduce((sum, step) => sum + step.rowsRead, 0)
  const summary = [
    `Reads ${count(rowsRead)} and returns ${hasMore ? 'the first ' : ''}${count(rows)}.`,
    `Took ${seconds(milliseconds)} of at most ${TEXT_TIMEOUT_MS / 1000} s${toParts(work)}.`,
    ...(hasMore ? [toLimit(rows)] : []),
    ...(rowsRead >= MANY_ROWS && !hasTime(text) ? [ALL_TIME] : []),
  ]
  return {
    ...{ summary, milliseconds: Math.round(milliseconds), work },
    ...{ rows_read: rowsRead, rows_returned: rows, has_more: hasMore },
  }
}

const ALL_TIME =
  "Reads the events of all time. A condition makes it faster: timestamp >= now() - interval '30 day'."

const hasTime = (text: string): boolean =>
  /\btimestamp\s*(?:[<>=]|between)|[<>=]\s*timestamp\b|\{filters\}/i.test(text)

const toLimit = (rows: number): string =>
  rows < MAX_LIMIT
    ? `There are more rows. ${rows === USUAL_LIMIT ? 'Set' : 'Raise'} LIMIT, up to ${number(MAX_LIMIT)}.`
    : `There are more rows than the ${number(MAX_LIMIT)} that a result can have. Group them, or use OFFSET.`

function toShares(steps: readonly PlanStep[]): Explanation['work'] {
  const total = steps.reduce((sum, step) => sum + step.milliseconds, 0)
  const works = Map.groupBy(steps, (step) => step.work)
  return [...works]
    .map(([name, all]) => {
      const own = all.reduce((sum, step) => sum + step.milliseconds, 0)
      return { name, percent: total === 0 ? 0 : Math.round((100 * own) / total) }
    })
    .filter(({ percent }) => percent > 0)
    .toSorted((a, b) => b.percent - a.percent || (a.name < b.name ? -1 : 1))
}

/** The parts that are worth a thought. */
const SHOWN = 3
const MIN_PERCENT = 5

function toParts(work: Explanation['work']): string {
  const parts = work
    .filter(({ percent }) => percent >= MIN_PERCENT)
    .slice(0, SHOWN)
    .map(({ name, percent }) => `${NAMES[name as PlanWork]} ${percent}%`)
  return parts.length > 0 ? `: ${parts.join(', ')}` : ''
}

const number = (value: number): string => value.toLocaleString('en')
const count = (rows: number): string => `${number(rows)} ${rows === 1 ? 'row' : 'rows'}`
const seconds = (milliseconds: number): string =>
  `${milliseconds < 100 ? (milliseconds / 1000).toFixed(3) : (milliseconds / 1000).toFixed(1)} s`
