import { once } from 'node:events'
import http from 'node:http'
import { describe, expect, it } from 'vitest'
import { startApp } from '../../test/support/app/app.ts'
import { startImportApp } from '../../test/support/app/import-app.ts'
import { type Collector, startCollector } from '../../test/support/servers/collector.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const CLIENT = '00f067aa0ba902b7'
const SAMPLED = { traceparent: `00-${TRACE}-${CLIENT}-01` }
const NOT_SAMPLED = { traceparent: `00-${TRACE}-${CLIENT}-00` }
const DASHBOARDS = 'GET /api/environments/:project_id/dashboards'
const QUERY = { kind: 'HogQLQuery', query: 'select count() from events' }

const toEnv = ({ url }: Collector, env: Record<string, string> = {}) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_BSP_SCHEDULE_DELAY: '20',
  ...env,
})

describe('traces', () => {
  it('continue the trace of the client, with the query below its request', async () => {
    const collector = await startCollector()
    const env = toEnv(collector, {
      OTEL_SERVICE_NAME: 'analytics',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=test',
      OTEL_EXPORTER_OTLP_HEADERS: 'x-team=a%20b',
    })
    const api = await startApp(undefined, env)

    await api.post('query', { query: QUERY }, SAMPLED)

    const request = await collector.waitForSpan('POST /api/projects/:project_id/query')
    const query = await collector.waitForSpan('query HogQLQuery')
    expect(request).toMatchObject({ traceId: TRACE, parentSpanId: CLIENT, kind: 2, status: {} })
    expect(request.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.response.status_code': '200',
      'http.route': '/api/projects/:project_id/query',
    })
    expect(query).toMatchObject({ traceId: TRACE, parentSpanId: request.spanId, kind: 1 })
    expect(BigInt(query.endTimeUnixNano)).toBeGreaterThan(BigInt(query.startTimeUnixNano))
    expect(collector.resource()).toMatchObject({
      'service.name': 'analytics',
      'deployment.environment': 'test',
    })
    expect(collector.received.at(-1)?.headers).toMatchObject({ 'x-team': 'a b' })
  })

  it('have the query below its request even if the body arrives late', async () => {
    const collector = await startCollector()
    const api = await startApp(undefined, toEnv(collector))
    const owner = await api.as({ level: 15 })
    const request = http.request(api.address('query'), {
      method: 'POST',
      headers: {
        ...SAMPLED,
        authorization: `Bearer ${owner.key}`,
        'content-type': 'application/json',
      },
    })
    const responded = once(request, 'response')
    const received = once(api.app.server, 'request')
    request.flushHeaders()

    await received
    request.end(JSON.stringify({ query: QUERY }))

    const [response] = await responded
    response.resume()
    expect(response.statusCode).toBe(200)
    expect(await collector.waitForSpan('query HogQLQuery')).toMatchObject({ traceId: TRACE })
  })

  it('never contain URLs, keys or texts of users', async () => {
    const collector = await startCollector()
    const api = await startApp(undefined, toEnv(collector))

    await api.get('dashboards?search=secret', { authorization: 'Bearer phx_secret' })
    await api.post('query', { query: { kind: 'HogQLQuery', query: 'select secret' } })

    await collector.waitForSpan(DASHBOARDS)
    await collector.waitForSpan('POST /api/projects/:project_id/query')
    expect(JSON.stringify(collector.spans())).not.toContain('secret')
  })

  it('follow the decision of the client, and leave out health checks', async () => {
    const collector = await startCollector()
    const api = await startApp(undefined, toEnv(collector))

    await api.get('dashboards', NOT_SAMPLED)
    await api.get('/_health')
    await api.get('insights')

    await collector.waitForSpan('GET /api/environments/:project_id/insights')
    expect(collector.spans()).toHaveLength(1)
  })

  it('contain runs of import apps, with their outcome', async () => {
    const collector = await startCollector()
    const source = `export const jobs = { async work() { throw new Error('secret') } }`
    const api = await startImportApp(source, { env: toEnv(collector) })

    const { id } = await api.runJob('work')

    const run = await collector.waitForSpan('run job')
    expect(run).toMatchObject({ kind: 5, status: { code: 2, message: 'failed' } })
    expect(run.parentSpanId).toBeUndefined()
    expect(run.attributes).toMatchObject({
      'hedgerow.run.id': id,
      'hedgerow.run.outcome': 'failed',
      'hedgerow.project_id': '1',
    })
  })

  it('are sent again when the collector is busy', async () => {
    const collector = await startCollector()
    const api = await startApp(undefined, toEnv(collector))
    collector.answer(503)
    await api.get('dashboards')
    await collector.waitForSpan(DASHBOARDS)

    collector.answer(200)

    const again = await collector.waitForSpan(DASHBOARDS, 2)
    expect(again.spanId).toBe(collector.spans()[0]?.spanId)
  })

  it('are sent before the server ends', async () => {
    const collector = await startCollector()
    const { openServices } = await import('../services.ts')
    const { storageOptions } = await import('../../test/support/app/storage.ts')
    const { readConfig } = await import('../config.ts')
    const config = readConfig(toEnv(collector, { OTEL_BSP_SCHEDULE_DELAY: '60000' }))
    const services = await openServices({ ...config, ...(await storageOptions()) }, () => {})
    await services.tracer.run('last', {}, async () => {})

    await services.close()

    expect(collector.spans()).toMatchObject([{ name: 'last' }])
  })
})
