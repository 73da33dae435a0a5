import { execFile, spawn } from 'node:child_process'
import { cpSync, globSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { checkInstalled, checkTarball, installTarball } from '../../tools/releases/tarball.ts'
import { ROOT } from '../../tools/sources.ts'
import { type Server, watchServer } from '../support/app/cli.ts'
import { runNpm, USER_ENV } from '../support/app/npm.ts'
import { until } from '../support/until.ts'
import { buildImage, containerOptions, type Stage, setWritable } from './dockerfile.ts'

const KEY = 'phx_a_key_of_the_installed_package_0123456789'
const COMMIT = '0123456789ab'
const MAX_MEGABYTES = 405
/** npx first installs the package and its dependencies, beside other tests. */
const INSTALLED_WITHIN_MS = 240_000
const TARBALL = `hedgerow-${packageJson.version}.tgz`

const run = promisify(execFile)

let folder: string
/** The stages of the Dockerfile: the first makes the package, the last is the image. */
let stages: Stage[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hedgerow-package-'))
  await chmod(folder, 0o755) // for the user of the image
  stages = await buildImage(folder, { COMMIT })
})

afterAll(async () => {
  await setWritable(stages, '+w')
  await rm(folder, { recursive: true, force: true })
})

const tarball = () => join(stages[0]?.root ?? '', 'build', TARBALL)

describe('the npm package', () => {
  it('contains what belongs there, is installed outside the repository and runs', async () => {
    expect(await checkTarball(tarball())).toEqual([])

    const command = await installTarball(tarball(), folder)

    await expectPackages(join(folder, 'lib/node_modules/hedgerow'))
    expect(await checkInstalled(command, join(folder, 'first-start'), packageJson.version)).toEqual(
      [],
    )
    expect(await checkInstalled(command, join(folder, 'first-start'), '9.9.9')).toEqual([
      `"hedgerow --version" prints ${packageJson.version} instead of 9.9.9.`,
    ])
    const server = await startInstalled()
    await expectPages(server.url)
    await expectEvents(server)
    await expectDashboard(server)
    await expectPasskeys(server.url)
    expect(await server.stop()).toBe(0)
  })

  it('runs with npx from a relative path, and from an absolute one as file:', async () => {
    const cache = await mkdtemp(join(folder, 'npm-cache-'))
    const shared = (await runNpm(['config', 'get', 'cache'], folder)).trim()
    symlinkSync(join(shared, '_cacache'), join(cache, '_cacache')) // packages that are there need no download
    cpSync(tarball(), join(folder, TARBALL))
    const toArgs = (spec: string) => ['--yes', '--cache', cache, spec]

    const relative = toArgs(`./${TARBALL}`)
    const server = await startDetached('npx', [...relative, 'serve'], 'npx-data')
    await expectPages(server.url)
    // npx treats an absolute path as a program
    const absolute = [...toArgs(`file:${tarball()}`), '--version']
    const { stdout } = await run('npx', absolute, { cwd: folder, env: USER_ENV })

    expect(stdout).toMatch(`${packageJson.version}\ncommit ${COMMIT}\nschema `)
  })
})

describe('the image', () => {
  it('runs as its user, who can write to the data folder alone', async () => {
    const image = stages.at(-1) as Stage
    const { user, entrypoint, command } = image
    const port = String(20_000 + (process.pid % 10_000))
    image.env.HEDGEROW_PORT = port
    const options = containerOptions(image)
    const [file = '', ...args] = [...entrypoint, ...command]
    const isHealthy = () => {
      const [program = '', ...rest] = image.healthcheck
      return run(program, rest, options).then(
        () => true,
        () => false,
      )
    }
    expect(await isHealthy()).toBe(false)

    const server = await watchServer(
      spawn(file, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] }),
    )

    expect(user).toBeGreaterThan(0)
    expect(await isHealthy()).toBe(true)
    expect(new URL(server.url).port).toBe(port)
    await expectPages(server.url)
    const { stdout } = await run('hedgerow', ['--version'], options)
    expect(stdout).toContain(`commit ${COMMIT}\n`)
    expect(await server.stop()).toBe(0)
    expect(statSync(join(image.root, 'data/hedgerow.db')).uid).toBe(
      options.uid ?? process.getuid?.(),
    )
  })
})

/** Their library is a part of the package. They need a host name. */
async function expectPasskeys(url: string): Promise<void> {
  const origin = url.replace('127.0.0.1', 'localhost')
  const response = await fetch(`${origin}/api/sign_in/passkey/options`, { method: 'POST' })

  expect([response.status, await response.json()]).toMatchObject([200, { rpId: 'localhost' }])
}

async function expectPackages(installed: string): Promise<void> {
  const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const packages = globSync('node_modules/{*,@*/*}', { cwd: installed })
  const names = packages.map((path) => path.replace('node_modules/', ''))
  const { stdout: size } = await run('du', ['-sm', installed])

  expect(names).toContain('fastify')
  expect(names.filter((name) => Object.hasOwn(devDependencies, name))).toEqual([])
  expect(Number.parseInt(size, 10)).toBeLessThan(MAX_MEGABYTES)
}

/** Starts the installed command on the Node of this machine, which may be older than the one it brings. */
const startInstalled = (): Promise<Server> =>
  startDetached(join(folder, 'bin/hedgerow'), ['serve'], 'data')

/** Starts a server in a group of processes, because npx and an older Node start others. */
function startDetached(program: string, args: readonly string[], data: string): Promise<Server> {
  const child = spawn(program, args, {
    cwd: folder,
    env: {
      PATH: USER_ENV.PATH,
      HOME: USER_ENV.HOME,
      HEDGEROW_PORT: '0',
      HEDGEROW_DATA: join(folder, data),
      HEDGEROW_API_KEY: KEY,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const kill = () => {
    if (child.exitCode === null && child.signalCode === null && child.pid)
      process.kill(-child.pid, 'SIGKILL')
  }
  return watchServer(child, { kill, readyWithin: INSTALLED_WITHIN_MS })
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

  expect(dashboard.tiles[0].insight.result[0].aggregated_value).toBeGreaterThan(100)
  expect(Buffer.from(picture.subarray(1, 4)).toString()).toBe('PNG')
}
