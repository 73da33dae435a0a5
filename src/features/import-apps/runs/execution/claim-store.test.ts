import { describe, expect, it } from 'vitest'
import { inSeconds } from '#server/db/values.ts'
import { CONFIGS, startApp, type TestApp } from '../../../../../test/app.ts'
import { insertRun, type NewRun, type RunRow } from '../store.ts'
import { claimRun, endRun, heartbeatRuns, listAbandonedRuns, requeueRun } from './claim-store.ts'

async function startWithConfigs(count: number): Promise<TestApp> {
  const api = await startApp()
  for (let made = 0; made < count; made++) await api.post(CONFIGS, { plugin: 4 })
  return api
}

const queue = async (api: TestApp, configId: number, more: Partial<NewRun> = {}): Promise<RunRow> =>
  (await insertRun(api.db, {
    project_id: 1,
    config_id: configId,
    kind: 'job',
    name: 'x',
    payload: {},
    message: '',
    created_by: null,
    ...more,
  })) as RunRow

const end = (api: TestApp, run: RunRow, message = 'Done.') =>
  api.db.transaction().execute((tx) => endRun(tx, run, { state: 'succeeded', message }))

const read = (api: TestApp, id: string) =>
  api.db.selectFrom('runs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

describe('a claim', () => {
  it('takes what has been due longest and leaves what is not due yet', async () => {
    const api = await startWithConfigs(3)
    await queue(api, 1, { run_at: inSeconds(60) })
    const second = await queue(api, 2, { run_at: inSeconds(-1) })
    const first = await queue(api, 3, { run_at: inSeconds(-2) })

    const claimed = [await claimRun(api.db, 'w'), await claimRun(api.db, 'w')]

    expect(claimed.map((run) => run?.id)).toEqual([first.id, second.id])
    expect(claimed[0]).toMatchObject({ state: 'running', worker: 'w', attempt: 1 })
    expect(await claimRun(api.db, 'w')).toBeUndefined()
  })

  it('gives a config one run at a time', async () => {
    const api = await startWithConfigs(2)
    const first = await queue(api, 1, { run_at: inSeconds(-2) })
    await queue(api, 1, { run_at: inSeconds(-1) })
    const other = await queue(api, 2)

    const claimed = [await claimRun(api.db, 'w'), await claimRun(api.db, 'w')]

    expect(claimed.map((run) => run?.id).sort()).toEqual([first.id, other.id].sort())
    expect(await claimRun(api.db, 'w')).toBeUndefined()
    await end(api, claimed.find((run) => run?.id === first.id) as RunRow)
    expect(await claimRun(api.db, 'w')).toMatchObject({ config_id: 1 })
  })

  it('is had by one of many who ask at once', async () => {
    const api = await startWithConfigs(4)
    for (const config of [1, 1, 1, 2, 2, 3, 4]) await queue(api, config)

    const claims = await Promise.all(
      Array.from({ length: 20 }, (_, n) => claimRun(api.db, `w${n}`)),
    )

    const configs = claims.flatMap((run) => (run ? [run.config_id] : []))
    expect(configs.sort()).toEqual([1, 2, 3, 4])
  })
})

describe('a run that was claimed', () => {
  it('is ended once, by the worker that claimed it', async () => {
    const api = await startWithConfigs(1)
    await queue(api, 1)
    const run = (await claimRun(api.db, 'w')) as RunRow

    expect(await end(api, { ...run, worker: 'other' })).toBe(false)
    expect(await end(api, { ...run, attempt: 2 })).toBe(false)
    expect(await end(api, run)).toBe(true)
    expect(await end(api, run, 'Again.')).toBe(false)
    expect(await read(api, run.id)).toMatchObject({ state: 'succeeded', message: 'Done.' })
  })

  it('is abandoned when its worker says nothing for a while', async () => {
    const api = await startWithConfigs(2)
    await queue(api, 1)
    await queue(api, 2)
    const [dead, alive] = [await claimRun(api.db, 'dead'), await claimRun(api.db, 'alive')]
    await api.db
      .updateTable('runs')
      .set({ heartbeat_at: inSeconds(-16) })
      .execute()

    const kept = await heartbeatRuns(api.db, 'alive')

    expect([...kept.keys()]).toEqual([alive?.id])
    expect((await listAbandonedRuns(api.db)).map(({ id }) => id)).toEqual([dead?.id])
  })

  it('goes back into the queue and is not due before its time', async () => {
    const api = await startWithConfigs(1)
    await queue(api, 1)
    const run = (await claimRun(api.db, 'w')) as RunRow

    await requeueRun(api.db, run, { message: 'Later.', delaySeconds: 60 })

    expect(await claimRun(api.db, 'w')).toBeUndefined()
    await api.db
      .updateTable('runs')
      .set({ run_at: inSeconds(-1) })
      .execute()
    expect(await claimRun(api.db, 'v')).toMatchObject({ id: run.id, attempt: 2, worker: 'v' })
    expect(await end(api, run)).toBe(false)
  })
})
