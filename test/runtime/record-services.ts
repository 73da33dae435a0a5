import { deserialize } from 'node:v8'
import type { EventRow } from '#server/analytics/event-row.ts'
import { convertAppEvents } from '#server/features/events/capture/convert-app-events.ts'
import { createConverter } from '#server/features/events/capture/converter.ts'
import type {
  AppServices,
  CapturedEvent,
  LogLine,
  Progress,
  QueuedJob,
  SkippedRow,
} from '#server/runtime/contract.ts'

/** Runs no longer than the tests: its thread ends with the process. */
const converter = createConverter(undefined)

const toCapturedEvent = ({ timestamp, properties, fullProperties, ...row }: EventRow) => ({
  ...row,
  timestamp: new Date(timestamp).toISOString(),
  properties: fullProperties ?? properties,
})

/** Services that record every call in memory. */
export interface Recorded extends AppServices {
  readonly events: CapturedEvent[]
  readonly lines: LogLine[]
  readonly reported: Progress[]
  readonly queued: QueuedJob[]
  readonly skipped: SkippedRow[]
  readonly stored: Map<string, string>
  messages(): string[]
}

export function recordServices(changes: Partial<AppServices> = {}): Recorded {
  const stored = new Map<string, string>()
  const cached = new Map<string, string>()
  const [events, lines, reported, queued]: [CapturedEvent[], LogLine[], Progress[], QueuedJob[]] = [
    [],
    [],
    [],
    [],
  ]
  const skipped: SkippedRow[] = []
  const list = (key: string): string[] => JSON.parse(cached.get(key) ?? '[]')
  const keep = (key: string, values: string[]) => void cached.set(key, JSON.stringify(values))
  return {
    events,
    lines,
    reported,
    queued,
    skipped,
    stored,
    messages: () => lines.filter(({ source }) => source !== 'SYSTEM').map(({ message }) => message),
    storage: {
      get: async (key) => stored.get(key),
      set: async (key, value) => void stored.set(key, value),
      delete: async (key) => void stored.delete(key),
      setIfAbsent: async (key, value) => void (stored.has(key) || stored.set(key, value)),
      increment: async (key, by) => {
        const value = Number(stored.get(key) ?? 0) + by
        stored.set(key, String(value))
        return value
      },
    },
    cache: {
      get: async (key) => cached.get(key),
      set: async (key, value) => void cached.set(key, value),
      increment: async (key) => {
        const value = Number(cached.get(key) ?? 0) + 1
        cached.set(key, String(value))
        return value
      },
      expire: async (key) => cached.has(key),
      push: async (key, values) => {
        keep(key, [...[...values].reverse(), ...list(key)])
        return list(key).length
      },
      range: async (key, start, end) => list(key).slice(start, end === -1 ? undefined : end + 1),
      length: async (key) => list(key).length,
      remove: async (key, _count, value) => {
        const before = list(key)
        keep(
          key,
          before.filter((one) => one !== value),
        )
        return before.length - list(key).length
      },
      pop: async (key, count) => {
        const all = list(key)
        keep(key, all.slice(count))
        return all.slice(0, count)
      },
    },
    capture: async (more) => void events.push(...more),
    captureLarge: async (json) =>
      convertAppEvents(converter, json, async (packed) => {
        for (const { bytes } of packed) events.push(...deserialize(bytes).map(toCapturedEvent))
      }),
    enqueue: async (job) => void queued.push(job),
    skip: async (rows) => void skipped.push(...rows),
    log: (line) => void lines.push(line),
    progress: (progress) => void reported.push(progress),
    apiAccess: async () => {
      throw new Error('not set up in this test')
    },
    ...changes,
  }
}
