import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { findSandbox, NO_SANDBOX, type Sandbox } from '#server/runtime/process/sandbox.ts'
import { createSpec, eventually, recordServices, run, startRuntime } from './apps.ts'
import { isSuspended, watchApps } from './processes.ts'

/** A sandbox that cannot suspend, so leftover code keeps running. */
const ONLY_NODE: Sandbox = {
  open: () => NO_SANDBOX,
  endsWithServer: false,
  missing: 'in this test',
}

const LEAVES_LOOPS = `
  export async function runEveryMinute({ global, storage }) {
    if (global.loops) return console.log((await Promise.all(global.loops)).join('; '))
    const loop = async (work) => { try { for (;;) await work() } catch (error) { return error.message } }
    global.loops = [
      loop(() => posthog.capture('late')),
      loop(() => storage.set('late', 1)),
      loop(() => { console.log('late'); return fetch('http://127.0.0.1:1').catch((error) => { if (error.message.includes('run')) throw error }) }),
    ]
  }`

describe('code that an app leaves running', () => {
  it.each([
    ['suspended', findSandbox()],
    ['running', ONLY_NODE],
  ])('gets no call served after its run, not even by the next one: %s', async (_, sandbox) => {
    const runtime = startRuntime({ findSandbox: () => sandbox })
    const [first, second] = [recordServices(), recordServices()]
    const spec = await createSpec(LEAVES_LOOPS)

    expect(await run(runtime, spec, first)).toEqual({ ended: 'succeeded' })
    const [events, lines] = [first.events.length, first.lines.length]
    await run(runtime, spec, second)

    const ended = 'The run has ended.'
    expect(second.messages()).toEqual([`${ended}; ${ended}; ${ended}`])
    expect([second.events, second.stored.size]).toEqual([[], 0])
    expect([first.events.length, first.lines.length]).toEqual([events, lines])
  })

  it('has every accepted event and value stored before its run ends', async () => {
    const services = recordServices()
    let storing = 0
    const slowly = async (ms: number, store: () => Promise<void>) => {
      storing += 1
      await new Promise((resolve) => setTimeout(resolve, ms))
      await store()
      storing -= 1
    }
    const slow: typeof services = {
      ...services,
      capture: (events) => slowly(20, () => services.capture(events)),
      storage: {
        ...services.storage,
        set: (key, value) => slowly(100, () => services.storage.set(key, value)),
      },
    }

    await run(startRuntime({ findSandbox: () => ONLY_NODE }), await createSpec(LEAVES_LOOPS), slow)

    expect(storing).toBe(0)
    expect([services.events.length > 0, services.stored.get('late')]).toEqual([true, '1'])
  })
})

describe.runIf(existsSync('/proc/self/status') && findSandbox().endsWithServer)(
  'an idle process',
  () => {
    const COUNTING = `
      export const setupPlugin = ({ global }) => { global.runs = 0; console.log('setup') }
      export const runEveryMinute = ({ global }) => console.log(++global.runs)
      export async function teardownPlugin({ storage }) { await storage.set('torn', 1); await posthog.capture('torn down') }`

    /** Waits for as long as the watchdog lets a process be silent, until it has killed another app. */
    async function waitForWatchdog(runtime: ReturnType<typeof startRuntime>): Promise<void> {
      const hangs = await createSpec('export const runEveryMinute = () => { while (true); }')
      expect((await run(runtime, hangs, recordServices())).ended).not.toBe('succeeded')
    }

    it('is suspended, and continues with the next run', async () => {
      const runtime = startRuntime({ limits: { waitMs: 500, watchdogIntervalMs: 50 } })
      const listApps = watchApps()
      const services = recordServices()
      const spec = await createSpec(COUNTING)

      for (let runs = 0; runs < 2; runs += 1) {
        await run(runtime, spec, services)
        const [app] = listApps()
        await eventually(() => isSuspended(app ?? ''))
        await waitForWatchdog(runtime)
      }

      expect(services.messages()).toEqual(['setup', '1', '2'])
    })

    it('resumes for teardown, with storage and events, and ends when the runtime closes', async () => {
      const runtime = startRuntime()
      const listApps = watchApps()
      const services = recordServices()
      await run(runtime, await createSpec(COUNTING), services)
      const apps = listApps()

      await runtime.close()

      expect(apps).toHaveLength(1)
      expect(listApps()).toEqual([])
      expect(services.stored.get('torn')).toBe('1')
      expect(services.events.map(({ event }) => event)).toEqual(['torn down'])
    })

    it('is replaced if it was killed while suspended', async () => {
      const runtime = startRuntime()
      const listApps = watchApps()
      const services = recordServices()
      const spec = await createSpec(COUNTING)
      await run(runtime, spec, services)
      const [app] = listApps()

      process.kill(Number(app), 'SIGKILL')
      // a run that begins before the server notices the kill fails
      while ((await run(runtime, spec, services)).ended !== 'succeeded');

      expect(services.messages()).toEqual(['setup', '1', 'setup', '1'])
    })

    it('does not continue a leftover loop', async () => {
      const runtime = startRuntime({ limits: { waitMs: 500, watchdogIntervalMs: 50 } })
      const listApps = watchApps()
      const services = recordServices()
      const spec = await createSpec(`
        import { pbkdf2 } from 'crypto'
        export const runEveryMinute = () => {
          console.log('ran')
          pbkdf2('a', 'b', 1_000_000, 64, 'sha512', () => { while (true); })
        }`)

      const first = await run(runtime, spec, services)
      await waitForWatchdog(runtime)

      expect(first).toEqual({ ended: 'succeeded' })
      expect(services.messages()).toEqual(['ran'])
      expect(listApps().map(isSuspended)).toEqual([true])
    })
  },
)
