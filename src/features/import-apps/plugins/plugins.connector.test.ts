import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { CONFIGS, startApp } from '../../../../test/support/app/app.ts'
import { startTestWorker } from '../../../../test/support/app/import-app.ts'
import { PLUGINS } from '../../../../test/support/app/plugin.ts'
import { until } from '../../../../test/support/until.ts'

/** Serves three orders in pages of two, to those with the key. */
const startShop = (): Promise<string> =>
  serve(({ url = '', headers }, response) => {
    const page = Number(new URL(url, 'http://x').searchParams.get('page'))
    const all = [1, 2, 3].map((id) => ({ id, email: `p${id}`, at: '2025-01-01', total: '5' }))
    response.statusCode = headers.authorization === 'Bearer s3cret' ? 200 : 401
    response.end(JSON.stringify({ data: all.slice(page * 2 - 2, page * 2) }))
  })

type Respond = (request: IncomingMessage, response: ServerResponse, body: string) => void

async function serve(respond: Respond): Promise<string> {
  const server = createServer(async (request, response) =>
    respond(request, response, await text(request)),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`
}

const toConnector = (more = '') => `
base_url: "{{url}}"
auth: { bearer: token }
streams:
  - name: orders
    path: /orders
    records: data
    paginate: { page: { parameter: page } }
    primary_key: id
    transform: [{ cast: { total: number } }]
    to: { event: order, person: email, time: at }
${more}`

const sourceOf = (connector: string) => ({
  plugin_type: 'source',
  files: {
    'plugin.json': JSON.stringify({
      name: 'Shop',
      config: [
        { key: 'url', type: 'string', required: true, address: true },
        { key: 'token', type: 'string', secret: true },
      ],
      publicJobs: { 'Import now': {} },
    }),
    'connector.yaml': connector,
  },
})

describe('an app that is a connector', () => {
  it('is installed without code, and imports', { tags: 'sql' }, async () => {
    const api = await startApp(undefined, { HEDGEROW_APP_HOSTS: '127.0.0.1' })
    startTestWorker(api)
    const url = await startShop()
    const { status, body: plugin } = await api.post(PLUGINS, sourceOf(toConnector()))
    expect([status, plugin.capabilities]).toEqual([
      201,
      { scheduled_tasks: ['runEveryHour'], jobs: ['Import now'], methods: [] },
    ])
    await api.post(CONFIGS, { plugin: plugin.id, enabled: true })
    const run = async (token: string) => {
      await api.patch(`${CONFIGS}/1/settings`, { settings: { url, token } })
      const named = { accept: 'application/json' }
      const { body } = await api.post(`${CONFIGS}/1/job`, {}, named)
      return until(async () => {
        const { body: ended } = await api.get(`${CONFIGS}/1/runs/${body.id}`)
        return ended.finished_at !== null && ended
      })
    }

    const failed = await run('wrong')
    expect(failed.state).toBe('failed')
    expect(failed.message).toContain(`Stream "orders": ${url}/orders returned 401`)
    expect(await run('s3cret')).toMatchObject({ state: 'succeeded', events: 3, new_events: 3 })
    expect(await run('s3cret')).toMatchObject({ state: 'succeeded', events: 3, new_events: 0 })
    const { body } = await api.get('events?event=order')
    expect(body.results[0].properties).toMatchObject({ total: 5 })
  })

  it('signs in by OAuth, and keeps a refresh token that replaces another', async () => {
    const api = await startApp(undefined, { HEDGEROW_APP_HOSTS: '127.0.0.1' })
    startTestWorker(api)
    const accepted: (string | null)[] = []
    const url = await serve(async ({ url: path, headers }, response, body) => {
      if (path !== '/token') {
        response.statusCode = headers.authorization === 'Bearer access' ? 200 : 401
        response.end(JSON.stringify([{ id: 1, email: 'p', at: '2025-01-01' }]))
        return
      }
      accepted.push(new URLSearchParams(body).get('refresh_token'))
      response.end(JSON.stringify({ access_token: 'access', refresh_token: `r${accepted.length}` }))
    })
    const { body: plugin } = await api.post(
      PLUGINS,
      sourceOf(`
base_url: "{{url}}"
auth: { oauth: { token_url: "{{url}}/token", client_id: token, refresh_token: token } }
streams: [{ name: orders, path: /orders, to: { event: order, person: email, time: at } }]`),
    )
    await api.post(CONFIGS, { plugin: plugin.id, enabled: true })
    await api.patch(`${CONFIGS}/1/settings`, { settings: { url, token: 'first' } })
    const run = async () => {
      const { body } = await api.post(`${CONFIGS}/1/job`, {}, { accept: 'application/json' })
      return until(async () => {
        const { body: ended } = await api.get(`${CONFIGS}/1/runs/${body.id}`)
        return ended.finished_at !== null && ended
      })
    }

    expect(await run()).toMatchObject({ state: 'succeeded', new_events: 1 })
    expect(await run()).toMatchObject({ state: 'succeeded', new_events: 0 })

    expect(accepted).toEqual(['first', 'r1'])
  })

  it('is refused with the place of its mistake, also after an edit', async () => {
    const api = await startApp()
    const refused = await api.post(PLUGINS, sourceOf(toConnector('    pagination: {}')))
    expect(refused).toMatchObject({
      status: 400,
      body: { detail: 'connector.yaml, streams.0 has an unknown key "pagination".' },
    })

    const { body: plugin } = await api.post(PLUGINS, sourceOf(toConnector()))
    const path = `${PLUGINS}/${plugin.id}/update_source`
    const edited = await api.patch(path, { 'connector.yaml': 'base_url: 1' })
    expect([edited.status, edited.body.detail]).toEqual([
      400,
      "connector.yaml must have required property 'streams'.",
    ])
  })
})
