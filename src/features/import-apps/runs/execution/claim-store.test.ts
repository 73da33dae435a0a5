import { describe, expect, it } from 'vitest'
import { inSeconds } from '#server/db/values.ts'
import type { RunRow } from '#server/features/import-apps/queue/store.ts'
import { CONFIGS, startApp, type TestApp } from '../../../../../test/support/app/app.ts'
import { queueJob } from '../../../../../test/support/data/runs.ts'
import { claimRun } from './claim-run.ts'
import { endRun, heartbeatRuns, listAbandonedRuns, requeueRun } from './claim-store.ts'

async function startWithConfigs(count: number): Promise<TestApp> {
  const api = await startApp()
  for (let made = 0; made < count; made++) await api.post(CONFIGS, { plugin: 4 })
  return api
}

const end = (api: TestApp, run: RunRow, message = 'Done.') =>
  api.db.transaction().execute((tx) => endRun(tx, run, { state: 'succeeded', message }))

const claim = (api: TestApp, worker: string) => claimRun(api.db, { worker, slots: 4 })

const read = (api: TestApp, id: string) =>
  api.db.selectFrom('runs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

describe('a claimed run', { tags: 'sql' }, () => {
  it('is ended once, only by the worker that claimed it', async () => {
    const api = await startWithConfigs(1)
    await queueJob(api, 1)
    const run = (await claim(api, 'w')) as RunRow

    expect(await end(api, { ...run, worker: 'other' })).toBe(false)
    expect(await end(api, { ...run, attempt: 2 })).toBe(false)
    expect(await end(api, run)).toBe(true)
    expect(await end(api, run, 'Again.')).toBe(false)
    expect(await read(api, run.id)).toMatchObject({ state: 'succeeded', message: 'Done.' })
  })

  it('is abandoned when its worker sends no heartbeats', async () => {
    const api = await startWithConfigs(2)
    await queueJob(api, 1)
    await queueJob(api, 2)
    const [dead, alive] = [await claim(api, 'dead'), await claim(api, 'alive')]
    await api.db
      .updateTable('runs')
      .set({ heartbeat_at: inSeconds(-16) })
      .execute()

    const kept = await heartbeatRuns(api.db, 'alive', [dead?.id ?? '', alive?.id ?? ''])

    expect([...kept.keys()]).toEqual([alive?.id])
    expect((await listAbandonedRuns(api.db)).map(({ id }) => id)).toEqual([dead?.id])
  })

  it('is requeued and not due before its retry time', async () => {
    const api = await startWithConfigs(1)
    await queueJob(api, 1)
    const run = (await claim(api, 'w')) as RunRow

    await requeueRun(api.db, run, { message: 'Later.', delaySeconds: 60 })

    expect(await claim(api, 'w')).toBeUndefined()
    await api.db
      .updateTable('runs')
      .set({ retry_at: inSeconds(-1) })
      .execute()
    expect(await claim(api, 'v')).toMatchObject({ id: run.id, attempt: 2, worker: 'v' })
    expect(await end(api, run)).toBe(false)
  })
})
