import type { FastifyRequest } from 'fastify'
import { invalid } from '#server/errors.ts'
import { type JsonText, toJsonText } from '#server/http/json-text.ts'
import { MAX_LIMIT, requestOrigin } from '#server/http/page.ts'
import { toGroupJson } from './representation.ts'
import type { GroupQuery } from './schema.ts'
import type { GroupPlace, GroupRange, GroupRow } from './store.ts'

const DEFAULT_LIMIT = 100

/**
 * Lists one page in the envelope of upstream's groups: no count, and links with a cursor. A cursor names a group instead of
 * a number of groups, so that no page skips or repeats one when others arrive.
 */
export async function groupPageJson(
  request: FastifyRequest,
  { cursor, limit: requested = DEFAULT_LIMIT }: GroupQuery,
  list: (range: GroupRange) => Promise<readonly GroupRow[]>,
): Promise<JsonText> {
  const limit = Math.min(requested, MAX_LIMIT)
  const place = cursor === undefined ? undefined : fromCursor(cursor)
  const isBackward = place?.side === 'before'
  const found = await list({ limit: limit + 1, place })
  const hasMore = found.length > limit
  const rows = isBackward ? found.slice(-limit) : found.slice(0, limit)
  const [hasNext, hasPrevious] = isBackward ? [true, hasMore] : [hasMore, place !== undefined]
  const links = {
    next: toLink(request, 'after', hasNext ? rows.at(-1) : undefined),
    previous: toLink(request, 'before', hasPrevious ? rows[0] : undefined),
  }
  const results = rows.map((row) => toGroupJson(row)).join()
  return `${toJsonText(links).slice(0, -1)},"results":[${results}]}` as JsonText
}

function toLink(
  request: FastifyRequest,
  side: GroupPlace['side'],
  row: GroupRow | undefined,
): string | null {
  if (!row) return null
  const [path, query] = request.originalUrl.split('?', 2)
  const parameters = new URLSearchParams(query)
  parameters.set('cursor', toCursor({ side, ...row }))
  parameters.sort()
  return `${requestOrigin(request)}${path}?${parameters}`
}

const toCursor = ({ side, createdAt, key }: GroupPlace): string =>
  Buffer.from(`${side} ${createdAt} ${key}`).toString('base64url')

const CURSOR = /^(after|before) (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) ([^\0]+)$/s

/** Databases refuse days that no month has, such as 30 February. */
const isTime = (text: string): boolean => {
  const time = new Date(text)
  return !Number.isNaN(time.getTime()) && time.toISOString() === text
}

function fromCursor(cursor: string): GroupPlace {
  const text = Buffer.from(cursor, 'base64url').toString()
  const [, side, createdAt, key] = CURSOR.exec(text) ?? []
  if (!side || !createdAt || !key || !isTime(createdAt)) {
    throw invalid('cursor', 'This is not a cursor of this list.')
  }
  return { side: side as GroupPlace['side'], createdAt, key }
}
