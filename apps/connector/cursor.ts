import type { App } from '../shared/app.ts'
import { isRecord } from '../shared/paths.ts'
import type { Incremental, Stream, TimeFormat } from './connector.ts'

/** The latest time of the records that were imported, by place: `''` for a stream without a parent. */
export type Cursor = Readonly<Record<string, string>>

/** Places beyond these are read from the start in each run, because a stored value has a limit. */
const MAX_PLACES = 2000

/** Reads records of the same second again, because a server may leave out the exact time that it is asked for. */
const DEFAULT_LOOKBACK = 1

const toKey = ({ name }: Stream): string => `cursor of ${name}`

/** Loads a cursor. The state of an import can be edited, so anything may be there. */
export async function loadCursor({ meta }: App, stream: Stream): Promise<Cursor> {
  const stored = await meta.storage.get(toKey(stream))
  const times = typeof stored === 'string' ? { '': stored } : isRecord(stored) ? stored : {}
  const isTime = ([, time]: [string, unknown]) =>
    typeof time === 'string' && !Number.isNaN(Date.parse(time))
  return Object.fromEntries(Object.entries(times).filter(isTime)) as Cursor
}

interface Progress {
  readonly cursor: Cursor
  readonly latest: Cursor
  readonly startedAt: string
}

/** Moves a cursor on. Times after the start of the run come from clocks that are ahead, and would hide later records. */
export async function saveCursor(
  { meta }: App,
  stream: Stream,
  { cursor, latest, startedAt }: Progress,
): Promise<void> {
  const moved = Object.entries(latest)
    .map(([place, time]) => [place, time < startedAt ? time : startedAt] as const)
    .filter(([place, time]) => time > (cursor[place] ?? ''))
  if (moved.length === 0) return
  const times = { ...cursor, ...Object.fromEntries(moved) }
  const kept = Object.entries(times).slice(0, MAX_PLACES)
  await meta.storage.set(toKey(stream), stream.parent ? Object.fromEntries(kept) : times[''])
}

export function toParameters(
  { parameter, format, lookback = DEFAULT_LOOKBACK }: Incremental,
  since: string | undefined,
): Record<string, string> {
  if (since === undefined) return {}
  const from = Date.parse(since) - lookback * 1000
  return { [parameter]: formatTime(new Date(from).toISOString(), format) }
}

export function formatTime(iso: string, format: TimeFormat = 'iso'): string {
  switch (format) {
    case 'iso':
      return iso
    case 'date':
      return iso.slice(0, 10)
    case 'seconds':
      return String(Math.floor(Date.parse(iso) / 1000))
    case 'milliseconds':
      return String(Date.parse(iso))
  }
}
