import { describe, expect, it } from 'vitest'
import { CONFIGS, type TestApp, useApp } from '../../../../test/support/app/app.ts'
import { installPlugin, type TestPlugin } from '../../../../test/support/app/plugin.ts'
import { createConfig } from '../../../../test/support/data/configs.ts'

const ACCEPT_JSON = { accept: 'application/json' }

interface ConfiguredApp extends TestApp {
  readonly configId: number
  /** The path of the config. */
  readonly config: string
  readonly job: string
}

/** Creates a config of a built-in app, by default Demo data, or of an app that the test defines. */
async function startWithConfig(
  plugin: number | TestPlugin = 4,
  sent: object = {},
): Promise<ConfiguredApp> {
  const api = await useApp()
  const installed = typeof plugin === 'number' ? plugin : await installPlugin(api.db, plugin)
  const { id } = await createConfig(api, { plugin: installed, ...sent })
  const config = `${CONFIGS}/${id}`
  return { ...api, configId: id, config, job: `${config}/job` }
}

describe('a job', () => {
  it('is queued and returned as a run that waits for a worker', async () => {
    const api = await startWithConfig()
    const job = { type: 'Generate events', payload: { events: 5 }, operation: 'stop' }

    const { status, body } = await api.post(api.job, { job }, ACCEPT_JSON)

    expect(status).toBe(200)
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      config_id: api.configId,
      kind: 'job',
      name: 'Generate events',
      payload: { events: 5 },
      operation: 'stop',
      state: 'queued',
      message: 'Waiting for a worker.',
      progress: { done: 0, total: null, message: '' },
      events: 0,
      new_events: null,
      skipped: 0,
      dry_run: false,
      attempt: 0,
      retry_of: null,
      backfill: null,
      run_at: expect.any(String),
      created_by: 1,
      created_at: expect.any(String),
      started_at: null,
      finished_at: null,
    })
  })

  it('is logged with its payload', async () => {
    const api = await startWithConfig()
    const job = { type: 'Generate events', payload: { seed: 's' } }
    const { body: run } = await api.post(api.job, { job }, ACCEPT_JSON)

    const { body } = await api.get(`${api.config}/activity`, ACCEPT_JSON)

    expect(body.results[0]).toMatchObject({
      activity: 'job_triggered',
      detail: {
        name: 'Demo data',
        changes: null,
        trigger: { job_type: job.type, job_id: run.id, payload: job.payload },
      },
    })
  })

  it.each([[undefined], [{}], [{ enabled: true, order: 5, name: 'x' }]])(
    'is the only public one for the body %j, and the config stays unchanged',
    async (sent) => {
      const api = await startWithConfig()
      const { body: before } = await api.get(api.config)

      const { body } = await api.post(api.job, sent, ACCEPT_JSON)

      expect(body).toMatchObject({ kind: 'job', name: 'Generate events', payload: {} })
      expect((await api.get(api.config)).body).toEqual(before)
    },
  )

  it('is the scheduled task if there is no public job', async () => {
    const api = await startWithConfig({ scheduled_tasks: ['runEveryHour'] })

    const { body } = await api.post(api.job, {}, ACCEPT_JSON)

    expect(body).toMatchObject({ kind: 'schedule', name: 'runEveryHour' })
  })

  it.each([
    [undefined, ''],
    [{ type: 'anything', payload: { a: [1] } }, 'anything'],
  ])('of a plugin that is not installed is queued: %j', async (job, name) => {
    const api = await startWithConfig(99)

    const { status, body } = await api.post(api.job, { job }, ACCEPT_JSON)

    expect(status).toBe(200)
    expect(body).toMatchObject({ name, state: 'queued', payload: job?.payload ?? {} })
    expect(body.message).toMatch(/^Plugin 99 is not installed\./)
  })

  it.each([
    [{ job: null }, 'job', 'This field may not be null.'],
    [{ job: [] }, 'job', 'Expected a dictionary of items but got type "list".'],
    [{ job: {} }, null, 'The job type must be specified!'],
    [{ job: { type: '' } }, null, 'The job type must be specified!'],
    [{ job: { type: 5 } }, 'job__type', 'Not a valid string.'],
    [{ job: { type: 'x' } }, null, "Unknown plugin job: 'x'"],
    [jobWith(null), 'job__payload', 'This field may not be null.'],
    [jobWith([]), 'job__payload', 'Expected a dictionary of items but got type "list".'],
    [jobWith('{}'), 'job__payload', 'Expected a dictionary of items but got type "str".'],
    [jobWith({ events: '5' }), 'job__payload__events', 'events must be a number.'],
    [jobWith({ seed: 5 }), 'job__payload__seed', 'seed must be a string.'],
    [jobWith({ other: 5 }), null, 'Unknown field for job: other'],
    [{ order: 'x' }, 'order', 'A valid integer is required.'],
  ])('is refused for %j', async (body, attr, detail) => {
    const api = await startWithConfig()

    const refused = await api.post(api.job, body, ACCEPT_JSON)

    expect(refused).toMatchObject({ status: 400, body: { type: 'validation_error', attr, detail } })
    expect((await api.get(`${api.config}/runs`)).body.count).toBe(0)
    expect((await api.get(`${api.config}/activity`, ACCEPT_JSON)).body.count).toBe(1)
  })

  it('must be named if there are several', async () => {
    const api = await startWithConfig({ public_jobs: { one: {}, 'Clear all': {} } })

    const refused = await api.post(api.job, {})

    expect(refused).toMatchObject({ status: 400, body: { attr: 'job' } })
    expect(refused.body.detail).toContain("'one', 'Clear all'")
  })

  it.each([{}, { job: { type: 'x' } }])('is refused if the app has none: %j', async (body) => {
    const api = await startWithConfig({})

    expect(await api.post(api.job, body)).toMatchObject({
      status: 400,
      body: { detail: 'Plugin has no public jobs', attr: null },
    })
  })

  it('accepts staff-only fields from admins only', async () => {
    const payload = { limit: { type: 'number', staff_only: true } } as const
    const api = await startWithConfig({ public_jobs: { run: { payload } } })
    const job = { type: 'run', payload: { limit: 5 } }
    const member = await api.as({ level: 1 })
    const admin = await api.as({ level: 8 })

    const refused = await member.post(api.job, { job })

    expect(refused.body.detail).toBe('Field is only settable for admins: limit')
    expect((await admin.post(api.job, { job })).status).toBe(200)
  })

  it('is refused for a config in the trash', async () => {
    const api = await startWithConfig(4, { deleted: true })

    expect(await api.post(api.job)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect((await api.get(`${api.config}/runs`)).body.count).toBe(0)
  })
})

function jobWith(payload: unknown) {
  return { job: { type: 'Generate events', payload } }
}
