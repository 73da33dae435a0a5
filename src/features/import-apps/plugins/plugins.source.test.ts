import { beforeAll, describe, expect, it } from 'vitest'
import { CONFIGS, type TestApp, useApp } from '../../../../test/support/app/app.ts'
import { appOf, PLUGINS, sourceOf } from '../../../../test/support/app/plugin.ts'

const HOURLY = 'export const runEveryHour = () => {}'
const DAILY = 'export const runEveryDay = () => {}'

interface InstalledApp extends TestApp {
  readonly id: number
  /** The path of the installed app. */
  readonly plugin: string
  update(files: object): ReturnType<TestApp['patch']>
}

async function start(...app: Parameters<typeof sourceOf>): Promise<InstalledApp> {
  const api = await useApp()
  const { id } = (await api.post(PLUGINS, sourceOf(...app))).body
  const plugin = `${PLUGINS}/${id}`
  return { ...api, id, plugin, update: (files) => api.patch(`${plugin}/update_source`, files) }
}

describe("an app's source", () => {
  it('is updated by file, and the capabilities are detected again', async () => {
    const api = await start(HOURLY, {}, { 'a.ts': '1', 'b.ts': '2' })
    const { body: before } = await api.get(api.plugin)

    const { status, body } = await api.update({ 'index.ts': DAILY, 'a.ts': null })

    expect(status).toBe(200)
    expect(body).toEqual({ ...appOf(DAILY), 'b.ts': '2' })
    expect((await api.get(`${api.plugin}/source`)).body).toEqual(body)
    const { body: after } = await api.get(api.plugin)
    expect(after.capabilities.scheduled_tasks).toEqual(['runEveryDay'])
    expect(after.updated_at > before.updated_at).toBe(true)
  })

  it('is reflected in configs at once', async () => {
    const api = await start(HOURLY)
    const { body: config } = await api.post(CONFIGS, { plugin: api.id })
    expect(JSON.parse(config.plugin_info).capabilities.scheduled_tasks).toEqual(['runEveryHour'])

    await api.update({ 'index.ts': DAILY })

    const { body } = await api.get(`${CONFIGS}/${config.id}`)
    expect(JSON.parse(body.plugin_info).capabilities.scheduled_tasks).toEqual(['runEveryDay'])
  })

  it('renames the app only when plugin.json is sent', async () => {
    const api = await start(HOURLY)
    await api.patch(api.plugin, { name: 'Mine' })

    await api.update({ 'index.ts': DAILY })
    const kept = await api.get(api.plugin)
    await api.update({ 'plugin.json': '{"name": "Other", "config": [{"key": "a"}]}' })
    const renamed = await api.get(api.plugin)

    expect(kept.body.name).toBe('Mine')
    expect(renamed.body).toMatchObject({ name: 'Other', config_schema: [{ key: 'a' }] })
  })

  it('leaves out what only its author needs', async () => {
    const api = await start(HOURLY, {}, { '.eslintrc.js': 'module.exports = {}' })
    const tests = { 'index.test.ts': '', '__tests__/a.ts': '', 'node_modules/a/index.js': '' }

    const { status, body } = await api.update({
      ...tests,
      '.github/ci.yml': '',
      'a.config.js': '1',
    })

    expect(status).toBe(200)
    expect(body).toEqual({ ...appOf(HOURLY), 'a.config.js': '1' })
    expect((await api.get(`${api.plugin}/source`)).body).toEqual(body)
  })

  it('is not overwritten by a concurrent update', async () => {
    const api = await start(HOURLY)

    const responses = await Promise.all([
      api.update({ 'index.ts': DAILY }),
      api.update({ 'a.ts': 'export {}' }),
    ])

    const { body } = await api.get(`${api.plugin}/source`)
    const done = responses.filter(({ status }) => status === 200)
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(done.map((response) => response.body)).toEqual([body])
  })
})

