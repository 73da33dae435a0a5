import type { App } from '../shared/app.ts'
import { isRecord } from '../shared/paths.ts'
import { toTimestamp } from '../shared/times.ts'
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
  await meta.storage.set(toKey(stream), hasPlaces(stream) ? Object.fromEntries(kept) : times[''])
}

/** Tells whether a stream is read more than once in a run. */
export const hasPlaces = ({ parent, partitions }: Stream): boolean =>
  parent !== undefined || partitions !== undefined

/** The parameters of one reading of a stream, and the time up to which it is complete if more of it follows. */
export interface Slice {
  readonly parameters: Readonly<Record<string, string>>
  readonly until?: string
}

/** Yields what is to be read after a cursor: one slice, or one for each step of time. */
export function* toSlices(
  { parameter, to_parameter, format, start, step, lookback = DEFAULT_LOOKBACK }: Incremental,
  { since, now, fill }: { since?: string | undefined; now: string; fill(text: string): string },
): Generator<Slice> {
  const from = since === undefined ? toStart(start, fill) : Date.parse(since) - lookback * 1000
  if (from === undefined) return yield { parameters: {} }
  const toText = (time: number) => formatTime(new Date(time).toISOString(), format)
  if (step === undefined || to_parameter === undefined) {
    return yield { parameters: { [parameter]: toText(from) } }
  }
  const end = Date.parse(now)
  for (let at = from; at < end; at += step * 1000) {
    const to = Math.min(at + step * 1000, end)
    const parameters = { [parameter]: toText(at), [to_parameter]: toText(to) }
    yield to < end ? { parameters, until: new Date(to).toISOString() } : { parameters }
  }
}

function toStart(text: string | undefined, fill: (text: string) => string): number | undefined {
  if (text === undefined) return undefined
  const filled = fill(text)
  const time = toTimestamp(filled)
  if (time === undefined) throw new Error(`"${filled}" is not a date to start from.`)
  return Date.parse(time)
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
    default:
      return format.replace(/%([a-zA-Z%])/g, (directive, letter) => {
        const write = Object.hasOwn(DIRECTIVES, letter) ? DIRECTIVES[letter] : undefined
        return write ? write(iso) : directive
      })
  }
}

/** The directives of `strftime` that are the same everywhere. */
const DIRECTIVES: Readonly<Record<string, (iso: string) => string>> = {
  Y: (iso) => iso.slice(0, 4),
  m: (iso) => iso.slice(5, 7),
  d: (iso) => iso.slice(8, 10),
  H: (iso) => iso.slice(11, 13),
  M: (iso) => iso.slice(14, 16),
  S: (iso) => iso.slice(17, 19),
  f: (iso) => `${iso.slice(20, 23)}000`,
  s: (iso) => String(Math.floor(Date.parse(iso) / 1000)),
  z: () => '+0000',
  Z: () => 'UTC',
  '%': () => '%',
}
