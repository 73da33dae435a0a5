const DASHBOARDS = '/api/environments/1/dashboards'
const FRESH = { 'cache-control': 'no-cache' }
const JSON_TYPE = { 'content-type': 'application/json' }

export interface Request {
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly path: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

export interface Scenario {
  readonly name: string
  readonly requests: readonly Request[]
  /** Minimum share of the bare server's rate; undefined means reported only. */
  readonly goal?: number
  /** Maximum multiple of the bare server's p99. */
  readonly p99Goal?: number
  /** 32 by default. */
  readonly connections?: number
  /** Sends the entity tag of an earlier response, so that the response is a 304. */
  readonly revalidates?: boolean
}

const retrieve = (id: number, headers?: Record<string, string>): Request => ({
  method: 'GET',
  path: `${DASHBOARDS}/${id}`,
  headers,
})

const list = (headers?: Record<string, string>): Request => ({
  method: 'GET',
  path: `${DASHBOARDS}?limit=100`,
  headers,
})

const describe = (id: number, description: string): Request => ({
  method: 'PATCH',
  path: `${DASHBOARDS}/${id}`,
  headers: JSON_TYPE,
  body: JSON.stringify({ description }),
})

const many = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1)

export const RETRIEVE_PAST = many(200).map((id) => retrieve(id * 37, FRESH))
export const LIST_PAST = [list(FRESH)]

/** 95 reads (85 of 40 dashboards, 10 of the list) and 5 changes of two of those dashboards. */
const MIX: readonly Request[] = many(100).map((i) => {
  if (i % 20 === 0) return describe(i % 40 === 0 ? 7 : 14, `Weekly numbers, version ${i}`)
  return i % 10 === 5 ? list() : retrieve((i % 40) + 1)
})

const CACHED_RETRIEVE = [retrieve(1)]

export const RETRIEVE_ON_POSTGRES: Scenario = {
  name: 'retrieve on PostgreSQL, from the cache',
  requests: CACHED_RETRIEVE,
  goal: 0.35,
}

const CREATE: Request = {
  method: 'POST',
  path: DASHBOARDS,
  headers: JSON_TYPE,
  body: JSON.stringify({ name: 'New' }),
}

export const SCENARIOS: readonly Scenario[] = [
  { name: 'retrieve, from the cache', requests: CACHED_RETRIEVE, goal: 0.65, p99Goal: 3 },
  { name: 'retrieve, not modified', requests: CACHED_RETRIEVE, goal: 0.8, revalidates: true },
  { name: 'retrieve, past the cache', requests: RETRIEVE_PAST, goal: 0.25 },
  { name: 'list of 100, from the cache', requests: [list()], goal: 0.65, p99Goal: 3 },
  { name: 'list of 100, past the cache', requests: LIST_PAST, goal: 0.15 },
  { name: 'create (synchronous=FULL)', requests: [CREATE], goal: 0.2, connections: 64 },
  { name: 'mix of 95 reads and 5 writes', requests: MIX, goal: 0.5 },
]
