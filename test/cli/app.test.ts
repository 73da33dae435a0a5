import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startApp } from '../support/app/app.ts'
import { runHedgerow, toEnv } from '../support/app/cli.ts'
import { appOf, PLUGINS } from '../support/app/plugin.ts'
import { storageOptions } from '../support/app/storage.ts'
import { pack, startRegistry } from '../support/servers/npm-registry.ts'
import { until } from '../support/until.ts'

const HEARTBEAT = fileURLToPath(
  new URL('../../node_modules/@posthog/heartbeat-plugin', import.meta.url),
)
const HERE = fileURLToPath(new URL('.', import.meta.url))
const HOURLY = 'export const runEveryHour = () => {}'
const DAILY = 'export const runEveryDay = () => {}'

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hedgerow-app-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function writeApp(files: Record<string, string>, parent?: string): Promise<string> {
  const folder = parent ?? (await makeFolder())
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return folder
}

describe.each(['sqlite', 'postgres'] as const)('apps beside a server on %s', (database) => {
  it('are installed, upgraded and uninstalled, and the server sees it at once', async () => {
    const options = await storageOptions(database)
    const [api, env] = [await startApp(undefined, {}, options), toEnv(options)]
    const folder = await writeApp(appOf(HOURLY))
    const read = async () => (await api.get(`${PLUGINS}/1000`)).body

    const installed = await runHedgerow(['app', 'install', folder, '--json'], env)
    expect(await read()).toEqual(installed.json)
    await writeApp(appOf(DAILY), folder)
    const upgraded = await runHedgerow(['app', 'upgrade', '1000', '--json'], env)
    expect(await read()).toEqual(upgraded.json)
    const removed = await runHedgerow(['app', 'remove', '1000'], env)

    expect(installed.json).toMatchObject({
      ...{ id: 1000, plugin_type: 'local', url: `file:${folder}` },
      capabilities: { scheduled_tasks: ['runEveryHour'] },
    })
    expect(upgraded.json.capabilities.scheduled_tasks).toEqual(['runEveryDay'])
    expect(removed.stdout).toBe('Uninstalled Test app as app 1000. Its configs are kept.\n')
    await until(async () => (await read()).detail === 'Not found.')
  })
})

