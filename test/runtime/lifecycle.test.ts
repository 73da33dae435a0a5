import { describe, expect, it } from 'vitest'
import type { AppOutcome, Runtime } from '#server/runtime/contract.ts'
import { createSpec, eventually, recordServices, run, runBody, startRuntime } from './apps.ts'

const COUNTING = `
  export async function setupPlugin({ global }) { global.runs = 0; console.log('setup') }
  export async function teardownPlugin({ global }) { console.log('teardown', global.runs) }
  export async function runEveryMinute({ global }) { console.log(++global.runs) }`

describe('the process of a config', () => {
  it('stays warm: it is set up once and keeps its globals', async () => {
    const runtime = startRuntime()
    const services = recordServices()
    const spec = await createSpec(COUNTING)

    for (let i = 0; i < 3; i += 1) await run(runtime, spec, services)

    expect(services.messages()).toEqual(['setup', '1', '2', '3'])
  })

  it('logs to the current run', async () => {
    const runtime = startRuntime()
    const [first, second] = [recordServices(), recordServices()]
    const spec = await createSpec(COUNTING)

    await run(runtime, spec, first)
    await run(runtime, spec, second)

    expect([first.messages(), second.messages()]).toEqual([['setup', '1'], ['2']])
  })

  it('is torn down and replaced when the version changes', async () => {
    const runtime = startRuntime()
    const services = recordServices()
    const spec = await createSpec(COUNTING)

    await run(runtime, spec, services)
    await run(runtime, { ...spec, version: '2' }, services)

    expect(services.messages()).toEqual(['setup', '1', 'teardown 1', 'setup', '1'])
  })

  it('ends when it is evicted and when the runtime closes', async () => {
    const runtime = startRuntime()
    const [one, two] = [recordServices(), recordServices()]
    const spec = await createSpec(COUNTING)
    await run(runtime, spec, one)

    await runtime.evict(spec.configId)
    await runtime.evict(spec.configId)
    await run(runtime, spec, two)
    await runtime.close()

    expect(one.messages()).toEqual(['setup', '1', 'teardown 1'])
    expect(two.messages()).toEqual(['setup', '1', 'teardown 1'])
  })

  it('ends after the idle time', async () => {
    const runtime = startRuntime({ limits: { idleMs: 50 } })
    const services = recordServices()

    await run(runtime, await createSpec(COUNTING), services)

    await eventually(() => services.messages().includes('teardown 1'))
  })

  it('is evicted for others, longest idle first', async () => {
    const runtime = startRuntime({ limits: { maxProcesses: 2 } })
    const services = [recordServices(), recordServices(), recordServices()] as const
    const specs = await Promise.all(services.map(() => createSpec(COUNTING)))

    for (const index of [0, 1, 0, 2] as const)
      await run(runtime, specs[index] as never, services[index])

    expect(services.map((one) => one.messages().at(-1))).toEqual(['2', 'teardown 1', '1'])
  })

  it('executes one run at a time', async () => {
    const runtime = startRuntime()
    const services = recordServices()
    const spec = await createSpec(`export async function runEveryMinute({ utils }) {
      console.log('begin'); await utils.sleep(30); console.log('end') }`)

    await Promise.all([1, 2, 3].map(() => run(runtime, spec, services)))

    expect(services.messages().join()).toBe('begin,end,begin,end,begin,end')
  })

  it('is never shared with another config', async () => {
    const runtime = startRuntime()
    const services = recordServices()
    const spec = await createSpec(COUNTING)

    await Promise.all([
      run(runtime, spec, services),
      run(runtime, { ...spec, configId: -1 }, services),
    ])

    expect(services.messages().sort()).toEqual(['1', '1', 'setup', 'setup'])
  })
})

