import { chownSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { getPriority } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { CONFIGS } from '../support/app/app.ts'
import { launch, type Server, watchServer } from '../support/app/cli.ts'
import { until } from '../support/until.ts'
import { appsOf, readStatus } from './processes.ts'

const KEY = 'phx_owner_of_the_unprivileged_server'
/** The user of nobody's processes, if the tests run as root; otherwise the server runs as their user. */
const NOBODY = 65_534
const canDrop =
  process.getuid?.() === 0 && isOpenToAll(process.execPath) && isOpenToAll(import.meta.filename)
const user = canDrop ? { uid: NOBODY, gid: NOBODY } : {}
const uid = user.uid ?? process.getuid?.() ?? 0

/** Tells whether every user can reach a file. */
function isOpenToAll(path: string): boolean {
  for (let at = path; at !== '/'; at = dirname(at)) {
    if ((statSync(at).mode & 0o005) === 0) return false
  }
  return true
}

/** Attacks by an app's own code, with the ways that led out of other sandboxes. Each returns what it got hold of. */
const ATTACKS: Readonly<Record<string, string>> = {
  'the key file': `load('fs').readFileSync(SECRET_KEY)`,
  'the database': `(await eval("import('node:fs')")).readFileSync(DATABASE)`,
  'the environment of the server': `load('/proc/SERVER/environ')`,
  'its own environment': `process.env`,
  'the binding of files': `process.binding('fs')`,
  'an addon': `process.dlopen({ exports: {} }, '/lib/x.node')`,
  'a process': `load('child_process').execSync('id')`,
  'a thread': `new (load('worker_threads').Worker)('1', { eval: true })`,
  'a socket': `load('net').connect(PORT)`,
  'the debugger': `load('inspector').open(0)`,
  'a context': `load('vm').runInThisContext('process')`,
  WebAssembly: `new WebAssembly.Memory({ initial: 1 })`,
  'the process by its own constructor': `this.constructor.constructor('return process')().kill(SERVER, 9)`,
  'the process by a constructor of Node': `Buffer.constructor('return process')().kill(SERVER, 9)`,
  'the process by an error of Node': `(() => { try { Buffer.alloc(-1) } catch (error) { return error.constructor.constructor('return process')() } })()`,
  'the process by a function that inspects': `(() => {
    let given
    const odd = Object.create(null)
    odd[Symbol.for('nodejs.util.inspect.custom')] = (depth, options, inspect) => { given = inspect; return '' }
    try { Buffer.from(odd) } catch {}
    return given.constructor('return process')()
  })()`,
  'the process by a stream of Node': `require('zlib').createGzip()._handle.constructor.constructor('return process')()`,
  'a file by fetch': `await fetch('file:///etc/passwd')`,
  'the server by fetch': `await fetch('http://127.0.0.1:PORT/metrics')`,
  'the server by its address in another form': `await fetch('http://2130706433:PORT/metrics')`,
}

const toApp = (server: Server, folder: string): string => {
  const known = {
    SERVER: server.process.pid,
    PORT: new URL(server.url).port,
    SECRET_KEY: JSON.stringify(join(folder, 'secret.key')),
    DATABASE: JSON.stringify(join(folder, 'hedgerow.db')),
  }
  const tries = Object.entries(ATTACKS).map(([name, code]) => {
    const attack = code.replace(/SERVER|PORT|SECRET_KEY|DATABASE/g, (word) =>
      String(known[word as keyof typeof known]),
    )
    return `await attempt(${JSON.stringify(name)}, async () => ${attack})`
  })
  return `
    // a name that is written out would be refused when the app is installed
    const load = (name) => require(name)
    const attempt = async (name, work) => {
      try { await work(); console.log('reached ' + name) } catch (error) { console.log('refused ' + name) }
    }
    export const jobs = {
      async work(payload, meta) {
        await posthog.capture('imported', { distinct_id: 'ada' })
        ${tries.join('\n')}
        while (!(await meta.storage.get('stop'))) { await meta.storage.set('stop', true); await meta.utils.sleep(2000) }
      },
    }`
}

interface Run {
  readonly state: string
  readonly events: number
}

const readLimits = (app: string): string => readFileSync(`/proc/${app}/limits`, 'utf8')
const hasNoFiles = (limits: string): boolean => /^Max open files +0 +0 /m.test(limits)

it('runs apps of a server that is not root, and keeps them in their sandbox', async () => {
  const folder = mkdtempSync('/tmp/hedgerow-unprivileged-')
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  chownSync(folder, uid, user.gid ?? process.getgid?.() ?? 0)
  const env = { HEDGEROW_PORT: '0', HEDGEROW_DATA: folder, HEDGEROW_API_KEY: KEY, TMPDIR: '/tmp' }
  const server = await watchServer(launch(['serve'], env, user))
  const pid = server.process.pid ?? 0
  const call = async (path: string, method?: string, body?: unknown) =>
    (await server.call(KEY, path, method, body)).body as never
  const manifest = { name: 'Hostile', publicJobs: { work: { payload: {} } } }
  const plugin: { id: number } = await call('/api/organizations/@current/plugins', 'POST', {
    plugin_type: 'source',
    name: 'Hostile',
    files: { 'plugin.json': JSON.stringify(manifest), 'index.js': toApp(server, folder) },
  })
  await call(CONFIGS, 'POST', { plugin: plugin.id, enabled: true })
  await call(`${CONFIGS}/1/job`, 'POST', { job: { type: 'work', payload: {} } })

  const limits = await until(() => appsOf(pid).map(readLimits).find(hasNoFiles))
  const run = await until(async () => {
    const { results }: { results: Run[] } = await call(`${CONFIGS}/1/runs`)
    return results.find(({ state }) => state !== 'queued' && state !== 'running')
  })

  expect(run).toMatchObject({ state: 'succeeded', events: 1 })
  const log: { results: { message: string }[] } = await call(`${CONFIGS}/1/logs?limit=1000`)
  const outcomes = log.results
    .map(({ message }) => message)
    .filter((text) => /^re(ach|fus)ed /.test(text))
  expect(outcomes.sort()).toEqual(
    Object.keys(ATTACKS)
      .map((name) => `refused ${name}`)
      .sort(),
  )
  expect(limits).toMatch(/^Max file size +0 +0 /m)
  expect(readStatus(String(pid), 'Uid').split('\t')[0]).toBe(String(uid))
  expect(getPriority(pid)).toBe(getPriority())
  expect((await server.call(KEY, '/api/users/@me')).status).toBe(200)
})
