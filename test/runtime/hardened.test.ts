import { describe, expect, it, onTestFinished } from 'vitest'
import { createEgress } from '#server/egress/egress.ts'
import { getChildCode } from '#server/runtime/child/child-code.ts'
import { Failure } from '#server/runtime/failure.ts'
import { createHostBudgets } from '#server/runtime/host/host-budgets.ts'
import { createRunState } from '#server/runtime/host/run-state.ts'
import { DEFAULT_LIMITS } from '#server/runtime/limits.ts'
import { startProcess } from '#server/runtime/pool/app-process.ts'
import { NO_SANDBOX, type Sandbox } from '#server/runtime/process/sandbox.ts'
import { createTurns } from '#server/turns.ts'
import { createSpec, recordServices } from './apps.ts'

/** The server's own user, as on a server that is not root, without the kernel's limits. */
const ONLY_NODE: Sandbox = {
  open: () => NO_SANDBOX,
  endsWithServer: false,
  missing: 'in this test',
}

/** Runs the attack in the hardened process with access to Node's `process` and `require`. */
async function attackHardened(attack: string): Promise<string[]> {
  const { bootstrap, prelude } = await getChildCode()
  const services = recordServices()
  const spec = await createSpec('')
  const egress = createEgress({ allowedHosts: [] })
  const run = createRunState(spec, services, {
    limits: DEFAULT_LIMITS,
    egress,
    budgets: createHostBudgets(),
  })
  const hardened = bootstrap.replace(
    /^harden\(\);$/m,
    () => `const [node, nodeRequire] = [process, require]
      harden()
      const log = (message) => sendControl(JSON.stringify({ t: 'log', type: 'LOG', message }))
      const attempt = (name, work) => { try { const done = work(); log(name + (done === undefined ? ' done' : ' ' + typeof done)) } catch { log(name + ' refused') } }
      ${attack}`,
  )
  expect(hardened).not.toBe(bootstrap)
  const app = await startProcess(spec, run, {
    code: { bootstrap: hardened, prelude },
    limits: DEFAULT_LIMITS,
    sandbox: ONLY_NODE,
    egress,
    turns: createTurns(),
    closing: new AbortController().signal,
  })
  onTestFinished(() => app.kill(new Failure('infrastructure', 'The test has ended.')))
  await app.load()
  return services.messages()
}

describe('an app that has escaped into a hardened process', () => {
  it('cannot signal or renice any process, even as the user of the server', async () => {
    const server = process.pid

    const messages = await attackHardened(`
      attempt('kill', () => node.kill(${server}, 'SIGCONT'))
      attempt('_kill', () => node._kill(${server}, 18))
      attempt('debug', () => node._debugProcess(${server}))
      attempt('priority', () => nodeRequire('os').setPriority(${server}, 19))
      attempt('process', () => nodeRequire('process').kill(${server}, 0))
      attempt('child', () => { const { ChildProcess } = nodeRequire('child_process'); if (new ChildProcess()._handle.kill(0)) throw new Error() })
      attempt('binding', () => node.binding('os'))
      attempt('linked', () => node._linkedBinding('os'))
      attempt('builtin', () => node.getBuiltinModule('os'))
      attempt('dlopen', () => node.dlopen({ exports: {} }, 'x.node'))
      attempt('spawn', () => nodeRequire('child_process').spawnSync('kill', ['-CONT', '${server}']).error ?? 'spawned')
      attempt('worker', () => new (nodeRequire('worker_threads').Worker)('1', { eval: true }))
      attempt('file', () => nodeRequire('fs').readFileSync('/proc/${server}/environ'))`)

    const spawned = messages.filter((message) => message.startsWith('spawn'))
    expect(['spawn refused', 'spawn object']).toContain(spawned[0])
    expect(messages.filter((message) => !message.startsWith('spawn'))).toEqual([
      ...['kill refused', '_kill refused', 'debug refused', 'priority refused', 'process refused'],
      ...['child refused', 'binding refused', 'linked refused', 'builtin refused'],
      ...['dlopen refused', 'worker refused', 'file refused'],
    ])
  })

  it('finds only the parts of `process` that Node itself needs', async () => {
    const [names] = await attackHardened(`
      log(Object.getOwnPropertyNames(node).filter((name) => typeof node[name] === 'function').sort().join())`)

    expect(names).toBe('_fatalException,cwd,emitWarning,nextTick')
  })
})
