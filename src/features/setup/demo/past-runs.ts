import type { FinishedRun } from '#server/features/import-apps/runs/finished-runs.ts'

const HOUR_MS = 3_600_000
/** The number of hourly runs before the demo data was loaded. */
const HOURS = 60
/** The hour of the run that failed, counted from the newest, and the time until it was retried. */
const FAILED = 17
const RETRIED_AFTER_MS = 6 * 60_000
/** The events of a run at night and, on top of them, at noon. */
const EVENTS = { night: 3, noon: 34 }

const PROBLEM = 'https://fieldnotes.example.com/api/events returned 503 Service Unavailable.'

/** Lists an import of the last days, run by run: hourly, with one failure that a retry made up for. */
export function listPastRuns(now: number, userId: number): FinishedRun[] {
  const firstHour = Math.floor(now / HOUR_MS) - HOURS
  const runs: FinishedRun[] = []
  for (let hour = 0; hour < HOURS; hour += 1) {
    const at = (firstHour + hour) * HOUR_MS + 400
    const events = countEvents(firstHour + hour)
    if (hour !== HOURS - FAILED) {
      runs.push({ ...SCHEDULED, ...succeed(at, events) })
      continue
    }
    const failed = runs.push({ ...SCHEDULED, ...fail(at) }) - 1
    const retry = succeed(at + RETRIED_AFTER_MS, events)
    runs.push({ ...SCHEDULED, ...retry, retryOf: failed, created_by: userId })
  }
  return runs
}

const SCHEDULED = { kind: 'schedule', name: 'runEveryHour', created_by: null } as const

/** Counts the events of an hour, in hours since 1970: more by day, and not the same every day. */
function countEvents(hour: number): number {
  const byDay = Math.max(0, Math.sin(((hour % 24) - 6) * (Math.PI / 12)))
  return EVENTS.night + Math.round(EVENTS.noon * byDay) + ((hour * 7) % 5)
}

function succeed(startedAt: number, events: number) {
  const finishedAt = startedAt + 180 + 11 * events
  const line = {
    source: 'CONSOLE',
    type: 'INFO',
    message: `${events} new events generated.`,
  } as const
  return {
    state: 'succeeded',
    message: `Captured ${events} events.`,
    events,
    startedAt,
    finishedAt,
    lines: [{ ...line, at: new Date(finishedAt).toISOString() }],
  } as const
}

function fail(startedAt: number) {
  const finishedAt = startedAt + 7200
  const toLine = (type: 'WARN' | 'ERROR', message: string, at: number) => ({
    source: type === 'WARN' ? ('CONSOLE' as const) : ('SYSTEM' as const),
    type,
    message,
    at: new Date(at).toISOString(),
  })
  return {
    state: 'failed',
    message: PROBLEM,
    events: 0,
    startedAt,
    finishedAt,
    lines: [
      toLine('WARN', `${PROBLEM} Retrying in 1 s.`, startedAt + 900),
      toLine('WARN', `${PROBLEM} Retrying in 4 s.`, startedAt + 2300),
      toLine('ERROR', `runEveryHour failed: ${PROBLEM}`, finishedAt),
    ],
  } as const
}
