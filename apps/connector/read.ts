import type { App, FetchResponse } from '../shared/app.ts'
import { parseJson } from '../shared/json.ts'
import { valueAt } from '../shared/paths.ts'
import { describeResponse, toShown, toTemporary } from '../shared/requests.ts'
import type { Skipped } from '../shared/skipped.ts'
import type { Connector, ErrorRule, Stream } from './connector.ts'
import { type Above, MissingValue } from './fill.ts'
import { isKept } from './filter.ts'
import { findNextPage, toFirstPage } from './pages.ts'
import { toPartitions } from './partitions.ts'
import { createRequests, type Requests } from './requests.ts'

/** Stops at an API that returns new cursors forever. */
const MAX_EMPTY_PAGES = 10

/** Reads the streams of a connector in one run. */
export interface Reader {
  readonly app: App
  readonly connector: Connector
  readonly requests: Requests
  readonly skipped: Skipped
}

export const createReader = (app: App, connector: Connector, skipped: Skipped): Reader => ({
  app,
  connector,
  skipped,
  requests: createRequests(app, connector),
})

/** Yields the records above a stream, by stream: one set for each time that it is read. */
export async function* readAbove(reader: Reader, stream: Stream): AsyncGenerator<Above> {
  const { partitions = [] } = stream
  for await (const { higher, record } of readParent(reader, stream)) {
    for (const above of toPartitions(partitions, higher, reader.requests.setting)) {
      const problem = findMissing(reader, stream, above)
      if (problem === undefined) yield above
      else reader.skipped.add(`Stream "${stream.name}": ${problem}.`, record)
    }
  }
}

async function* readParent(
  reader: Reader,
  stream: Stream,
): AsyncGenerator<{ readonly higher: Above; readonly record?: unknown }> {
  const parent = reader.connector.streams.find(({ name }) => name === stream.parent?.stream)
  if (!parent) return yield { higher: {} }
  for await (const higher of readAbove(reader, parent)) {
    const fill = (text: string) => reader.requests.fill(text, higher)
    for await (const records of readPages(reader, parent, higher, {})) {
      for (const record of records) {
        if (!isKept(record, parent.filter, fill)) continue
        yield { higher: { ...higher, [parent.name]: record }, record }
      }
    }
  }
}

/** Finds what the records above lack for the path of a stream. */
function findMissing({ requests }: Reader, stream: Stream, above: Above) {
  try {
    requests.toUrl(stream.path, stream.query ?? {}, above)
    fillHeaders(requests, stream, above)
    return undefined
  } catch (error) {
    if (error instanceof MissingValue) return error.message
    throw error
  }
}

const fillHeaders = ({ fill }: Requests, { headers = {} }: Stream, above: Above) =>
  Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, fill(text, above)]))

/** Yields the records of each page of a stream. */
export async function* readPages(
  reader: Reader,
  stream: Stream,
  above: Above,
  parameters: Readonly<Record<string, string>>,
): AsyncGenerator<readonly unknown[]> {
  const { paginate = {} } = stream
  const query = { ...stream.query, ...toFirstPage(paginate), ...parameters }
  let url: string | undefined = reader.requests.toUrl(stream.path, query, above)
  const headers = fillHeaders(reader.requests, stream, above)
  let before: string | undefined
  let emptyPages = 0
  while (url !== undefined) {
    const page = await readPage(reader, stream, url, headers)
    // some servers repeat the last page past the end
    if (page === 'ignored' || page.text === before) return
    before = page.text
    yield page.records
    const { length: count } = page.records
    emptyPages = count === 0 ? emptyPages + 1 : 0
    if (emptyPages === MAX_EMPTY_PAGES) return
    url = findNextPage(paginate, { url, body: page.body, link: page.link, count })
  }
}

interface Page {
  readonly text: string
  readonly body: unknown
  readonly records: readonly unknown[]
  readonly link: string | null
}

async function readPage(
  reader: Reader,
  stream: Stream,
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<Page | 'ignored'> {
  const { requests, app } = reader
  try {
    return await requests.get(url, headers, async (response) => {
      const text = await response.text()
      const body = parseJson(text)
      const rule = stream.errors?.find((one) => isMet(one, response, text, body))
      if (rule || !response.ok) return handleError(app, stream, url, { response, text, rule })
      const found = body === undefined ? undefined : valueAt(body, stream.records ?? '')
      const records = stream.single && body !== undefined ? toList(found) : found
      if (Array.isArray(records)) {
        return { text, body, records, link: response.headers.get('link') }
      }
      const path = stream.records ? ` at "${stream.records}"` : ''
      throw new Error(`the response has no list${path}. Response: ${toShown(text)}`)
    })
  } catch (error) {
    const { message } = error as Error
    throw Object.assign(error as Error, { message: `Stream "${stream.name}": ${message}` })
  }
}

const toList = (value: unknown): readonly unknown[] =>
  value === undefined || value === null ? [] : [value].flat()

function isMet(
  { status, text: part, path, value }: ErrorRule,
  response: FetchResponse,
  text: string,
  body: unknown,
): boolean {
  if (status !== undefined && response.status !== status) return false
  if (part !== undefined && !text.includes(part)) return false
  if (path === undefined) return true
  const found = body === undefined ? undefined : valueAt(body, path)
  return value === undefined ? Boolean(found) : found === value
}

interface Refused {
  readonly response: FetchResponse
  readonly text: string
  readonly rule: ErrorRule | undefined
}

function handleError(
  { log }: App,
  { name }: Stream,
  url: string,
  { response, text, rule }: Refused,
): 'ignored' {
  const problem = [describeResponse(url, response, text), rule?.message].filter(Boolean).join(' ')
  if (rule?.action === 'retry') throw toTemporary(problem.replace(/\.$/, ''), response)
  if (rule?.action !== 'ignore') throw new Error(problem)
  log.warn(`Stream "${name}": ${problem} Ignored.`)
  return 'ignored'
}
