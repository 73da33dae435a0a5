import { Cron } from 'croner'
import { LRUCache } from 'lru-cache'

const FIELDS = ['minute', 'hour', 'day of the month', 'month', 'weekday'] as const

/** Explains what is wrong with an expression and where, or returns undefined. */
export function findCronProblem(cron: string): string | undefined {
  const fields = cron.trim().split(/\s+/)
  if (fields.length !== FIELDS.length) {
    return `Expected five fields (${FIELDS.join(', ')}), found ${cron.trim() === '' ? 0 : fields.length}.`
  }
  for (const [at, field] of fields.entries()) {
    const alone = FIELDS.map((_, other) => (other === at ? field : '*')).join(' ')
    if (!isReadable(alone)) return `Field ${at + 1} (${FIELDS[at]}) is not valid: "${field}".`
  }
  return toRuns(cron, 'UTC').next(Date.now()) === undefined ? 'This time never comes.' : undefined
}

function isReadable(pattern: string): boolean {
  try {
    new Cron(pattern, { mode: '5-part' })
    return true
  } catch {
    return false
  }
}

/** Creating one takes half a millisecond, and finding a time a fifth: workers do both for every config. */
const crons = new LRUCache<string, readonly Cron[]>({ max: 2000 })
const nextTimes = new LRUCache<string, number>({ max: 10_000 })
const NEVER = Number.POSITIVE_INFINITY

/** Returns the times of an expression in a time zone. */
export const toRuns = (cron: string, zone: string) => ({
  /** Finds the first time after another, or undefined. */
  next(after: number): number | undefined {
    const key = `${cron} ${zone} ${after}`
    const known = nextTimes.get(key)
    const time = known ?? Math.min(...parse(cron, zone).map((one) => findNext(one, after)))
    if (known === undefined) nextTimes.set(key, time)
    return time === NEVER ? undefined : time
  },
})

const findNext = (cron: Cron, after: number): number =>
  cron.nextRun(new Date(after))?.getTime() ?? NEVER

function parse(cron: string, zone: string): readonly Cron[] {
  const key = `${cron} ${zone}`
  const known = crons.get(key)
  if (known) return known
  const parsed = toFixedTimes(cron).map(
    (pattern) => new Cron(pattern, { mode: '5-part', timezone: zone }),
  )
  crons.set(key, parsed)
  return parsed
}

const MAX_FIXED_TIMES = 24

/**
 * Splits `30 2,14 * * *` into its times of day, because the library lets only a single time fire exactly once on the
 * days when clocks change: a list would skip a time in the gap and repeat one in the doubled hour.
 */
function toFixedTimes(cron: string): string[] {
  const [minute = '', hour = '', ...days] = cron.trim().split(/\s+/)
  const minutes = listNumbers(minute)
  const hours = listNumbers(hour)
  if (!minutes || !hours || minutes.length * hours.length > MAX_FIXED_TIMES) return [cron]
  return hours.flatMap((at) => minutes.map((past) => [past, at, ...days].join(' ')))
}

/** Lists the numbers of `1,3-5`, or returns undefined for a wildcard or a step. */
function listNumbers(field: string): number[] | undefined {
  if (!/^[\d,-]+$/.test(field)) return undefined
  return field.split(',').flatMap((part) => {
    const [from = 0, to = from] = part.split('-').map(Number)
    return Array.from({ length: to - from + 1 }, (_, index) => from + index)
  })
}
