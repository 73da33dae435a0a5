import type { FastifyRequest } from 'fastify'
import { type EncodingHint, toHint } from './compression.ts'
import type { FormatName } from './format.ts'

/** In characters. */
const MAX_LIBRARY = 200

/** The origin of a request, and what its URL and headers say about its events. */
export interface CaptureSource {
  readonly address: string
  /** The time of sending, from the URL or a header. */
  readonly clientTime: unknown
  readonly format: FormatName
  /** The token in the headers, which takes precedence over the body's; '' if it must be there and is not. */
  readonly token?: string | undefined
  readonly encoding?: EncodingHint | undefined
  /** The name and version of the client. */
  readonly library?: string | undefined
}

export function toCaptureSource(
  { ip, headers, query }: FastifyRequest,
  format: FormatName,
): CaptureSource {
  const { _: clientTime, compression } = query as { _?: unknown; compression?: unknown }
  const encoding = toHint(headers['content-encoding'], compression)
  return { address: ip, clientTime, format, encoding }
}

/** Reads the headers of `/i/v1/analytics/events`, which has its token and the time of sending there. */
export function toV1Source(request: FastifyRequest): CaptureSource {
  const { authorization, 'posthog-sdk-info': library, ...headers } = request.headers
  return {
    ...toCaptureSource(request, 'v1'),
    clientTime: headers['posthog-request-timestamp'],
    token: /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? '',
    library: String(library ?? '').slice(0, MAX_LIBRARY) || undefined,
  }
}
