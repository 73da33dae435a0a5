import { pipeline, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { readBody } from '#server/egress/read-body.ts'
import {
  findHeader,
  type IncomingResponse,
  type Payload,
  rawHeaders,
  sendRequest,
} from '#server/egress/send-request.ts'
import { waitTimeoutMessage } from '#server/runtime/failure.ts'
import { STREAM_WINDOW } from '#server/runtime/wire/protocol.ts'
import type { CallContext } from '../call-context.ts'
import { CallFailure, fetchError } from '../call-error.ts'
import { parseRetryAfter } from '../remote.ts'
import { streamToApp } from '../streams.ts'
import { type FetchBody, type FetchRequest, toFetchRequest } from './fetch-request.ts'

/** A body up to this size is read before it is sent, so that it can be sent again after a redirect. */
const MAX_BUFFERED_BODY = 1024 * 1024

/** The part of a response that the app gets before the body. */
interface ResponseHead {
  readonly url: string
  readonly status: number
  readonly statusText: string
  readonly headers: readonly (readonly [string, string])[]
  readonly redirected: boolean
}

/** Serves the app's `fetch`. */
export const handleFetch = async (context: CallContext, args: unknown): Promise<ResponseHead> =>
  fetchForApp(context, toFetchRequest(args))

/** Resolves with the head. The body follows in its stream, for as long as the run lasts. */
export function fetchForApp(
  context: CallContext,
  request: FetchRequest,
  trustedUrl?: URL,
): Promise<ResponseHead> {
  const { streams, run } = context
  const head = Promise.withResolvers<ResponseHead>()
  const exchange = async () => {
    run.ended.throwIfAborted()
    if (!trustedUrl) await run.pace.waitForTurn(request.url)
    await run.pace.busy(transfer)
  }
  const transfer = async () => {
    const received = await send(context, request, trustedUrl).catch((error) => {
      run.remote.recordFailure(request.url, error)
      throw error
    })
    noteResponse(run, request.url, received.response)
    head.resolve(toHead(received))
    try {
      await streamToApp(context, limitBody(context, received))
    } finally {
      received.response.body.destroy()
    }
  }
  const { body } = request
  void run
    .limitFetches(() => (body ? run.limitUploads(heldBytes(body), exchange) : exchange()))
    .catch(head.reject)
    .finally(() => {
      if (body) streams.refuse(body.stream, 'The body is not needed any more.')
    })
  return head.promise
}

/** The statuses whose `Retry-After` asks for fewer requests. */
const ASKS_TO_WAIT: ReadonlySet<number> = new Set([429, 503])

/** Holds further requests of the config back, if the server asks for it. */
function noteResponse(
  { remote, budgets }: CallContext['run'],
  url: URL,
  response: IncomingResponse['response'],
): void {
  const { statusCode } = response
  const retryAfter = findHeader(response, 'retry-after')
  remote.recordResponse(url, statusCode, retryAfter)
  const time = Date.now()
  const waitMs = parseRetryAfter(retryAfter, time)
  if (waitMs && ASKS_TO_WAIT.has(statusCode)) budgets.postpone(url.host, waitMs, time)
}

/** Returns the bytes of the body that the host holds at most. */
const heldBytes = ({ length = STREAM_WINDOW }: FetchBody): number => Math.min(length, STREAM_WINDOW)

async function send(
  { spec, limits, egress, run, streams }: CallContext,
  request: FetchRequest,
  trustedUrl: URL | undefined,
): Promise<IncomingResponse> {
  const timedOut = new AbortController()
  const timer = setTimeout(() => {
    const message = waitTimeoutMessage(limits.waitMs, spec, 'fetch')
    timedOut.abort(new CallFailure('TimeoutError', message, { isTemporary: true }))
  }, limits.waitMs)
  const restartTimer = () => void timer.refresh()
  try {
    const { url, method, headers, redirect, maxRedirects, body } = request
    const upload = body && onEachChunk(streams.accept(body.stream, body.length), restartTimer)
    return await sendRequest(egress, {
      url,
      method,
      headers,
      redirect,
      maxRedirects,
      payload: upload && (await toPayload(body, upload)),
      trustedUrl,
      signal: AbortSignal.any([timedOut.signal, run.ended]),
      isSecret: (value) => run.mask(value) !== value,
    })
  } finally {
    clearTimeout(timer)
  }
}

async function toPayload(
  body: FetchBody | undefined,
  upload: AsyncIterable<Uint8Array>,
): Promise<Payload> {
  if (body?.length === undefined || body.length > MAX_BUFFERED_BODY) return upload
  const whole = Buffer.allocUnsafe(body.length)
  let at = 0
  for await (const chunk of upload) {
    whole.set(chunk, at) // at once, because many small chunks take much memory
    at += chunk.length
  }
  return whole.subarray(0, at)
}

async function* onEachChunk(
  source: AsyncIterable<Uint8Array>,
  onChunk: () => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    onChunk()
    yield chunk
  }
}

function toHead({ url, wasRedirected, response }: IncomingResponse): ResponseHead {
  const headers = rawHeaders(response)
  const { statusCode, statusText } = response
  return { url: url.href, status: statusCode, statusText, headers, redirected: wasRedirected }
}

/** Limits the wait for each chunk, and the bytes that a run fetches in total. */
async function* limitBody(
  { run, limits }: CallContext,
  received: IncomingResponse,
): AsyncGenerator<Uint8Array> {
  const body = decodeBody(received)
  for await (const chunk of readBody(received.url, body, { maxWaitMs: limits.waitMs })) {
    run.fetchedBytes += chunk.length
    if (run.fetchedBytes > limits.maxFetchedBytes) {
      const message = `The run has fetched more than ${limits.maxFetchedBytes} bytes.`
      throw fetchError(message, 'max-total')
    }
    yield chunk
  }
}

function decodeBody({ method, response }: IncomingResponse): Readable {
  const { statusCode, body } = response
  if (method === 'HEAD' || statusCode === 204 || statusCode === 304) return body
  const decoder = toDecoder(findHeader(response, 'content-encoding'))
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
