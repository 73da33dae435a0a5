import type { Paginate, Role } from './draft.ts'

type Fields = Readonly<Record<string, unknown>>

/** Deeper values are rarely what identifies a record, or the next page. */
const MAX_DEPTH = 4

export const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Lists the values within objects, those near the top first, without what is in lists. */
export function listValues(content: unknown): { path: string; key: string; value: unknown }[] {
  let level: { path: string; key: string; value: unknown }[] = [
    { path: '', key: '', value: content },
  ]
  const found: typeof level = []
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++) {
    level = level.flatMap(({ path, value }) =>
      isRecord(value)
        ? Object.entries(value)
            .filter(([key]) => key !== '' && !key.includes('.'))
            .map(([key, inner]) => ({ path: path ? `${path}.${key}` : key, key, value: inner }))
        : [],
    )
    found.push(...level)
  }
  return found
}

/** Finds the list of records: the response itself, or the first list of objects near its top. */
export function findList(content: unknown): string | undefined {
  if (Array.isArray(content)) return ''
  const lists = listValues(content).filter(({ value }) => Array.isArray(value))
  const ofRecords = lists.find(({ value }) => isRecord((value as unknown[])[0]))
  return (ofRecords ?? lists[0])?.path
}

/** Returns the records of the list. */
export function listRecords(content: unknown, list: string): readonly unknown[] {
  const found = list === '' ? content : listValues(content).find(({ path }) => path === list)?.value
  return Array.isArray(found) ? found : []
}

/** Names of values, the most telling first. */
const NAMES: Readonly<Record<Role, readonly string[]>> = {
  id: ['id', 'uuid', '_id', 'objectid', 'key'],
  person: ['email', 'customer_email', 'user_id', 'userid', 'customer_id', 'distinct_id', 'login'],
  time: ['created_at', 'createdat', 'created', 'timestamp', 'occurred_at', 'date', 'updated_at'],
}

/** Guesses the values of a record that mean something, by their names. */
export function findRoles(record: unknown): Partial<Record<Role, string>> {
  const values = listValues(record).filter(({ value }) => /^(string|number)$/.test(typeof value))
  const find = (role: Role) => {
    const named = NAMES[role].flatMap((name) =>
      values.filter(({ key }) => key.toLowerCase() === name),
    )
    return named[0]?.path
  }
  const found = { id: find('id'), person: find('person'), time: find('time') }
  return Object.fromEntries(Object.entries(found).filter(([, path]) => path !== undefined))
}

export interface SeenPage {
  readonly url: string
  readonly link: string
  readonly content: unknown
}

/** Detects how the next page is found; without a sign of one, there is one page. */
export const findPaging = (page: SeenPage): Paginate =>
  findLink(page) ?? findCursor(page) ?? findNumbers(page) ?? {}

const findLink = ({ link }: SeenPage): Paginate | undefined =>
  /rel="?next"?/.test(link) ? { link: true } : undefined

/** The names of cursors, and of the parameters that take them. A cursor that is a URL needs none. */
const CURSORS: ReadonlyMap<string, string | undefined> = new Map([
  ['next', undefined],
  ['next_url', undefined],
  ['next_page_url', undefined],
  ['next_page', 'page'],
  ['next_cursor', 'cursor'],
  ['nextCursor', 'cursor'],
  ['cursor', 'cursor'],
  ['next_page_token', 'page_token'],
  ['nextPageToken', 'pageToken'],
  ['page_token', 'page_token'],
  ['next_token', 'next_token'],
  ['nextToken', 'nextToken'],
  ['continuation_token', 'continuation_token'],
  ['end_cursor', 'after'],
  ['endCursor', 'after'],
  ['after', 'after'],
])

function findCursor({ content }: SeenPage): Paginate | undefined {
  const found = listValues(content).find(
    ({ key, value }) =>
      CURSORS.has(key) && (value === null || /^(string|number)$/.test(typeof value)),
  )
  if (!found) return undefined
  const { path, key, value } = found
  const isUrl = typeof value === 'string' && /^(https?:\/\/|[/?])/.test(value)
  const parameter = isUrl
    ? undefined
    : (CURSORS.get(key) ?? (value === null ? undefined : 'cursor'))
  return { cursor: { path, ...(parameter !== undefined && { parameter }) } }
}

const PAGES = ['page', 'p', 'page_number', 'pageNumber', 'page[number]']
const OFFSETS = ['offset', 'skip', 'start', 'startAt']
const LIMITS = ['limit', 'count', 'per_page', 'page_size', 'pageSize', 'size', 'take', 'maxResults']
const DEFAULT_LIMIT = 100

/** Looks for numbers of pages in the address, then in the response. */
function findNumbers({ url, content }: SeenPage): Paginate | undefined {
  const parameters = new URL(url).searchParams
  const values = listValues(content)
  const inBody = (names: readonly string[]) => values.find(({ key }) => names.includes(key))
  const find = (names: readonly string[]) => names.find((name) => parameters.has(name))
  const offset = find(OFFSETS) ?? inBody(OFFSETS)?.key
  if (offset !== undefined) {
    const limit_parameter = find(LIMITS) ?? inBody(LIMITS)?.key ?? 'limit'
    const limit = Number(parameters.get(limit_parameter)) || DEFAULT_LIMIT
    return { offset: { parameter: offset, limit_parameter, limit } }
  }
  const page = find(PAGES)
  const seen = inBody(['page', 'current_page', 'currentPage'])
  const hasCount = inBody(['total_pages', 'totalPages', 'last_page', 'pages']) !== undefined
  if (page === undefined && !seen && !hasCount) return undefined
  const first = Number(page === undefined ? seen?.value : parameters.get(page))
  return { page: { parameter: page ?? 'page', first: first === 0 ? 0 : 1 } }
}

/** Lists the other hosts to which a response leads: by a redirect, or for the next page. */
export function findHosts(
  url: string,
  { finalUrl, link, content }: { finalUrl: string; link: string; content: unknown },
  { cursor, link: followsLink }: Paginate,
): string[] {
  const next = listValues(content).find(({ path }) => path === cursor?.path)?.value
  const links = followsLink ? [...link.matchAll(/<([^>]+)>/g)].map(([, target]) => target) : []
  const hosts = [finalUrl, next, ...links].map((target) =>
    typeof target === 'string' ? URL.parse(target, url)?.host : undefined,
  )
  const own = URL.parse(url)?.host
  return [
    ...new Set(hosts.filter((host) => host !== undefined && host !== '' && host !== own)),
  ].map(String)
}
