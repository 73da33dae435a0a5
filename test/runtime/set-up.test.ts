import { describe, expect, it } from 'vitest'
import { createSpec, eventually, recordServices, run, startRuntime } from './apps.ts'

const COUNTING = `
  export async function setupPlugin({ global }) { global.runs = 0; console.log('setup') }
  export async function teardownPlugin({ global }) { console.log('teardown', global.runs) }
  export async function runEveryMinute({ global }) { console.log(++global.runs) }`

describe('top-level code', () => {
  it('can log and capture events', async () => {
    const services = recordServices()
    const spec = await createSpec(`
      console.log('loaded'); posthog.capture('loaded'); export const runEveryMinute = () => {}`)

    await run(startRuntime(), spec, services)

    expect(services.messages()).toEqual(['loaded'])
    expect(services.events).toHaveLength(1)
  })
})

describe('setupPlugin', () => {
  const flaky = (until: number) => `
    export async function setupPlugin({ storage, utils }) {
      const tries = await utils.cursor.increment('tries')
      if (tries < ${until}) throw new RetryError('not yet')
    }
    export const runEveryMinute = () => console.log('ran')`

  it('is retried after a RetryError, with doubling delays', async () => {
    const services = recordServices()
    const runtime = startRuntime({ limits: { setupRetryMs: 10 } })

    const outcome = await run(runtime, await createSpec(flaky(4)), services)

    expect(outcome).toEqual({ ended: 'succeeded' })
    const lines = services.lines
      .filter(({ type }) => type === 'ERROR')
      .map(({ message }) => message)
    expect(lines).toEqual([
      'setupPlugin failed with RetryError (attempt 1/5): not yet Retrying in 0.01 s...',
      'setupPlugin failed with RetryError (attempt 2/5): not yet Retrying in 0.02 s...',
      'setupPlugin failed with RetryError (attempt 3/5): not yet Retrying in 0.04 s...',
    ])
  })

  it('fails the run after five attempts, and the next run tries again', async () => {
    const services = recordServices()
    const runtime = startRuntime({ limits: { setupRetryMs: 1 } })
    const spec = await createSpec(flaky(7))

    const outcomes = [await run(runtime, spec, services), await run(runtime, spec, services)]

    expect(outcomes).toEqual([
      {
        ...{ ended: 'failed', by: 'app', message: 'RetryError: not yet' },
        temporary: { retryAfterMs: 0 },
      },
      { ended: 'succeeded' },
    ])
    expect(services.stored.get('tries')).toBe('7')
  })

  it('has a time limit', async () => {
    const services = recordServices()
    const spec = await createSpec(`
      export async function setupPlugin({ utils }) { while (true) await utils.sleep(20) }
      export const runEveryMinute = () => {}`)
    const runtime = startRuntime({ limits: { waitMs: 200, setupRetryMs: 1 } })

    const outcome = await run(runtime, spec, services)

    expect(outcome).toMatchObject({
      by: 'app',
      message: expect.stringContaining('(Test app, name: setupPlugin, pluginConfigId:'),
    })
  })

  it('stops retrying when the run is canceled', async () => {
    const services = recordServices()
    const cancel = new AbortController()
    const spec = await createSpec(flaky(99))
    const running = run(startRuntime(), spec, services, undefined, cancel.signal)

    await eventually(() =>
      services.lines.some(({ message }) => message.includes('Retrying in 5 s')),
    )
    cancel.abort()

    expect(await running).toEqual({ ended: 'cancelled' })
  })
})

describe('migrateConfig', () => {
  it('returns the new settings without running setupPlugin', async () => {
    const spec = await createSpec(
      `export const setupPlugin = () => { throw new Error('old settings') }
       export const migrateConfig = async (config, meta) => ({ url: config.host, kept: typeof meta.storage })`,
      { config: { host: 'h' } },
    )

    const migrated = await startRuntime().migrateConfig(spec, recordServices())

    expect(migrated).toEqual({ url: 'h', kept: 'object' })
  })

  it('returns undefined for an app without it', async () => {
    const runtime = startRuntime()

    expect(
      await runtime.migrateConfig(await createSpec(COUNTING), recordServices()),
    ).toBeUndefined()
  })

  it.each([
    [`throw new Error('cannot')`, 'cannot'],
    ['return 5', 'migrateConfig must return the settings as an object.'],
    ['return []', 'migrateConfig must return the settings as an object.'],
  ])('reports the problem of: %s', async (body, message) => {
    const spec = await createSpec(`export const migrateConfig = () => { ${body} }`)

    await expect(startRuntime().migrateConfig(spec, recordServices())).rejects.toThrow(message)
  })
})

describe('describing an app', () => {
  it('runs only top-level code, without any services', async () => {
    const { code } = await createSpec(`
      export const runEveryDay = () => {}
      export const setupPlugin = () => { throw 1 }
      posthog.capture('sneaky'); fetch('http://example.com')`)

    const described = await startRuntime().describe(code)

    expect(described).toEqual({
      scheduled_tasks: ['runEveryDay'],
      jobs: [],
      methods: ['setupPlugin'],
    })
  })

  it('has a time limit', async () => {
    const { code } = await createSpec('while (true);')

    await expect(startRuntime({ limits: { loadMs: 1500 } }).describe(code)).rejects.toThrow(
      'Script execution timed out after looping for 1.5 seconds',
    )
  })
})
