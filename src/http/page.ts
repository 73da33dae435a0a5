import type { FastifyRequest } from 'fastify'
import { type TSchema, Type } from 'typebox'
import type { PageRange, Slice } from '../db/page-range.ts'
import { ApiError } from '../errors.ts'
import { type JsonText, toJsonText } from './json-text.ts'

const DEFAULT_LIMIT = 100
export const MAX_LIMIT = 1000

export const PageQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Results per page. 100 by default, at most 1000.' }),
  ),
  offset: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Number of results to skip.',
    }),
  ),
})

/** A parameter of PostHog's lists, which can also be CSV there. */
export const Format = Type.Optional(
  Type.Unsafe<'json'>({ type: 'string', enum: ['json'], description: 'Only `json`.' }),
)

const Link = Type.Union([Type.String({ format: 'uri' }), Type.Null()])

/** Builds the schema of a page, named after its items: `DashboardPage`. */
export const pageSchema = <Item extends TSchema>(item: Item) =>
  Type.Object(
    { count: Type.Integer(), next: Link, previous: Link, results: Type.Array(item) },
    { title: `${(item as { title?: string }).title}Page`, additionalProperties: false },
  )

/** The part of a request that a page of a list depends on. */
type PageRequest = Pick<FastifyRequest, 'query' | 'originalUrl' | 'protocol' | 'host'>

/** Copies it, for a reader that outlives the request. */
export const toPageRequest = ({
  query,
  originalUrl,
  protocol,
  host,
}: FastifyRequest): PageRequest => ({ query, originalUrl, protocol, host })

/** Lists one page and wraps it in the API's envelope. */
export async function page<T>(request: PageRequest, list: (range: PageRange) => Promise<Slice<T>>) {
  const { limit: requested = DEFAULT_LIMIT, offset = 0 } = request.query as Partial<PageRange>
  const limit = Math.min(requested, MAX_LIMIT)
  const { count, results } = await list({ limit, offset })
  return {
    count,
    next: offset + limit < count ? pageLink(request, limit, offset + limit) : null,
    previous: offset > 0 ? pageLink(request, limit, Math.max(offset - limit, 0)) : null,
    results,
  }
}

/** Lists one page of items that are already JSON text. */
export async function pageJson(
  request: PageRequest,
  list: (range: PageRange) => Promise<Slice<JsonText>>,
): Promise<JsonText> {
  const { results, ...envelope } = await page(request, list)
  return `${toJsonText(envelope).slice(0, -1)},"results":[${results.join()}]}` as JsonText
}

const HOST = /^([\w.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/i

/** Returns the origin that the caller used. */
export function requestOrigin({ protocol, host }: Pick<PageRequest, 'protocol' | 'host'>): string {
  if (HOST.test(host)) return `${protocol}://${host}`
  throw new ApiError('bad_request', 'The Host header names no host.')
}

export function pageLink(request: PageRequest, limit: number, offset: number): string {
  const [path, query] = request.originalUrl.split('?', 2)
  const parameters = new URLSearchParams(query)
  parameters.set('limit', String(limit))
  if (offset > 0) parameters.set('offset', String(offset))
  else parameters.delete('offset')
  parameters.sort()
  return `${requestOrigin(request)}${path}?${parameters}`
}
