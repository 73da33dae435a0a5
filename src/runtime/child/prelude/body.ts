import { FetchError } from './errors.ts'

/** JSON of this size is several times as large once parsed, and the heap has 128 MiB. */
const MAX_BUFFERED = 32 * 1024 * 1024

type Bytes = Iterable<Uint8Array> | AsyncIterable<Uint8Array>

export interface OutgoingBody {
  readonly source: Bytes
  /** undefined if it is not known before the body is sent. */
  readonly length: number | undefined
  readonly type: string | undefined
}

/** Converts any body that node-fetch takes: text, bytes, form fields, or an iterable of bytes. */
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
  for await (const chunk of source) {
    yield chunk instanceof Uint8Array ? chunk : BufferClass.from(String(chunk))
  }
}

/** The body of a response. It can be read once, at once or in chunks. */
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

  async readAll(): Promise<Buffer> {
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of this) {
      size += chunk.length
      if (size > MAX_BUFFERED) {
        throw new FetchError(
          `The response of ${this.#url} is larger than 32 MiB. Read it in chunks: for await (const chunk of response.body).`,
          'max-size',
        )
      }
      chunks.push(chunk)
    }
    return chunks.length === 1
      ? this.#Buffer.from(chunks[0] as Uint8Array)
      : this.#Buffer.concat(chunks)
  }
}
