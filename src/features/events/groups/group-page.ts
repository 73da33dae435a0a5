import type { FastifyRequest } from 'fastify'
import type { PageRange } from '#server/db/page-range.ts'
import { invalid } from '#server/errors.ts'
import { type JsonText, toJsonText } from '#server/http/json-text.ts'
import { MAX_LIMIT, requestOrigin } from '#server/http/page.ts'
import type { GroupQuery } from './schema.ts'

const DEFAULT_LIMIT = 100

/** Lists one page in the envelope of upstream's groups: no count, and links with a cursor. */
export async function groupPageJson(
  request: FastifyRequest,
  { cursor, limit: requested = DEFAULT_LIMIT }: GroupQuery,
  list: (range: PageRange) => Promise<readonly JsonText[]>,
): Promise<JsonText> {
  const limit = Math.min(requested, MAX_LIMIT)
  const offset = cursor === undefined ? 0 : fromCursor(cursor)
  const found = await list({ limit: limit + 1, offset })
  const links = {
    next: found.length > limit ? toLink(request, offset + limit) : null,
    previous: offset > 0 ? toLink(request, Math.max(offset - limit, 0)) : null,
  }
  const results = found.slice(0, limit).join()
  return `${toJsonText(links).slice(0, -1)},"results":[${results}]}` as JsonText
}

function toLink(request: FastifyRequest, offset: number): string {
  const [path, query] = request.originalUrl.split('?', 2)
  const parameters = new URLSearchParams(query)
  parameters.set('cursor', Buffer.from(`o=${offset}`).toString('base64url'))
  parameters.sort()
  return `${requestOrigin(request)}${path}?${parameters}`
}

function fromCursor(cursor: string): number {
  const [, digits] = /^o=([0-9]{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (digits === undefined) throw invalid('cursor', 'This is not a cursor of this list.')
  return Number(digits)
}
