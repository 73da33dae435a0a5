import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type TestApp, useApp } from '../../../test/support/app/app.ts'
import { OWNER } from '../../../test/support/app/owner.ts'
import { endlessSql, watchStatements } from '../../../test/support/data/statements.ts'
import { addVisits, QUERY } from '../../../test/support/data/visits.ts'
import { until } from '../../../test/support/until.ts'

const toSql = (query: string) => ({ query: { kind: 'HogQLQuery', query } })

interface Sent {
  readonly response: Promise<Response | undefined>
  /** Disconnects. */
  leave(): void
}

/** Sends queries that end with the test. */
function send(api: TestApp, count: number): Sent[] {
  return Array.from({ length: count }, (_, n) => {
    const leaving = new AbortController()
    onTestFinished(() => leaving.abort())
    const response = fetch(api.address(QUERY), {
      method: 'POST',
      headers: { authorization: `Bearer ${OWNER.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(toSql(endlessSql(n))),
      signal: leaving.signal,
    }).catch(() => undefined)
    return { response, leave: () => leaving.abort() }
  })
}

/** Counts the requests that the server has received and whose clients wait. */
function watchRequests({ app: { server } }: TestApp): () => number {
  let open = 0
  const count = (_: IncomingMessage, response: ServerResponse) => {
    open++
    response.once('close', () => open--)
  }
  server.on('request', count)
  onTestFinished(() => void server.off('request', count))
  return () => open
}

describe('fair sharing of the event store', () => {
  it('keeps slow queries of one project from delaying another, even with the same key', {
    tags: 'sql',
  }, async () => {
    const api = await useApp()
    const other = await api.createProject()
    await addVisits(api, 200)
    const statements = watchStatements(api)
    send(api, 5)
    await until(() => statements.running() === 2)

    const { status, body } = await api.post(api.path(QUERY, other), toSql('select 1'))

    expect([status, body.results]).toEqual([200, [[1]]])
    expect([statements.running(), statements.started()]).toEqual([2, 3])
  })

  it('keeps the queries of one key from delaying another in the same project', async () => {
    const api = await useApp()
    await addVisits(api, 200)
    const colleague = await api.as({})
    const statements = watchStatements(api)
    send(api, 5)
    await until(() => statements.running() === 2)

    expect((await colleague.post(QUERY, toSql('select 1'))).status).toBe(200)
  })

  it('stops or skips a query whose client has disconnected', { tags: 'sql' }, async () => {
    const api = await useApp()
    await addVisits(api, 200)
    const statements = watchStatements(api)
    const requests = watchRequests(api)
    const running = send(api, 2)
    await until(() => statements.running() === 2)
    const waiting = send(api, 38)
    await until(() => requests() === 40)

    // those that wait leave first, or one of them would start before the server has noticed that its client left
    for (const { leave } of waiting) leave()
    await until(() => requests() === 2)
    for (const { leave } of running) leave()
    await until(() => statements.running() === 0)

    expect((await api.post(QUERY, toSql('select 1'))).status).toBe(200)
    expect([statements.started(), statements.canceled()]).toEqual([3, 2])
  })

  it('continues a query while one of its clients waits', async () => {
    const api = await useApp()
    await addVisits(api, 200)
    const statements = watchStatements(api)
    const [first, second] = [...send(api, 1), ...send(api, 1)]
    await until(() => statements.running() === 1)

    first?.leave()
    await first?.response
    expect((await api.post(QUERY, toSql('select 1'))).status).toBe(200)
    expect(statements.running()).toBe(1)
    second?.leave()

    await until(() => statements.running() === 0)
    expect([statements.started(), statements.canceled()]).toEqual([2, 1])
  })

  it('refuses queries with Retry-After when the queue is full', async () => {
    const api = await useApp()
    const other = await api.createProject()
    await addVisits(api, 200)
    const sent = send(api, 110)

    const refused = await Promise.race(sent.map(({ response }) => response))

    expect(refused?.status).toBe(503)
    expect(refused?.headers.get('retry-after')).toBe('5')
    expect(await refused?.json()).toMatchObject({
      code: 'unavailable',
      detail: 'Too many queries are waiting. Try again in a moment.',
    })
    const colleague = await api.as({ memberOf: [other] })
    expect((await colleague.post(api.path(QUERY, other), toSql('select 1'))).status).toBe(200)
  })
})
