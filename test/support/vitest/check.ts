import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { text } from 'node:stream/consumers'
import { hasClickHouse } from '../servers/clickhouse.ts'
import { COUNTS_FILE } from './closing-line.ts'

/** The record of the last `npm test`, for `npm run house`. */
const LAST_RUN = 'node_modules/.cache/hedgerow/last-test-run.json'

/**
 * `npm test`: the build if it is stale, then lint, wording and types beside the tests, which often wait. The first that
 * fails stops the tests. `npm run check:full` installs ClickHouse's engine if it is missing, and runs the tests of
 * vitest.full.config.ts instead. Writes down how long the run took.
 */
const isFull = process.argv[2] === 'full'
process.exitCode = isFull ? await runFullCheck() : await runCheck()

async function runFullCheck(): Promise<number> {
  // without it, the tests of ClickHouse are skipped by name
  if (!hasClickHouse()) await runScript('clickhouse:install')
  return waitForExit(startTests())
}

async function runCheck(): Promise<number> {
  for (const name of build()) if (!(await runScript(name))) return 1
  const tests = startTests()
  const checks = ['lint', 'language', 'types'].map(async (name) => {
    const passed = await runScript(name)
    if (!passed) tests.kill()
    return passed
  })
  const code = await waitForExit(tests)
  if (!(await Promise.all(checks)).every(Boolean)) return 1
  writeLastRun()
  return code
}

function startTests(): ChildProcess {
  const config = isFull ? ['--config', 'vitest.full.config.ts'] : []
  const tests = spawn('vitest', ['run', ...config], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => tests.kill(signal))
  return tests
}

/** Returns no script if the web app is as new as its sources: `npm install` has built it. */
function build(): string[] {
  const builtAt = changedAt('web/dist/index.html')
  const sources = [
    'package-lock.json',
    ...globSync(['web/*', 'web/{public,src}/**', 'src/model/**']),
  ]
  const isStale = sources.some((path) => path !== 'web/dist' && changedAt(path) > builtAt)
  return isStale ? ['build'] : []
}

function changedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

/** Runs an npm script; prints its output only if it fails. */
async function runScript(name: string): Promise<boolean> {
  const startedAt = performance.now()
  const child = spawn('npm', ['run', '--silent', name], { stdio: ['ignore', 'pipe', 'pipe'] })
  const [code, stdout, stderr] = await Promise.all([
    waitForExit(child),
    text(child.stdout),
    text(child.stderr),
  ])
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  console.log(`${code === 0 ? '✓' : '✗'} ${name} ${seconds} s`)
  if (code !== 0) console.log(stdout + stderr)
  return code === 0
}

async function waitForExit(child: ChildProcess): Promise<number> {
  const [code] = await once(child, 'close')
  return code ?? 1
}

function writeLastRun(): void {
  const counts = JSON.parse(readFileSync(COUNTS_FILE, 'utf8'))
  const run = { wallSeconds: Math.round(process.uptime()), cpuSeconds: cpuSeconds(), ...counts }
  mkdirSync(dirname(LAST_RUN), { recursive: true })
  writeFileSync(LAST_RUN, `${JSON.stringify(run, undefined, 2)}\n`)
}

/** Returns the CPU time of this process and all its descendants that have ended; null where there is no /proc. */
function cpuSeconds(): number | null {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? []
    const ticks = fields.slice(11, 15).reduce((sum, value) => sum + Number(value), 0)
    return Math.round(ticks / 100)
  } catch {
    return null
  }
}
