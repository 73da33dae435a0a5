import { describe, expect, it } from 'vitest'
import { CONFIGS, type TestApp, useApp } from '../../../../test/support/app/app.ts'
import { PLUGINS, sourceOf } from '../../../../test/support/app/plugin.ts'

const toContent = (text: string) => Buffer.from(text).toString('base64')
const CSV = 'who,when,what,amount\nada,2026-01-05,paid,5\nbob,2026-01-06,left,7.5\n'
const MAPPED = { event: 'what', distinct_id_column: 'who', timestamp_column: 'when' }

async function startCsv() {
  const api = await useApp()
  const { body: plugins } = await api.get(`${PLUGINS}?limit=1000`)
  const csv = plugins.results.find(({ name }: { name: string }) => name === 'CSV')
  const { body, text } = await api.post(CONFIGS, { plugin: csv.id })
  expect(body.id, text).toEqual(expect.any(Number))
  return { api, path: `${CONFIGS}/${body.id}` }
}

const preview = (api: TestApp, path: string, settings: object, text?: string) =>
  api.post(`${path}/preview`, {
    settings,
    ...(text !== undefined && { files: { file: { name: 'sales.csv', content: toContent(text) } } }),
  })

describe('the preview of a config', () => {
  it('shows the first events and the columns of a file that is not saved', {
    tags: 'sql',
  }, async () => {
    const { api, path } = await startCsv()

    const { body, text } = await preview(api, path, MAPPED, CSV)

    expect(body, text).toMatchObject({ state: 'succeeded', count: 2, skipped_count: 0 })
    expect(body.columns).toEqual([
      { name: 'who', type: 'text', example: 'ada' },
      { name: 'when', type: 'text', example: '2026-01-05' },
      { name: 'what', type: 'text', example: 'paid' },
      { name: 'amount', type: 'number', example: '5' },
    ])
    expect(body.events[0]).toMatchObject({
      ...{ event: 'paid', distinct_id: 'ada', timestamp: '2026-01-05T00:00:00.000Z' },
      properties: { amount: 5 },
    })
    const { body: after } = await api.get(path)
    expect([JSON.parse(after.config), (await api.get(`${path}/attachments`)).body]).toEqual([
      {},
      [],
    ])
    expect((await api.get(`${path}/runs`)).body.count).toBe(0)
    expect((await api.get('events')).body.results).toEqual([])
  })

  it('names the columns even if the mapping is wrong', async () => {
    const { api, path } = await startCsv()

    const { body } = await preview(api, path, { ...MAPPED, distinct_id_column: 'nobody' }, CSV)

    expect(body).toMatchObject({ state: 'failed', count: 0 })
    expect(body.message).toContain('Set "Person column" to one of them')
    expect(body.columns).toHaveLength(4)
  })

  it.each([
    ['a setting that the app does not have', { settings: { nothing: 1 } }, 'nothing'],
    ['a value of the wrong type', { settings: { event: 7 } }, 'event'],
    ['a file of no setting', { settings: {}, files: { x: { name: 'a', content: '' } } }, 'x'],
    [
      'a file in the place of a text',
      { settings: {}, files: { url: { name: 'a', content: '' } } },
      'url',
    ],
    [
      'content that is not Base64',
      { settings: {}, files: { file: { name: 'a', content: 'a,b' } } },
      'files__file__content',
    ],
    [
      'a name that is no file name',
      { settings: {}, files: { file: { name: 'a\u202eb', content: '' } } },
      'files__file__name',
    ],
    ['no settings', {}, 'settings'],
    ['other fields', { settings: {}, enabled: true }, 'enabled'],
  ])('refuses %s', async (_, body, attr) => {
    const { api, path } = await startCsv()

    const response = await api.post(`${path}/preview`, body)

    expect(response, response.text).toMatchObject({ status: 400, body: { attr } })
  })

  it('does not find a config of another project', async () => {
    const { path } = await startCsv()
    const other = await useApp()

    expect((await preview(other, path, MAPPED, CSV)).status).toBe(404)
  })

  it('finds the columns before a required one is chosen, but needs all else', async () => {
    const api = await useApp()
    const source = `export async function runEveryHour({ config, storage }) {
      await storage.set('columns', [{ name: 'id', type: 'bigint', example: '' }])
      if (!config.cursor) throw new Error('Set "Cursor" to one of them.')
    }`
    const config_schema = [
      { key: 'table', type: 'string', required: true },
      { key: 'cursor', name: 'Cursor', type: 'string', required: true, column: true },
    ]
    const { body: plugin } = await api.post(PLUGINS, sourceOf(source, { config: config_schema }))
    const { body: config } = await api.post(CONFIGS, { plugin: plugin.id })
    const path = `${CONFIGS}/${config.id}`

    const found = await preview(api, path, { table: 'orders' })
    const refused = await preview(api, path, { cursor: 'id' })

    expect(found.body, found.text).toMatchObject({
      ...{ state: 'failed', message: expect.stringContaining('Set "Cursor"') },
      columns: [{ name: 'id', type: 'bigint' }],
    })
    expect(refused).toMatchObject({ status: 400, body: { attr: 'table', code: 'required' } })
  })

  it('keeps stored secrets, unless the address changes', async () => {
    const api = await useApp()
    const source = `export async function runEveryHour({ config }) {
      await posthog.capture(config.key === 'k-1' ? 'has the key' : 'has no key', { url: config.url })
    }`
    const config_schema = [
      { key: 'url', type: 'string', address: true },
      { key: 'key', type: 'string', secret: true },
    ]
    const { body: plugin } = await api.post(PLUGINS, sourceOf(source, { config: config_schema }))
    const stored = { url: 'https://a.test', key: 'k-1' }
    const { body: config } = await api.post(CONFIGS, { plugin: plugin.id, config: stored })
    const path = `${CONFIGS}/${config.id}`

    const same = await preview(api, path, { url: stored.url })
    const moved = await preview(api, path, { url: 'https://evil.test' })

    expect(same.body.events, same.text).toMatchObject([{ event: 'has the key' }])
    expect(moved).toMatchObject({ status: 400 })
    expect(moved.body.detail).toContain('key')
  })
})
