import { FetchError } from './errors.ts'

/** JSON of this size is several times as large once it is parsed, and the heap has 128 MiB. */
const MAX_WHOLE = 32 * 1024 * 1024

type Bytes = Iterable<Uint8Array> | AsyncIterable<Uint8Array>

export interface OutgoingBody {
  readonly source: Bytes
  /** undefined: not known before it is sent. */
  readonly length: number | undefined
  readonly type: string | undefined
}

/** What node-fetch takes as a body: text, bytes, form fields, or anything that yields bytes. */
export function toOutgoingBody(
  body: unknown,
  BufferClass: typeof Buffer,
  FormFields: typeof URLSearchParams,
): OutgoingBody | undefined {
  if (body === undefined || body === null) return undefined
  if (body instanceof FormFields) {
    const bytes = BufferClass.from(String(body))
    const type = 'application/x-www-form-urlencoded;charset=UTF-8'
    return { source: [bytes], length: bytes.length, type }
  }
  if (body instanceof ArrayBuffer) {
    return { source: [new Uint8Array(body)], length: body.byteLength, type: undefined }
  }
  if (ArrayBuffer.isView(body)) {
    const bytes = new Uint8Array(body.buffer, body.byteOffset, body.byteLength)
    return { source: [bytes], length: bytes.length, type: undefined }
  }
  if (typeof body === 'object' && Symbol.asyncIterator in body) {
    return {
      source: toBytes(body as AsyncIterable<unknown>, BufferClass),
      length: undefined,
      type: undefined,
    }
  }
  const bytes = BufferClass.from(String(body))
  return { source: [bytes], length: bytes.length, type: 'text/plain;charset=UTF-8' }
}

async function* toBytes(
  source: AsyncIterable<unknown>,
  BufferClass: typeof Buffer,
): AsyncGenerator<Uint8Array> {
  for await (const part of source) {
    yield part instanceof Uint8Array ? part : BufferClass.from(String(part))
  }
}

/** The body of an answer. Read once: whole, or part by part. */
export class Body implements AsyncIterable<Uint8Array> {
  readonly #open: () => AsyncIterable<Uint8Array>
  readonly #Buffer: typeof Buffer
  readonly #url: string
  used = false

  constructor(open: () => AsyncIterable<Uint8Array>, BufferClass: typeof Buffer, url: string) {
    this.#open = open
    this.#Buffer = BufferClass
    this.#url = url
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    if (this.used) throw new TypeError(`body used already for: ${this.#url}`)
    this.used = true
    return this.#open()[Symbol.asyncIterator]()
  }

  async whole(): Promise<Buffer> {
    const parts: Uint8Array[] = []
    let size = 0
    for await (const part of this) {
      size += part.length
      if (size > MAX_WHOLE) {
        throw new FetchError(
          `The answer of ${this.#url} is larger than 32 MiB. Read it in parts: for await (const part of response.body).`,
          'max-size',
        )
      }
      parts.push(part)
    }
    return parts.length === 1
      ? this.#Buffer.from(parts[0] as Uint8Array)
      : this.#Buffer.concat(parts)
  }
}
