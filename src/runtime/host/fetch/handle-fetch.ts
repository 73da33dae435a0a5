import { pipeline, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { type Answered, type Payload, sendRequest } from '#server/egress/send-request.ts'
import { waitTimeoutMessage } from '#server/runtime/failure.ts'
import type { CallContext } from '../call-context.ts'
import { CallFailure, fetchError } from '../call-error.ts'
import { streamToApp } from '../stream-to-app.ts'
import { type FetchRequest, type FetchRequestBody, toFetchRequest } from './fetch-request.ts'

/** Up to this a body is read before it is sent on, so that it can be sent again after a redirect. */
const SMALL_BODY = 1024 * 1024

/** What the app learns before the body. */
interface Head {
  readonly url: string
  readonly status: number
  readonly statusText: string
  readonly headers: readonly (readonly [string, string])[]
  readonly redirected: boolean
}

type Upload = AsyncIterable<Uint8Array> | undefined

export async function handleFetch(context: CallContext, asked: unknown): Promise<Head> {
  const question = toFetchRequest(asked)
  return answerQuestion(context, question, acceptUpload(context, question.body))
}

/** Before anything is waited for: the app does not wait with sending it. */
export const acceptUpload = (
  { streams }: CallContext,
  body: FetchRequestBody | undefined,
): Upload => body && streams.accept(body.stream)

/** Resolves with the head; the body follows in its stream, for as long as the run lasts. */
export function answerQuestion(
  context: CallContext,
  question: FetchRequest,
  upload: Upload,
  trusted?: URL,
): Promise<Head> {
  const { streams, run } = context
  const head = Promise.withResolvers<Head>()
  const work = async () => {
    const answered = await ask(context, question, upload, trusted)
    head.resolve(toHead(answered))
    try {
      await streamToApp(context, counted(context, decoded(answered)))
    } finally {
      answered.response.body.destroy()
    }
  }
  void run
    .fetching(work)
    .catch(head.reject)
    .finally(() => {
      if (question.body) streams.refuse(question.body.stream, 'It is not wanted any more.')
    })
  return head.promise
}

async function ask(
  { spec, limits, egress, run, mask }: CallContext,
  question: FetchRequest,
  upload: Upload,
  trusted: URL | undefined,
): Promise<Answered> {
  const late = new AbortController()
  const abort = () =>
    late.abort(new CallFailure('TimeoutError', waitTimeoutMessage(limits.waitMs, spec, 'fetch')))
  const timer = setTimeout(abort, limits.waitMs)
  try {
    const payload =
      upload &&
      (await toPayload(
        question.body,
        alive(upload, () => timer.refresh()),
      ))
    return await sendRequest({
      egress,
      question,
      payload,
      trusted,
      signal: AbortSignal.any([late.signal, run.ending.signal]),
      isSecret: (value) => mask(value) !== value,
    })
  } finally {
    clearTimeout(timer)
  }
}

async function toPayload(
  body: FetchRequestBody | undefined,
  upload: AsyncIterable<Uint8Array>,
): Promise<Payload> {
  if (body?.length === undefined || body.length > SMALL_BODY) return upload
  const parts: Uint8Array[] = []
  for await (const part of upload) parts.push(part)
  return Buffer.concat(parts)
}

async function* alive(
  source: AsyncIterable<Uint8Array>,
  onPart: () => void,
): AsyncGenerator<Uint8Array> {
  for await (const part of source) {
    onPart()
    yield part
  }
}

function toHead({ url, redirected, response }: Answered): Head {
  const raw = response.headers as unknown as readonly string[]
  const headers = Array.from({ length: raw.length / 2 }, (_, index) => {
    return [String(raw[2 * index]), String(raw[2 * index + 1])] as const
  })
  const { statusCode, statusText } = response
  return { url: url.href, status: statusCode, statusText, headers, redirected }
}

/** Each part within the usual time, and all of a run's together no more than the limit. */
async function* counted(
  { run, spec, limits }: CallContext,
  body: Readable,
): AsyncGenerator<Uint8Array> {
  const late = fetchError(waitTimeoutMessage(limits.waitMs, spec, 'response.body'), 'body-timeout')
  const wait = () => setTimeout(() => body.destroy(late), limits.waitMs)
  let timer = wait()
  try {
    for await (const part of body) {
      clearTimeout(timer)
      run.fetchedBytes += part.length
      if (run.fetchedBytes > limits.maxFetchedBytes) {
        throw fetchError(
          `The run has fetched more than ${limits.maxFetchedBytes} bytes.`,
          'max-size',
        )
      }
      yield part
      timer = wait()
    }
  } finally {
    clearTimeout(timer)
  }
}

function decoded({ method, response }: Answered): Readable {
  const { statusCode, headers, body } = response
  if (method === 'HEAD' || statusCode === 204 || statusCode === 304) return body
  const raw = headers as unknown as readonly string[]
  const at = raw.findIndex((text, i) => i % 2 === 0 && text.toLowerCase() === 'content-encoding')
  const decoder = toDecoder(at === -1 ? undefined : raw[at + 1])
  // errors reach the reader through the decoder
  return decoder ? pipeline(body, decoder, () => {}) : body
}

function toDecoder(encoding: string | undefined) {
  switch (encoding?.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip()
    case 'deflate':
      return createInflate()
    case 'br':
      return createBrotliDecompress()
    default:
      return undefined
  }
}
