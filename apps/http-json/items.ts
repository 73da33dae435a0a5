import type { FetchAnswer } from '../shared/app.ts'
import { toEventId } from '../shared/event-id.ts'
import { readLines } from '../shared/lines.ts'
import { isRecord, valueAt } from '../shared/paths.ts'
import { shown } from '../shared/requests.ts'
import type { Settings } from './settings.ts'

/** `place` is for people: which item of the page it is. */
export interface ItemSink {
  /** Whether it is time to keep pace: waiting for every single item would send each by itself. */
  item(item: unknown, place: string): boolean
  keepPace(): Promise<void>
  broken(place: string, problem: string): void
}

export interface ReadPage {
  /** The parsed answer; undefined for NDJSON. */
  readonly answer: unknown
  readonly count: number
  /** Equal for equal answers; undefined when it is not known. */
  readonly fingerprint: string | undefined
}

export function readItems(
  settings: Settings,
  url: string,
  answer: FetchAnswer,
  sink: ItemSink,
): Promise<ReadPage> {
  return settings.format === 'ndjson'
    ? readNdjson(answer, sink)
    : readJson(settings, url, answer, sink)
}

async function readJson(
  settings: Settings,
  url: string,
  response: FetchAnswer,
  sink: ItemSink,
): Promise<ReadPage> {
  const text = await response.text()
  if (text.trim() === '') return { answer: undefined, count: 0, fingerprint: undefined }
  const answer = parsePage(url, text)
  const items = findItems(answer, settings.items)
  for (const [index, item] of items.entries()) {
    if (sink.item(item, `Item ${index + 1}`)) await sink.keepPace()
  }
  return { answer, count: items.length, fingerprint: toEventId(text) }
}

function parsePage(url: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const start = text.replace(/\s+/g, ' ').trim().slice(0, 80)
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(
      `${shown(url)} did not answer with JSON (${reason}). The answer begins: ${start}. ` +
        'Check the "Address", the "Headers" and the "Format".',
    )
  }
}

/** Some servers write an empty list as null. */
function findItems(answer: unknown, path: string): readonly unknown[] {
  const found = valueAt(answer, path)
  if (Array.isArray(found)) return found
  if (found === null) return []
  const where = path === '' ? 'The answer' : `What the answer has at "${path}"`
  const fields = isRecord(answer) ? ` The answer's fields are: ${someKeys(answer)}.` : ''
  throw new Error(
    `${where} is ${nameOf(found)}, not a list.${fields} Set "Path of the items" to the list.`,
  )
}

const someKeys = (value: object): string => Object.keys(value).slice(0, 20).join(', ')

const nameOf = (value: unknown): string =>
  value === undefined ? 'nothing' : isRecord(value) ? 'an object' : `a ${typeof value}`

async function readNdjson({ body }: FetchAnswer, sink: ItemSink): Promise<ReadPage> {
  let line = 0
  let count = 0
  for await (const lines of body ? readLines(body) : []) {
    for (const text of lines) {
      line += 1
      if (text.trim() === '') continue
      count += 1
      const item = parseLine(text)
      if (item === undefined) sink.broken(`Line ${line}`, 'is not JSON.')
      else if (sink.item(item, `Line ${line}`)) await sink.keepPace()
    }
  }
  return { answer: undefined, count, fingerprint: undefined }
}

function parseLine(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