describe('closing', () => {
  it('stops processes that are starting, and nothing starts afterwards', async () => {
    const runtime = startRuntime()
    const services = recordServices()
    const [first, second] = [await createSpec(COUNTING), await createSpec(COUNTING)]
    const starting = [run(runtime, first, services), runtime.describe(first.code)]

    await Promise.all([runtime.close(), Promise.allSettled(starting)])

    const stopped = { ended: 'failed', by: 'infrastructure', message: 'The server is stopping.' }
    expect(await starting[0]).toEqual(stopped)
    expect(await run(runtime, second, services)).toEqual(stopped)
    expect(services.messages()).not.toContain('1')
  })
})

describe('a run', () => {
  const started = async (
    source: string,
    begin: (runtime: Runtime, cancel: AbortController) => unknown,
  ): Promise<AppOutcome> => {
    const services = recordServices()
    const runtime = startRuntime()
    const cancel = new AbortController()
    const running = run(runtime, await createSpec(source), services, undefined, cancel.signal)
    await eventually(() => services.messages().includes('begun'))
    await begin(runtime, cancel)
    return running
  }
  const BUSY = `export function runEveryMinute() { console.log('begun'); while (true); }`

  it('is canceled at once, even in a loop', async () => {
    expect(await started(BUSY, (_, cancel) => cancel.abort())).toEqual({ ended: 'cancelled' })
  })

  it('is canceled before it starts', async () => {
    const services = recordServices()

    const outcome = await run(
      startRuntime(),
      await createSpec(COUNTING),
      services,
      undefined,
      AbortSignal.abort(),
    )

    expect(outcome).toEqual({ ended: 'cancelled' })
    expect(services.lines).toEqual([])
  })

  it('may be retried if the runtime closes', async () => {
    expect(await started(BUSY, (runtime) => runtime.close())).toEqual({
      ended: 'failed',
      by: 'infrastructure',
      message: 'The server is stopping.',
    })
  })

  it('has a maximum duration', async () => {
    const source =
      'export async function runEveryMinute({ utils }) { while (true) await utils.sleep(10) }'
    const runtime = startRuntime({ limits: { runMs: 1800 } })

    expect(await run(runtime, await createSpec(source), recordServices())).toEqual({
      ended: 'failed',
      by: 'app',
      message: 'The run took longer than 0.0005 hours and was stopped.',
    })
  })

  it('continues when its config is evicted, and then its process ends', async () => {
    const services = recordServices()
    const runtime = startRuntime()
    const spec = await createSpec(`
      export async function runEveryMinute({ utils }) { console.log('begun'); await utils.sleep(300); console.log('done') }
      export const teardownPlugin = () => console.log('teardown')`)
    const running = run(runtime, spec, services)
    await eventually(() => services.messages().includes('begun'))

    await runtime.evict(spec.configId)

    expect(await running).toEqual({ ended: 'succeeded' })
    expect(services.messages()).toEqual(['begun', 'done', 'teardown'])
  })

  it('waits for calls that the app did not await', async () => {
    const services = recordServices()
    const slow = (work: () => Promise<void>) =>
      new Promise((resolve) => setTimeout(resolve, 200)).then(work)
    const { stored, queued } = await runBody(
      `meta.storage.set('a', 1); meta.jobs.next().runNow()`,
      {
        services: {
          ...services,
          storage: {
            ...services.storage,
            set: (...args) => slow(() => services.storage.set(...args)),
          },
          enqueue: (next) => slow(() => services.enqueue(next)),
        },
      },
    )

    expect(stored.get('a')).toBe('1')
    expect(queued).toHaveLength(1)
  })

  it('fails as an infrastructure failure if storage fails, without revealing the reason', async () => {
    const services = recordServices()
    const { outcome } = await runBody(`await meta.storage.get('a')`, {
      services: {
        ...services,
        storage: { ...services.storage, get: () => Promise.reject(new Error('password=1')) },
      },
    })

    expect(outcome).toEqual({
      ended: 'failed',
      by: 'infrastructure',
      message: 'The service could not do this just now.',
    })
  })
})
