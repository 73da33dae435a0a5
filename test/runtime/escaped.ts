import { onTestFinished } from 'vitest'
import { createEgress } from '#server/egress/egress.ts'
import type { AppServices } from '#server/runtime/contract.ts'
import { Failure } from '#server/runtime/failure.ts'
import { createHostBudgets } from '#server/runtime/host/host-budgets.ts'
import { createRunState } from '#server/runtime/host/run-state.ts'
import { DEFAULT_LIMITS, type Limits } from '#server/runtime/limits.ts'
import { type AppProcess, startProcess } from '#server/runtime/pool/app-process.ts'
import { findSandbox, type Sandbox } from '#server/runtime/process/sandbox.ts'
import { createTurns } from '#server/turns.ts'
import { createSpec, recordServices } from './apps.ts'

/** The worst case: the app has escaped its context and controls all of Node. */
const ESCAPED = `
  const send = (kind, text) => {
    const content = Buffer.isBuffer(text) ? text : Buffer.from(text)
    const head = Buffer.alloc(5)
    head.writeUInt32BE(content.length + 1); head[4] = kind
    require('fs').writeSync(1, Buffer.concat([head, content]))
  }
  const raw = (bytes) => require('fs').writeSync(1, Buffer.from(bytes))
  const capture = (events) => send(2, Buffer.concat([Buffer.from([0, 0, 0, 1]), Buffer.from(events)]))
  const log = (message) => send(0, JSON.stringify({ t: 'log', type: 'LOG', message: String(message) }))
  const attempt = async (work) => { try { log('done ' + (await work())) } catch (error) { log('refused ' + (error.code ?? error.message)) } }
  process.on('uncaughtException', (error) => { log('refused ' + (error.code ?? error.message)); process.exit() })
  process.stdin.once('data', async () => { ATTACK })
  send(0, '{"t":"ready"}')`

/** Starts a process in which the attack runs instead of our code, and waits for its end. */
export async function startEscaped(
  attack: string,
  sandbox: Sandbox = findSandbox(),
  limits: Partial<Limits> = {},
  changes: Partial<AppServices> = {},
) {
  const services = recordServices(changes)
  const spec = await createSpec('')
  const egress = createEgress({ allowedHosts: [] })
  const allLimits = { ...DEFAULT_LIMITS, loadMs: 4000, ...limits }
  const run = createRunState(spec, services, {
    limits: allLimits,
    egress,
    budgets: createHostBudgets(),
  })
  const app: AppProcess = await startProcess(spec, run, {
    code: { bootstrap: ESCAPED.replace('ATTACK', () => attack), prelude: '' },
    limits: allLimits,
    sandbox,
    egress,
    turns: createTurns(),
    closing: new AbortController().signal,
  })
  onTestFinished(() => app.kill(new Failure('infrastructure', 'The test has ended.')))
  const failure = await app.load().catch((error: Failure) => error)
  return { services, failure: failure as Failure }
}