describe('an invalid source', () => {
  let api: InstalledApp
  beforeAll(async () => {
    api = await start(HOURLY)
  })

  it.each<[string, Record<string, string | null>, RegExp]>([
    ['code that cannot be compiled', { 'index.ts': 'export const = 1' }, /index\.ts: .*\(1:13\)/],
    ['code that fails when it is loaded', { 'index.ts': 'throw new Error("no")' }, /no/],
    ['a package that is not provided', { 'index.ts': "import 'left-pad'" }, /left-pad/],
    ['no main file', { 'index.ts': null }, /Could not find main file index\.js or index\.ts/],
    ['a broken plugin.json', { 'plugin.json': '{' }, /plugin\.json is not JSON/],
    [
      'a wrong plugin.json',
      { 'plugin.json': '{"name": "A", "config": [{"key": "a", "type": "int"}]}' },
      /config\[0\]\.type must be one of string, json, attachment, choice/,
    ],
    [
      'a missing main file',
      { 'plugin.json': '{"name": "A", "main": "lib/a.js"}' },
      /main is lib\/a\.js, which does not exist/,
    ],
    ['a path outside of the app', { '../a.ts': '' }, /"\.\.\/a\.ts" is not a valid file name/],
    ['a hidden path outside of the app', { '../.a.ts': '' }, /is not a valid file name/],
    ['an empty name', { '': '' }, /"" is not a valid file name/],
    ['a file that is not source code', { 'a.png': '' }, /a\.png cannot be part of an app/],
    ['the name __proto__', JSON.parse('{"__proto__": ""}'), /__proto__ cannot be part of an app/],
  ])('with %s is refused and changes nothing', async (_, patch, message) => {
    const before = await api.get(api.plugin)

    const { status, body } = await api.update(patch)

    expect({ status, code: body.code }).toEqual({ status: 400, code: 'invalid_input' })
    expect(body.detail).toMatch(message)
    expect((await api.get(`${api.plugin}/source`)).body).toEqual(appOf(HOURLY))
    expect((await api.get(api.plugin)).body).toEqual(before.body)
  })

  it.each([
    ['a number', { 'index.ts': 1 }, { code: 'invalid_input', attr: 'index.ts' }],
    ['a list', [], { code: 'invalid_input', attr: null }],
  ])('is refused as %s', async (_, patch, error) => {
    expect(await api.update(patch)).toMatchObject({ status: 400, body: error })
  })
})

describe('installing an app from source', () => {
  it.each<[object, object]>([
    [{}, { code: 'required', attr: 'url' }],
    [{ url: null }, { code: 'required', attr: 'url' }],
    [{ url: 'https://github.com/PostHog/a' }, { code: 'invalid_input', attr: 'url' }],
    [{ url: 'file:/etc' }, { code: 'invalid_input', attr: 'url' }],
    [{ plugin_type: 'source' }, { code: 'required', attr: 'name' }],
    [{ files: {} }, { code: 'required', attr: 'name' }],
    [{ files: { 'plugin.json': '[]' } }, { code: 'invalid_input', attr: 'files' }],
    [{ files: { 'index.ts': 1 } }, { code: 'invalid_input', attr: 'files__index.ts' }],
    [
      { name: 'A', source: 'export const =' },
      { code: 'invalid_input', attr: 'source' },
    ],
    [
      { name: '', source: '' },
      { code: 'blank', attr: 'name' },
    ],
    [
      { name: 'x'.repeat(201), source: '' },
      { code: 'max_length', attr: 'name' },
    ],
  ])('is refused for %j', async (sent, error) => {
    const api = await useApp()
    const before = await api.get(PLUGINS)

    expect(await api.post(PLUGINS, sent)).toMatchObject({ status: 400, body: error })

    expect((await api.get(PLUGINS)).body).toEqual(before.body)
  })

  it('leaves nothing to upgrade from', async () => {
    const api = await start(HOURLY)

    const response = await api.post(`${api.plugin}/upgrade`, {})

    expect(response).toMatchObject({
      status: 400,
      body: { detail: 'The app was sent as source and cannot be upgraded.' },
    })
  })
})
