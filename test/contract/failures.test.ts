import { sql } from 'kysely'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { buildApp } from '#server/app.ts'
import { OWNER } from '../support/app/owner.ts'
import { startServices } from '../support/app/storage.ts'
import { send } from './raw.ts'

const headers = { authorization: `Bearer ${OWNER.apiKey}`, 'x-request-id': 'the-one' }

/** Starts the server and captures its log from stderr. */
async function start() {
  const lines: string[] = []
  const write = vi.spyOn(process.stderr, 'write')
  write.mockImplementation((chunk) => lines.push(String(chunk)) > 0)
  onTestFinished(() => write.mockRestore())
  const services = await startServices()
  const app = buildApp({ services, config: { logLevel: 'info', trustedProxy: undefined } })
  onTestFinished(() => app.close())
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const log = () =>
    lines
      .join('')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  return { url, services, db: services.storage.db, log }
}

describe('an internal error', () => {
  it('hides its cause, which the log shows under the same request ID', async () => {
    const { url, db, log } = await start()
    await sql`alter table dashboards rename to elsewhere`.execute(db)
    const path = '/api/environments/1/dashboards?search=hush'

    const got = await send(url, { method: 'GET', path, headers })

    expect(got.status).toBe(500)
    expect(got.headers).toMatchObject({
      'x-request-id': 'the-one',
      'x-frame-options': 'SAMEORIGIN',
    })
    expect(JSON.parse(got.text)).toEqual({
      type: 'server_error',
      code: 'error',
      detail: 'A server error occurred.',
      attr: null,
    })
    const failure = log().find(({ msg }) => msg === 'request failed')
    expect(failure).toMatchObject({ level: 50, reqId: 'the-one' })
    expect(failure.err.message).toMatch(/dashboards/)
  })

  it('logs neither keys nor query strings', async () => {
    const { url, log } = await start()
    const path = '/api/environments/1/dashboards?search=hush&limit=x'

    await send(url, { method: 'GET', path, headers })

    expect(log().some(({ status }) => status === 400)).toBe(true)
    expect(JSON.stringify(log())).not.toContain('hush')
    expect(JSON.stringify(log())).not.toContain(OWNER.apiKey)
  })

  it('of the storage makes the server not ready but still healthy', async () => {
    const { url, db } = await start()
    await sql`alter table access_state rename to elsewhere`.execute(db)

    const ready = await send(url, { method: 'GET', path: '/_ready' })

    expect(ready.status).toBe(503)
    expect(JSON.parse(ready.text)).toMatchObject({ type: 'server_error', code: 'unavailable' })
    expect((await send(url, { method: 'GET', path: '/_health' })).status).toBe(200)
  })
})

describe('a request that is refused because the server is busy', () => {
  it('is logged in one line, without the trace of an error', async () => {
    const { url, services, log } = await start()
    const { query } = services.events
    const held = Promise.withResolvers<void>()
    Object.assign(services.events, {
      query: async (...args: Parameters<typeof query>) => {
        await held.promise
        return query(...args)
      },
    })
    const sent = Array.from({ length: 103 }, (_, index) =>
      send(url, {
        method: 'POST',
        path: '/api/projects/1/query',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ query: { kind: 'HogQLQuery', query: `select ${index}` } }),
      }),
    )

    const refused = await Promise.race(sent)

    expect(refused.status).toBe(503)
    held.resolve()
    await Promise.all(sent)
    expect(log().filter(({ status }) => status === 503)).toHaveLength(1)
    expect(log().filter(({ msg }) => msg === 'request failed')).toEqual([])
  })
})
