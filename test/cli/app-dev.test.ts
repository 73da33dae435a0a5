import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { launch, runHedgerow } from '../support/app/cli.ts'
import { appOf } from '../support/app/plugin.ts'
import { until } from '../support/until.ts'

const capturing = (event: string) => `
  export const runEveryHour = (meta) =>
    posthog.capture('${event}', { distinct_id: meta.config.person, n: 1 })
  export const jobs = { other: () => { throw new Error('No such shop') } }
`
const MANIFEST = {
  config: [{ key: 'person', type: 'string', required: true }],
  publicJobs: { other: {}, lost: {} },
}

async function writeApp(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hedgerow-app-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return folder
}

const SETTINGS = { '.settings.json': '{"person":"ada"}' }

describe('hedgerow app check', () => {
  it('says what an app can do, without storage', async () => {
    const folder = await writeApp(appOf(capturing('a'), MANIFEST))

    const { code, stdout } = await runHedgerow(['app', 'check', folder])

    expect([code, stdout.split('\n').slice(0, 3)]).toEqual([
      0,
      ['Test app can be installed.', 'Runs:  runEveryHour', 'Jobs:  other'],
    ])
    expect(stdout).toContain('lost')
  })

  it.each([
    ['code that does not compile', appOf('export const = 1'), /index\.ts/],
    ['no plugin.json', { 'index.ts': '' }, /Could not find plugin\.json/],
    [
      'a wrong connector',
      { 'plugin.json': '{"name":"a"}', 'connector.yaml': 'a: 1' },
      /connector\.yaml/,
    ],
  ])('refuses %s', async (_, files, problem) => {
    const { code, stderr } = await runHedgerow(['app', 'check', await writeApp(files)])

    expect(code).toBe(1)
    expect(stderr).toMatch(problem)
  })
})

describe('hedgerow app dev', () => {
  it('runs an app once with its settings', async () => {
    const folder = await writeApp(appOf(capturing('order'), MANIFEST, SETTINGS))

    const result = await runHedgerow(['app', 'dev', folder, '--once', '--json'])

    expect(result.code).toBe(0)
    expect(result.json).toMatchObject({ state: 'succeeded', count: 1, log: [] })
    expect(result.json.events).toMatchObject([{ event: 'order', distinct_id: 'ada' }])
  })

  it('fails with the app, and says why', async () => {
    const folder = await writeApp(appOf(capturing('order'), MANIFEST, SETTINGS))

    const { code, stdout } = await runHedgerow(['app', 'dev', folder, '--once', '--job', 'other'])

    expect(code).toBe(1)
    expect(stdout).toContain('Failed: No such shop')
  })

  it.each([
    ['a setting is missing', [], /Required settings are missing: person/],
    ['the job is unknown', ['--job', 'x', '--settings', 'FOLDER/ok.json'], /no job "x"/],
    ['the settings cannot be read', ['--settings', 'none.json'], /none\.json cannot be read/],
    ['the settings are no object', ['--settings', 'FOLDER/bad.json'], /must be a JSON object/],
  ])('stops if %s', async (_, options, problem) => {
    const files = { 'bad.json': '[1', 'ok.json': '{"person":"ada"}' }
    const folder = await writeApp(appOf(capturing('order'), MANIFEST, files))
    const given = options.map((option) => option.replace('FOLDER', folder))

    const { code, stderr } = await runHedgerow(['app', 'dev', folder, '--once', ...given])

    expect(code).toBe(1)
    expect(stderr).toMatch(problem)
  })

  it('runs again when a file or a setting is saved, also after a mistake, until it is stopped', async () => {
    const folder = await writeApp(appOf(capturing('first'), MANIFEST, SETTINGS))
    const child = launch(['app', 'dev', folder], {})
    onTestFinished(() => void child.kill('SIGKILL'))
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text) => {
        output += text
      })
    }
    const shown = (text: string) => until(() => output.includes(text))
    const waiting = (count: number) =>
      until(() => output.split('Waiting for changes…').length > count)
    const save = (name: string, text: string) => writeFile(join(folder, name), text)

    await shown('first')
    await waiting(1)
    await save('index.ts', 'export const = 1')
    await waiting(2)
    expect(output).toContain('index.ts')
    await save('index.ts', capturing('second'))
    await shown('second')
    await waiting(3)
    await save('.settings.json', '{"person":"grace"}')
    await shown('grace')
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGINT')

    expect(await ended).toBe(0)
  })
})
