import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Client, startApp } from '../../../../test/support/app/app.ts'
import { appOf, PLUGINS } from '../../../../test/support/app/plugin.ts'
import { type Packages, startRegistry } from '../../../../test/support/servers/npm-registry.ts'
import { readFolder } from './origin/folder.ts'

const HEARTBEAT = '@posthog/heartbeat-plugin'
const HOURLY = 'export const runEveryHour = () => {}'

const versionOf = (version: string, code = HOURLY) =>
  appOf(code, {}, { 'package.json': JSON.stringify({ name: 'app', version }) })

/** Starts a server with the real npm and a local registry. */
async function start(packages: Packages) {
  await setRegistry(await startRegistry(packages))
  return startApp()
}

async function setRegistry(url: string) {
  vi.stubEnv('npm_config_registry', url)
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
}

const install = (api: Client, url: string) => api.post(PLUGINS, { url })

describe('an app from npm', () => {
  it('is installed as it was published', async () => {
    const folder = fileURLToPath(new URL(`../../../../node_modules/${HEARTBEAT}`, import.meta.url))
    const files = await readFolder(folder)
    const api = await start({ [HEARTBEAT]: { '0.0.7': files } })

    const { status, body } = await install(api, `npm:${HEARTBEAT}`)

    expect(status).toBe(201)
    expect(body).toMatchObject({
      ...{ plugin_type: 'custom', name: 'PostHog Heartbeat Plugin', url: `npm:${HEARTBEAT}` },
      ...{ version: '0.0.7', tag: '0.0.7', latest_tag: '0.0.7', has_frontend: false },
      capabilities: { scheduled_tasks: ['runEveryMinute'], jobs: [], methods: [] },
    })
    expect(body.config_schema).toHaveLength(4)
    expect((await api.get(`${PLUGINS}/${body.id}/source`)).body).toEqual(files)
  })

  it('is upgraded to the newest or a given version', async () => {
    const packages = { app: { '1.0.0': versionOf('1.0.0'), '2.0.0': versionOf('2.0.0') } }
    const api = await start(packages)
    const { body: installed } = await install(api, 'https://www.npmjs.com/package/app/v/1.0.0')
    expect(installed).toMatchObject({ tag: '1.0.0', latest_tag: null, url: 'npm:app' })

    const checked = await api.get(`${PLUGINS}/1000/check_for_updates`)
    const newest = await api.post(`${PLUGINS}/1000/upgrade`, {})
    const back = await api.post(`${PLUGINS}/1000/upgrade`, { version: '1.0.0' })

    expect(checked.body.plugin).toEqual({ ...installed, latest_tag: '2.0.0' })
    expect(newest.body).toMatchObject({ id: 1000, version: '2.0.0', tag: '2.0.0' })
    expect(newest.body.updated_at > installed.updated_at).toBe(true)
    expect(back.body).toMatchObject({ version: '1.0.0', tag: '1.0.0', latest_tag: '2.0.0' })
  })

  it('is not upgraded to a broken version', async () => {
    const app: Packages[string] = { '1.0.0': versionOf('1.0.0') }
    const api = await start({ app })
    const { body: before } = await install(api, 'npm:app')
    app['2.0.0'] = versionOf('2.0.0', 'export const =')

    const { status, body } = await api.post(`${PLUGINS}/1000/upgrade`, {})

    expect({ status, detail: body.detail }).toMatchObject({
      status: 400,
      detail: expect.stringContaining('index.ts'),
    })
    expect((await api.get(`${PLUGINS}/1000`)).body).toEqual(before)
    expect((await api.get(`${PLUGINS}/1000/source`)).body).toEqual(app['1.0.0'])
  })

  it('is installed once when two requests race', async () => {
    const api = await start({ app: { '1.0.0': versionOf('1.0.0') } })

    const responses = await Promise.all([install(api, 'npm:app'), install(api, 'npm:app@1.0.0')])
    const again = await install(api, 'npm:app')

    expect(responses.map(({ status }) => status).toSorted()).toEqual([201, 400])
    expect(again).toMatchObject({
      status: 400,
      body: { attr: 'url', detail: 'Plugin from URL "npm:app" already installed!' },
    })
  })

  it.each([
    ['npm:nothing', 'The npm registry has no package nothing'],
    ['npm:app@9.9.9', 'The npm package app has no version 9.9.9.'],
    ['npm:empty', 'Could not find plugin.json in the plugin'],
    ['npm:nameless', 'plugin.json: name is missing or empty.'],
  ])('explains why %s cannot be installed', async (url, message) => {
    const api = await start({
      app: { '1.0.0': versionOf('1.0.0') },
      empty: { '1.0.0': { 'package.json': '{}' } },
      nameless: { '1.0.0': { 'plugin.json': '{}' } },
    })

    const { status, body } = await install(api, url)

    expect({ status, attr: body.attr }).toEqual({ status: 400, attr: 'url' })
    expect(body.detail).toContain(message)
  })

  it.each([
    ['git+ssh://127.0.0.1:1/app.git', /^npm could not fetch app@latest/],
    ['git://127.0.0.1:1/app.git', /^npm could not fetch app@latest/],
    [new URL('../../../../apps/csv', import.meta.url).href, /^npm could not fetch app@latest/],
    ['file:///etc/hostname', /^npm could not fetch app@latest/],
  ])('is refused if the registry says that it is at %s', async (tarball, detail) => {
    const versions = { '1.0.0': { name: 'app', version: '1.0.0', dist: { tarball } } }
    const server = createServer((_, response) => {
      response.end(JSON.stringify({ name: 'app', 'dist-tags': { latest: '1.0.0' }, versions }))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    await setRegistry(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    const api = await startApp()

    const { status, body } = await install(api, 'npm:app')

    expect({ status, attr: body.attr }).toEqual({ status: 400, attr: 'url' })
    expect(body.detail).toMatch(detail)
  })

  it('is refused if the compiler ends on its code, and the next one is compiled', async () => {
    const deep = '('.repeat(2_000_000)
    const api = await start({
      deep: { '1.0.0': versionOf('1.0.0', deep) },
      app: { '1.0.0': versionOf('1.0.0') },
    })

    const { status, body } = await install(api, 'npm:deep')

    expect({ status, detail: body.detail }).toEqual({
      status: 400,
      detail: 'The compiler stopped. The code may be nested too deeply.',
    })
    expect((await install(api, 'npm:app')).status).toBe(201)
  })

  it('is not installed if npm is missing or the registry is unreachable', async () => {
    const api = await startApp()
    await setRegistry('http://127.0.0.1:9')

    const away = await install(api, 'npm:app')
    vi.stubEnv('PATH', '/nowhere')
    const missing = await install(api, 'npm:app')

    expect(away).toMatchObject({ status: 400, body: { attr: 'url' } })
    expect(away.body.detail).toMatch(/^npm could not fetch app@latest: .*ECONNREFUSED/)
    expect(missing.body.detail).toMatch(/^npm was not found\. Install npm/)
  })
})
