import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** A request and its response, without headers of the request, which hold keys. */
interface Exchange {
  readonly method: string
  readonly url: string
  /** The body of the request. */
  readonly sent?: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface RecordingOptions {
  /** The file that keeps the exchanges. */
  readonly file: string
  /** Values that the file must not contain. */
  readonly secrets: readonly string[]
  /** Sends requests and writes the file, instead of reading it. */
  readonly isRecording: boolean
  readonly send: Fetch
}

type Fetch = (url: string | URL, options?: RequestInit) => Promise<Response>

const KEPT_HEADERS = ['content-type', 'link', 'retry-after', 'location']

/** Returns a `fetch` that answers from a file. While recording, it sends the requests and writes the file. */
export function createRecordedFetch({ file, secrets, isRecording, send }: RecordingOptions): Fetch {
  const mask = (text: string) =>
    secrets
      .filter((secret) => secret !== '')
      .flatMap((secret) => [secret, encodeURIComponent(secret), btoa(secret)])
      .reduce((masked, form) => masked.replaceAll(form, '***'), text)
  const exchanges: Exchange[] = isRecording ? [] : read(file)
  const used = new Set<Exchange>()

  async function record(
    request: Pick<Exchange, 'method' | 'url' | 'sent'>,
    received: Promise<Response>,
  ) {
    const response = await received
    const body = await response.text()
    const headers = Object.fromEntries(
      KEPT_HEADERS.flatMap((name) => {
        const value = response.headers.get(name)
        return value === null ? [] : [[name, mask(value)]]
      }),
    )
    exchanges.push({ ...request, status: response.status, headers, body: mask(body) })
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `${JSON.stringify(exchanges, null, 2)}\n`)
    return toResponse({ status: response.status, headers, body })
  }

  return async (url, options = {}) => {
    const { method = 'GET', body } = options
    const sent = body === undefined || body === null ? undefined : mask(String(body))
    const request = { method, url: mask(String(url)), ...(sent !== undefined && { sent }) }
    if (isRecording) return record(request, send(url, options))
    const isSame = (each: Exchange) =>
      each.method === method && each.url === request.url && each.sent === sent
    // equal requests get their responses in turn, and the last one again
    const found =
      exchanges.find((each) => isSame(each) && !used.has(each)) ?? exchanges.findLast(isSame)
    if (!found) {
      throw new Error(
        `${file} has no response to ${method} ${request.url}. Run the test with HEDGEROW_RECORD=1 to record it.`,
      )
    }
    used.add(found)
    return toResponse(found)
  }
}

function read(file: string): Exchange[] {
  if (!existsSync(file)) return []
  const exchanges: unknown = JSON.parse(readFileSync(file, 'utf8'))
  if (!Array.isArray(exchanges)) throw new Error(`${file} is not a recording.`)
  return exchanges
}

const toResponse = ({ status, headers, body }: Pick<Exchange, 'status' | 'headers' | 'body'>) =>
  new Response([204, 205, 304].includes(status) ? null : body, { status, headers })
