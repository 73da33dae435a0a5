import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { toSamples } from '#model/connect-samples.ts'
import { type Capturing, startCapturing } from '../../../../test/support/data/capture.ts'
import { until } from '../../../../test/support/until.ts'

const run = promisify(execFile)
const ROOT = new URL('../../../../', import.meta.url)
const GUIDES = ['docs/capture.md', 'docs/segment.md']

function codeOf(id: string, host: string, token: string): string {
  const code = toSamples(host, token).find((sample) => sample.id === id)?.code
  if (!code) throw new Error(`There is no sample ${id}.`)
  return code
}

async function isInstalled(command: string, ...values: string[]): Promise<boolean> {
  return run(command, values).then(
    () => true,
    () => false,
  )
}

/** Packages are found from the root of the repository. */
const runInNode = (code: string) =>
  run(process.execPath, ['--input-type=module', '--eval', code], { cwd: ROOT })

const runInShell = (code: string) => run('/bin/sh', ['-c', code])

const runInPython = (code: string) => run('python3', ['-c', code])

/** Posthog for Python 7.53.0 sends this for its sample. */
const replayPython = ({ send, token }: Capturing) =>
  send('/batch/', {
    batch: [
      {
        properties: { plan: 'free', $lib: 'posthog-python', $lib_version: '7.53.0' },
        timestamp: '2026-11-16T19:42:59.904239+00:00',
        distinct_id: 'ann@example.com',
        event: 'signed_up',
        uuid: crypto.randomUUID(),
      },
    ],
    historical_migration: false,
    sent_at: '2026-11-16T19:42:59.904661+00:00',
    api_key: token,
  })

/** Expects the event of the sample in the list of events. */
async function expectEvent(api: Capturing): Promise<void> {
  const [stored] = await until(async () => {
    const events = await api.stored()
    return events.length > 0 && events
  })
  expect(stored).toMatchObject({
    event: 'signed_up',
    distinct_id: 'ann@example.com',
    properties: { plan: 'free' },
  })
}

const HAS_CURL = await isInstalled('curl', '--version')
const HAS_PYTHON = await isInstalled('python3', '--version')
const HAS_POSTHOG = await isInstalled('python3', '-c', 'import posthog')

// test/browser/snippet.test.ts runs those for web pages
describe('a sample of the connect page, run as it is shown,', () => {
  it.for([
    ['posthog-node', true, runInNode],
    ['segment', true, runInNode],
    ['curl', HAS_CURL, runInShell],
    ['python', HAS_POSTHOG, runInPython],
  ] as const)('sends an event: %s', async ([id, canRun, runCode], { skip }) => {
    skip(!canRun, 'The client is not installed here.')
    const api = await startCapturing()

    await runCode(codeOf(id, api.url, api.token))

    await expectEvent(api)
  })

  it.skipIf(!HAS_PYTHON)('is valid Python', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hedgerow-sample-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const file = join(folder, 'sample.py')
    await writeFile(file, codeOf('python', 'http://127.0.0.1:8000', 'phc_x'))

    await expect(run('python3', ['-m', 'py_compile', file])).resolves.toBeTruthy()
  })

  it('sends an event: the request of Posthog for Python', async () => {
    const api = await startCapturing()

    expect((await replayPython(api)).status).toBe(200)

    await expectEvent(api)
  })

  it('is the same in the guides', async () => {
    const texts = await Promise.all(GUIDES.map((path) => readFile(new URL(path, ROOT), 'utf8')))
    const all = texts.join('')

    for (const { code } of toSamples('http://127.0.0.1:8000', 'phc_...')) {
      expect(all).toContain(`\n${code}\n\`\`\`\n`)
    }
  })
})
