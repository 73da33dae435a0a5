import { describe, expect, it } from 'vitest'
import { changeAccess } from '#server/db/change.ts'
import { type Client, CONFIGS } from '../../../../../test/support/app/app.ts'
import { startImportApp, startTestWorker } from '../../../../../test/support/app/import-app.ts'
import { installPlugin } from '../../../../../test/support/app/plugin.ts'
import type { PublicJobs } from '../../plugins/schema.ts'

const SOURCE = `
  export const jobs = {
    async work(payload, { jobs }) { await jobs.hidden({ n: 1 }).runNow() },
    async hidden() { await posthog.capture('worked') },
  }
  export async function runEveryDay() {}
`
const PUBLIC: PublicJobs = {
  work: { payload: { all: { type: 'boolean', default: false, staff_only: true } } },
  hidden: {},
}

/** Starts config 1 without a worker, so that runs stay queued. */
async function startQueue() {
  const api = await startImportApp(SOURCE, {
    public_jobs: PUBLIC,
    scheduled_tasks: ['runEveryDay'],
  })
  await api.worker.stop()
  const { plugin } = (await api.get(`${CONFIGS}/1`)).body
  const queue = async (client: Client, type: string, payload = {}): Promise<string> => {
    const headers = { accept: 'application/json' }
    return (await client.post(`${CONFIGS}/1/job`, { job: { type, payload } }, headers)).body.id
  }
  const { code } = await api.db
    .selectFrom('plugins')
    .select('code')
    .where('id', '=', plugin)
    .executeTakeFirstOrThrow()
  const upgrade = (public_jobs: PublicJobs, scheduled_tasks: string[] = []) =>
    installPlugin(api.db, { code, public_jobs, scheduled_tasks }, plugin)
  return { api, plugin, queue, upgrade }
}

const demote = (api: { db: Parameters<typeof changeAccess>[0] }, userId: number) =>
  changeAccess(api.db, (tx) =>
    tx.updateTable('users').set({ level: 1 }).where('id', '=', userId).execute(),
  )

describe('a queued run', () => {
  it('is canceled when the config changes to another app, even if it changes back', async () => {
    const { api, plugin, queue } = await startQueue()
    const member = await api.as({})
    const run = await queue(member, 'work')

    await member.patch(`${CONFIGS}/1`, { plugin: 4 })
    await member.patch(`${CONFIGS}/1`, { plugin })
    startTestWorker(api)

    expect((await api.get(`${CONFIGS}/1/runs/${run}`)).body).toMatchObject({
      state: 'cancelled',
      message: 'The config changed to another app after this run was queued.',
      finished_at: expect.any(String),
    })
    expect(await api.post(`${CONFIGS}/1/runs/${run}/retry`)).toMatchObject({ status: 201 })
  })

  it('is canceled at its start if the config has another app', async () => {
    const { api, queue } = await startQueue()
    const run = await queue(api, 'work')
    const other = await installPlugin(api.db, { public_jobs: PUBLIC })
    await api.db.updateTable('plugin_configs').set({ plugin_id: other }).execute()

    startTestWorker(api)

    expect(await api.waitForRun(run)).toMatchObject({
      state: 'cancelled',
      message: expect.stringContaining('another app'),
      attempt: 1,
    })
    expect((await api.post(`${CONFIGS}/1/runs/${run}/retry`)).status).toBe(409)
  })

  it('is canceled when its job is no longer public', async () => {
    const { api, queue, upgrade } = await startQueue()
    const run = await queue(api, 'hidden')
    await upgrade({ work: {} })

    startTestWorker(api)

    expect(await api.waitForRun(run)).toMatchObject({
      state: 'cancelled',
      message: "This job is no longer allowed. Unknown plugin job: 'hidden'",
    })
    expect((await api.post(`${CONFIGS}/1/runs/${run}/retry`)).status).toBe(400)
    expect(await api.services.events.count(1)).toBe(0)
  })

  it('is canceled when its user can no longer set a staff-only field', async () => {
    const { api, queue } = await startQueue()
    const admin = await api.as({ level: 8 })
    const run = await queue(admin, 'work', { all: true })
    await demote(api, admin.userId)

    startTestWorker(api)

    expect(await api.waitForRun(run)).toMatchObject({
      state: 'cancelled',
      message: 'This job is no longer allowed. Field is only settable for admins: all',
    })
  })

  it('of a schedule is canceled when the app no longer has the task', async () => {
    const { api, upgrade } = await startQueue()
    await upgrade({}, ['runEveryDay'])
    const headers = { accept: 'application/json' }
    const { body: run } = await api.post(`${CONFIGS}/1/job`, {}, headers)
    await upgrade({})

    startTestWorker(api)

    expect(await api.waitForRun(run.id)).toMatchObject({
      state: 'cancelled',
      message: 'The app has no task runEveryDay.',
    })
  })

  it('runs and can be retried if the app queued it, even if its job is not public', async () => {
    const { api, queue, upgrade } = await startQueue()
    await upgrade({ work: {} })
    startTestWorker(api)
    await api.waitForRun(await queue(api, 'work'))
    const { body } = await api.get(`${CONFIGS}/1/runs`)
    const { id } = body.results.find(({ name }: { name: string }) => name === 'hidden')
    expect(await api.waitForRun(id)).toMatchObject({ state: 'succeeded' })

    const { body: retry } = await api.post(`${CONFIGS}/1/runs/${id}/retry`)

    expect(await api.waitForRun(retry.id)).toMatchObject({ state: 'succeeded', events: 1 })
  })
})

describe('a retry', () => {
  it('requires the level that the job requires now', async () => {
    const { api, queue } = await startQueue()
    const run = await queue(api, 'work', { all: true })
    await api.post(`${CONFIGS}/1/runs/${run}/cancel`)
    const member = await api.as({})

    const response = await member.post(`${CONFIGS}/1/runs/${run}/retry`)

    expect(response).toMatchObject({
      status: 400,
      body: { detail: 'Field is only settable for admins: all' },
    })
    expect((await api.post(`${CONFIGS}/1/runs/${run}/retry`)).status).toBe(201)
  })
})
