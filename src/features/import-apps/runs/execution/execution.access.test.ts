import { describe, expect, it } from 'vitest'
import { inSeconds } from '#server/db/values.ts'
import { queueRun } from '#server/features/import-apps/queue/store.ts'
import { CONFIGS, type TestApp } from '../../../../../test/support/app/app.ts'
import { startImportApp } from '../../../../../test/support/app/import-app.ts'

const SECRET = 'tok-4f9a"Zürich'

describe('an app', () => {
  it('has read-only API access to its own project', async () => {
    const api = await startImportApp(`
      export const jobs = {
        async work() {
          const own = await posthog.api.get('/api/projects/@current/pipeline_import_apps_configs')
          console.log(own.status, (await own.json()).count)
          console.log((await posthog.api.get('/api/projects/2/dashboards')).status)
          const dashboards = '/api/projects/@current/dashboards'
          const read = (await posthog.api.get(dashboards)).status
          const written = (await posthog.api.post(dashboards, { data: { name: 'Mine' } })).status
          console.log('dashboards', read, written)
        },
      }
    `)
    await api.createProject()

    const run = await api.runJob('work')

    expect(run).toMatchObject({ state: 'succeeded' })
    expect(await api.logged()).toEqual(
      expect.arrayContaining(['200 1', '403', 'dashboards 200 403']),
    )
    const keys = await api.db.selectFrom('api_keys').select(['label', 'projects']).execute()
    expect(keys).toContainEqual({ label: 'Import apps', projects: '[1]' })
  })

  it('gets its secrets, which are masked in logs and errors', async () => {
    const config_schema = [{ key: 'token', type: 'string' as const, secret: true }]
    const source = `
      export const jobs = {
        async work(payload, { config }) {
          await posthog.capture('told', { secret: config.token })
          console.log('the token is ' + config.token, { token: config.token })
          console.error(new Error(config.token))
          throw new Error('cannot use ' + config.token)
        },
      }
    `
    const api = await startImportApp(source, { config_schema, settings: { token: SECRET } })

    const run = await api.runJob('work')

    const [event] = await api.services.events.list(1, { limit: 1, offset: 0 })
    expect(JSON.parse(event?.properties ?? '{}').secret).toBe(SECRET) // the app has it
    expect(run).toMatchObject({ state: 'failed' })
    const output = JSON.stringify([
      run,
      await api.logged(),
      (await api.get(`${CONFIGS}/1`)).body,
      (await api.get(`${CONFIGS}/1/activity`, { accept: 'application/json' })).body,
    ])
    expect(output).toContain('the token is ****************')
    expect(output).not.toContain('tok-4f9a')
  })

  it('cannot reach private addresses', async () => {
    const api = await startImportApp(`
      export const jobs = {
        async work() {
          for (const url of ['http://169.254.169.254/latest/meta-data', 'http://localhost:1/', 'http://[::1]/']) {
            await fetch(url).then(() => console.log('reached'), (error) => console.log(error.message))
          }
        },
      }
    `)

    await api.runJob('work')

    const output = await api.logged()
    expect(output.filter((line) => line.startsWith('Internal hostname: '))).toHaveLength(3)
    expect(output).not.toContain('reached')
  })

  it('cannot queue more than 1000 jobs', async () => {
    const api = await startImportApp(`
      export const jobs = { async work(payload, { jobs }) { await jobs.work().runNow() } }
    `)
    await queueFarAhead(api, 1000)

    const run = await api.runJob('work')

    expect(run).toMatchObject({
      state: 'failed',
      attempt: 1,
      message: expect.stringContaining('This app already has 1000 jobs in the queue.'),
    })
  })
})

async function queueFarAhead(api: TestApp, count: number): Promise<void> {
  await api.db.transaction().execute(async (tx) => {
    for (let made = 0; made < count; made++) {
      await queueRun(tx, {
        project_id: 1,
        config_id: 1,
        plugin_id: 4,
        kind: 'job',
        name: 'work',
        payload: undefined,
        message: '',
        created_by: null,
        run_at: inSeconds(3600),
      })
    }
  })
}
