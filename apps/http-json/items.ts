import { toEventId } from '../shared/event-id.ts'
import { readLines } from '../shared/lines.ts'
import { isRecord, valueAt } from '../shared/paths.ts'
import { withoutQuery } from '../shared/requests.ts'
import type { Settings } from './settings.ts'

/** `place` names the item in messages, for example `Item 3`. */
export interface ItemSink {
  /** Returns true if the caller should call `keepPace` now, rather than after every item. */
  item(item: unknown, place: string): boolean
  keepPace(): Promise<void>
  broken(place: string, problem: string, text: string): void
}

export interface ReadPage {
  /** The parsed response; undefined for NDJSON. */
  readonly body: unknown
  readonly count: number
  /** Equal for equal responses; undefined if unknown. */
  readonly fingerprint: string | undefined
}

/** Reads the items of a page of JSON. */
export async function readJson(
  settings: Settings,
  url: string,
  text: string,
  sink: ItemSink,
): Promise<ReadPage> {
  if (text.trim() === '') return { body: undefined, count: 0, fingerprint: undefined }
  const body = parsePage(url, text)
  const items = findItems(body, settings.items)
  for (const [index, item] of items.entries()) {
    if (sink.item(item, `Item ${index + 1}`)) await sink.keepPace()
  }
  return { body, count: items.length, fingerprint: toEventId(text) }
}

function parsePage(url: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const start = text.replace(/\s+/g, ' ').trim().slice(0, 80)
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(
      `${withoutQuery(url)} did not return JSON (${reason}). The response starts with: ${start}. ` +
        'Check the "URL", the "Headers" and the "Format".',
    )
  }
}

/** Accepts null, which some servers return for an empty list. */
function findItems(body: unknown, path: string): readonly unknown[] {
  const found = valueAt(body, path)
  if (Array.isArray(found)) return found
  if (found === null) return []
  const where = path === '' ? 'The response' : `"${path}" in the response`
  const fields = isRecord(body) ? ` Fields: ${someKeys(body)}.` : ''
  throw new Error(
    `${where} is ${toTypeName(found)}, not an array.${fields} Set "Items path" to an array.`,
  )
}

const someKeys = (value: object): string => Object.keys(value).slice(0, 20).join(', ')

const toTypeName = (value: unknown): string =>
  value === undefined ? 'nothing' : isRecord(value) ? 'an object' : `a ${typeof value}`

/** Reads the items of a page with one item per line, as it arrives. */
export async function readNdjson(
  body: AsyncIterable<Uint8Array>,
  sink: ItemSink,
): Promise<ReadPage> {
  let line = 0
  let count = 0
  for await (const lines of readLines(body)) {
    for (const text of lines) {
      line += 1
      if (text.trim() === '') continue
      count += 1
      const item = parseLine(text)
      if (item === undefined) sink.broken(`Line ${line}`, 'not JSON.', text)
      else if (sink.item(item, `Line ${line}`)) await sink.keepPace()
    }
  }
  return { body: undefined, count, fingerprint: undefined }
}

function parseLine(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
