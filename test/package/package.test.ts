import { spawn } from 'node:child_process'
import { globSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ROOT } from '../../tools/sources.ts'
import { type Server, watchServer } from '../cli.ts'
import { runNpm, USER_ENV } from '../npm.ts'
import { until } from '../until.ts'
import { packCopy } from './pack.ts'

const KEY = 'phx_a_key_of_the_installed_package_0123456789'
const MAX_BYTES = 400_000_000

describe('the npm package', () => {
  it('is installed outside the repository and runs', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hedgerow-package-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const tarball = await packCopy(folder)

    await runNpm(['install', '--global', '--prefix', folder, tarball], folder)

    expectContents(join(folder, 'lib/node_modules/hedgerow'))
    const server = await startInstalled(folder)
    await expectPages(server.url)
    await expectEvents(server)
    await expectDashboard(server)
    expect(await server.stop()).toBe(0)
  })
})

function expectContents(installed: string): void {
  const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const packages = globSync('node_modules/{*,@*/*}', { cwd: installed })
  const names = packages.map((path) => path.replace('node_modules/', ''))
  const own = globSync('**/*', { cwd: installed, exclude: ['node_modules'] })

  expect(names).toContain('fastify')
  expect(names.filter((name) => Object.hasOwn(devDependencies, name))).toEqual([])
  expect(own).toContain('web/dist/index.html')
  expect(own.filter((path) => /^(src|test)\/|\.map$|^apps.*\.test\.ts$/.test(path))).toEqual([])
  expect(toBytes(installed)).toBeLessThan(MAX_BYTES)
}

function toBytes(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}

/** Starts the installed command on the Node of this machine, which may be older than the one it brings. */
function startInstalled(folder: string): Promise<Server> {
  const child = spawn(join(folder, 'bin/hedgerow'), ['serve'], {
    cwd: folder,
    env: {
      PATH: USER_ENV.PATH,
      HEDGEROW_PORT: '0',
      HEDGEROW_DATA: join(folder, 'data'),
      HEDGEROW_API_KEY: KEY,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // a group of processes, because an older Node starts the one that the package brings
  })
  return watchServer(child, () => {
    if (child.exitCode === null && child.signalCode === null && child.pid)
      process.kill(-child.pid, 'SIGKILL')
  })
}

async function expectPages(url: string): Promise<void> {
  for (const path of ['/', '/docs/sql', '/static/array.js', '/api/schema']) {
    expect([path, (await fetch(url + path)).status]).toEqual([path, 200])
  }
}

/** Sends one event, and as many as a separate thread converts. */
async function expectEvents({ url, call }: Server): Promise<void> {
  const { body: project } = await call(KEY, '/api/projects/1')
  const event = { event: 'visited', distinct_id: 'ada', properties: { text: 'x'.repeat(200) } }
  for (const batch of [[event], Array.from({ length: 5000 }, () => event)]) {
    const body = JSON.stringify({ api_key: project.api_token, batch })
    const headers = { 'content-type': 'application/json' }
    expect((await fetch(`${url}/batch`, { method: 'POST', headers, body })).status).toBe(200)
  }

  const { body } = await call(KEY, '/api/projects/1/query', 'POST', {
    query: { kind: 'HogQLQuery', query: 'select count() from events' },
  })

  expect(body.results).toEqual([[5001]])
}

/** Imports demo data with an app, and draws the dashboard that shows it. */
async function expectDashboard({ url, call }: Server): Promise<void> {
  const { body: demo } = await call(KEY, '/api/projects/1/demo_data', 'POST')
  await until(async () => {
    const runs = `/api/projects/1/pipeline_import_apps_configs/${demo.config_id}/runs`
    const [run] = (await call(KEY, runs)).body.results
    expect(run.state).not.toBe('failed')
    return run.state === 'succeeded'
  })
  const path = `/api/environments/1/dashboards/${demo.dashboard_id}`

  const { body: dashboard } = await call(KEY, `${path}?refresh=blocking`)
  const headers = { authorization: `Bearer ${KEY}` }
  const picture = await (await fetch(`${url}${path}/export.png`, { headers })).bytes()

  expect(dashboard.tiles[0].insight).toMatchObject({ result: [{ count: expect.any(Number) }] })
  expect(Buffer.from(picture.subarray(1, 4)).toString()).toBe('PNG')
}