describe('an app', () => {
  it('is installed from a folder with a package from npm', async () => {
    const env = toEnv(await storageOptions('sqlite'))

    const { code, stdout, stderr } = await runHedgerow(['app', 'install', HEARTBEAT], env)

    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^Reading file:/) })
    expect(stdout).toMatch(/^Installed PostHog Heartbeat Plugin 0\.0\.7 as app 1000\.\n/)
    expect(stdout).toContain('pipeline_import_apps_configs {"plugin": 1000}')
  })

  it('is installed from a .tgz', async () => {
    const env = toEnv(await storageOptions('sqlite'))
    const file = join(await makeFolder(), 'app.tgz')
    await writeFile(file, pack('app', appOf(HOURLY)))

    const { json } = await runHedgerow(['app', 'install', file, '--json'], env)

    expect(json).toMatchObject({ plugin_type: 'local', url: `file:${file}`, name: 'Test app' })
  })

  it("is installed from the operator's registry and upgraded to a given version", async () => {
    const versions = { '1.0.0': appOf(HOURLY), '2.0.0': appOf(DAILY) }
    const packed = Object.entries(versions).map(([version, files]) => [
      version,
      { ...files, 'package.json': JSON.stringify({ name: 'app', version }) },
    ])
    const registry = await startRegistry({ app: Object.fromEntries(packed) })
    const env = { ...toEnv(await storageOptions('sqlite')), npm_config_registry: registry }

    const installed = await runHedgerow(['app', 'install', 'app', '--json'], env)
    const older = await runHedgerow(['app', 'upgrade', '1000', '--to', '1.0.0'], env)

    expect(installed.json).toMatchObject({ url: 'npm:app', tag: '2.0.0' })
    expect(older.stdout).toBe('Upgraded to Test app 1.0.0 as app 1000.\n')
  })

  it('is listed with its tasks and jobs', async () => {
    const env = toEnv(await storageOptions('sqlite'))
    await runHedgerow(['app', 'install', await writeApp(appOf(HOURLY))], env)

    const table = await runHedgerow(['app', 'list'], env)
    const { json } = await runHedgerow(['app', 'list', '--json'], env)

    expect(table.stdout).toMatch(
      /^ID +NAME +VERSION +FROM +RUNS +JOBS\n1 +HTTP JSON +\S+ +built in/,
    )
    expect(table.stdout).toMatch(/\n1000 +Test app +- +file:\S+ +runEveryHour +-\n$/)
    expect(json.results.at(-1)).toMatchObject({ id: 1000, name: 'Test app' })
  })

  it.each([
    [['app', 'install', './nowhere'], /"\.\/nowhere" is neither a folder, a \.tgz file nor/],
    [['app', 'install', 'git+ssh://a/b'], /nor the name of an npm package\./],
    [['app', 'install', HERE], /Could not find plugin\.json in the plugin/],
    [['app', 'upgrade', '1'], /HTTP JSON comes with Hedgerow and cannot be upgraded\./],
    [['app', 'upgrade', '77'], /There is no app 77\. See `hedgerow app list`\./],
    [['app', 'remove', '2'], /CSV comes with Hedgerow and cannot be uninstalled\./],
    [['app', 'remove', '77'], /There is no app 77\. See `hedgerow app list`\./],
    [['app', 'new', '/dev/null/app'], /Cannot write to \/dev\/null\/app \(ENOTDIR\)\./],
  ])('is refused in one line: %j', async (args, expected) => {
    const env = toEnv(await storageOptions('sqlite'))

    const { code, stdout, stderr } = await runHedgerow([...args, '--json'], env)

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(expected)
    expect(stderr).toMatch(/(^|\n)hedgerow: [^\n]*\n$/)
  })

  it('is refused with the error in its plugin.json or code', async () => {
    const env = toEnv(await storageOptions('sqlite'))
    const wrong = await writeApp(appOf(HOURLY, { config: [{ key: 'a', type: 'number' }] }))
    const broken = await writeApp(appOf('export const ='))

    const first = await runHedgerow(['app', 'install', wrong], env)
    const second = await runHedgerow(['app', 'install', broken], env)

    expect(first.stderr).toContain(
      'hedgerow: plugin.json: config[0].type must be one of string, json, attachment, choice.\n',
    )
    expect(second.stderr).toMatch(/\nhedgerow: \/index\.ts: [^\n]*\n$/)
    expect([first.code, second.code]).toEqual([1, 1])
  })
})

describe('a new app', () => {
  it('passes its own test and can be installed', async () => {
    const env = toEnv(await storageOptions('sqlite'))
    const folder = join(await makeFolder(), 'star-counter')

    const made = await runHedgerow(['app', 'new', folder, '--json'])
    const test = promisify(execFile)(process.execPath, ['--test'], { cwd: folder, env: {} })
    const installed = await runHedgerow(['app', 'install', folder, '--json'], env)

    expect(made.json).toMatchObject({ folder, name: 'Star counter' })
    expect((await test).stdout).toMatch(/pass 3\n[\s\S]*fail 0\n/)
    expect(installed.json).toMatchObject({
      ...{ name: 'Star counter', version: '0.1.0' },
      capabilities: { scheduled_tasks: ['runEveryHour'], jobs: ['Import now'], methods: [] },
    })
    expect(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')).name).toBe(
      'star-counter',
    )
  })

  it('is created only in an empty folder', async () => {
    const folder = await writeApp({ 'index.ts': 'mine' })
    const empty = join(folder, 'empty')
    await mkdir(empty)

    const refused = await runHedgerow(['app', 'new', folder])
    const taken = await runHedgerow(['app', 'new', empty])

    expect(refused).toMatchObject({
      code: 1,
      stderr: `hedgerow: ${folder} is not empty. Choose an empty or new folder.\n`,
    })
    expect(await readFile(join(folder, 'index.ts'), 'utf8')).toBe('mine')
    expect(taken.stdout).toContain(`To install it:  hedgerow app install ${empty}\n`)
  })

  it('type-checks', async () => {
    const folder = join(await makeFolder(), 'app')
    await runHedgerow(['app', 'new', folder])
    const compiler = fileURLToPath(
      new URL('../../node_modules/typescript/bin/tsc', import.meta.url),
    )
    const types = fileURLToPath(new URL('../../node_modules/@types', import.meta.url))

    const args = [compiler, '--project', folder, '--typeRoots', types]
    const checked = promisify(execFile)(process.execPath, args)

    await expect(checked).resolves.toMatchObject({ stdout: '' })
  })
})
