import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { CONFIGS, DASHBOARDS, toPath } from '../support/app/app.ts'
import { OWNER } from '../support/app/owner.ts'
import { insightTile } from '../support/data/dashboards.ts'
import { until } from '../support/until.ts'

type Json = Record<string, unknown>

/** Clients of one proxy. */
export interface Clients {
  /** The UUIDs of captured events. */
  readonly events: string[]
  /** The numbers of queued jobs. */
  readonly jobs: number[]
  /** Responses that were not as expected. */
  readonly failures: string[]
  /** Waits until each client has done its work once more. */
  untilAllWork(): Promise<void>
  /** Ends the clients after their current round. */
  stop(): Promise<void>
}

export interface ClientsOptions {
  readonly url: string
  readonly token: string
  /** IDs of configs with the job `work`. */
  readonly configs: readonly number[]
}

/** Long enough for two cores to keep up, and for the throttle of wrong keys to stay away. */
const PAUSE_MS = 50
const LONG_PAUSE_MS = 1000
const SERVERS = 3
const CLIENTS = ['capture', 'edit', 'sign in', 'revoke', 'job'] as const

/** Starts clients that send one request after another until they are stopped. */
export function startClients({ url, token, configs }: ClientsOptions): Clients {
  const events: string[] = []
  const jobs: number[] = []
  const failures: string[] = []
  const rounds = new Map(CLIENTS.map((name) => [name, 0]))
  let isRunning = true

  const send = createSender(url, failures)
  const asOwner = { authorization: `Bearer ${OWNER.apiKey}` }
  const call = (status: number, method: string, path: string, body?: Json) =>
    send(status, method, toPath(1, path), asOwner, body)
  const expectSame = (what: string, seen: unknown, written: unknown) => {
    if (seen !== written) failures.push(`${what}: ${written} was written, ${seen} was read`)
  }
  const repeat = async (
    name: (typeof CLIENTS)[number],
    pauseMs: number,
    round: () => Promise<void>,
  ) => {
    while (isRunning) {
      await round()
      rounds.set(name, (rounds.get(name) ?? 0) + 1)
      await setTimeout(pauseMs)
    }
  }

  async function capture(): Promise<void> {
    const batch = [1, 2, 3].map(() => ({
      uuid: randomUUID(),
      event: 'visited',
      properties: { distinct_id: 'visitor' },
    }))
    await send(200, 'POST', '/batch', {}, { api_key: token, batch })
    events.push(...batch.map(({ uuid }) => uuid))
  }

  /** Reads every change at once, from another server. */
  async function edit(): Promise<void> {
    const { id } = await call(201, 'POST', DASHBOARDS, {
      name: 'new',
      tiles: [insightTile('Visits')],
    })
    const path = `${DASHBOARDS}/${id}`
    const { access_token } = await call(200, 'PATCH', `${path}/sharing`, { enabled: true })
    await repeat('edit', PAUSE_MS, async () => {
      const name = randomUUID()
      await call(200, 'PATCH', path, { name })
      expectSame('the dashboard', (await call(200, 'GET', path)).name, name)
      const { results = [] } = await call(200, 'GET', `${DASHBOARDS}?limit=100`)
      expectSame('the list', results.find((one: Json) => one.id === id)?.name, name)
      const shared = await send(200, 'GET', `/shared/${access_token}.json`)
      expectSame('the public link', shared.dashboard?.name, name)
      await send(200, 'GET', `/shared/${access_token}`)
    })
  }

  async function signIn(): Promise<void> {
    const { email, password } = OWNER
    const { cookie } = await send(204, 'POST', '/api/sign_in', {}, { email, password })
    const look = (status: number) => send(status, 'GET', '/api/users/@me', { cookie })
    for (let server = 0; server < SERVERS; server++) await look(200)
    await send(204, 'POST', '/api/sign_out', { cookie, origin: url })
    for (let server = 0; server < SERVERS; server++) await look(401)
  }

  async function revoke(): Promise<void> {
    const body = { label: 'short-lived', scopes: ['*'] }
    const { id, value } = await call(201, 'POST', '/api/personal_api_keys', body)
    const headers = { authorization: `Bearer ${value}` }
    for (let server = 0; server < SERVERS; server++)
      await send(200, 'GET', '/api/projects', headers)
    await call(204, 'DELETE', `/api/personal_api_keys/${id}`)
    for (let server = 0; server < SERVERS; server++)
      await send(401, 'GET', '/api/projects', headers)
  }

  let lastJob = 0
  async function startJob(): Promise<void> {
    const n = ++lastJob
    const path = `${CONFIGS}/${configs[n % configs.length]}/job`
    await call(200, 'POST', path, { job: { type: 'work', payload: { n } } })
    jobs.push(n)
  }

  const running = [
    ...[1, 2, 3].map(() => repeat('capture', PAUSE_MS, capture)),
    edit(),
    edit(),
    repeat('sign in', LONG_PAUSE_MS, signIn),
    repeat('revoke', LONG_PAUSE_MS, revoke),
    repeat('job', PAUSE_MS, startJob),
  ]
  return {
    events,
    jobs,
    failures,
    async untilAllWork() {
      const before = new Map(rounds)
      await until(() => rounds.entries().every(([name, count]) => count > (before.get(name) ?? 0)))
    },
    async stop() {
      isRunning = false
      await Promise.all(running)
    },
  }
}

/** Returns a function that sends a request, notes a failure unless it has the expected status, and returns its JSON. */
function createSender(url: string, failures: string[]) {
  return async (
    expected: number,
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: Json,
    // biome-ignore lint/suspicious/noExplicitAny: the caller knows the type of the response
  ): Promise<any> => {
    const response = await fetch(url + path, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      body: body && JSON.stringify(body),
    })
    const text = await response.text()
    if (response.status !== expected) {
      failures.push(`${method} ${path}: ${response.status} ${text.slice(0, 200)}`)
      return {}
    }
    const isJson = response.headers.get('content-type')?.includes('json') && text !== ''
    const cookie = response.headers
      .getSetCookie()
      .map((one) => one.split(';', 1)[0])
      .join('; ')
    return { ...(isJson && JSON.parse(text)), ...(cookie && { cookie }) }
  }
}
