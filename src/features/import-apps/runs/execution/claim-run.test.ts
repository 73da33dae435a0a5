import { describe, expect, it } from 'vitest'
import { inSeconds } from '#server/db/values.ts'
import type { RunRow } from '#server/features/import-apps/queue/store.ts'
import { CONFIGS, startApp, type TestApp } from '../../../../../test/support/app/app.ts'
import { queueJob } from '../../../../../test/support/data/runs.ts'
import { claimRun } from './claim-run.ts'
import { requeueRun } from './claim-store.ts'

async function startWithConfigs(count: number): Promise<TestApp> {
  const api = await startApp()
  for (let made = 0; made < count; made++) await api.post(CONFIGS, { plugin: 4, enabled: true })
  return api
}

/** Creates another project with enabled configs and returns their ids. */
async function addProject(api: TestApp, configs: number) {
  const project = await api.createProject()
  const path = api.path(CONFIGS, project)
  const ids: number[] = []
  for (let made = 0; made < configs; made++) {
    ids.push((await api.post(path, { plugin: 4, enabled: true })).body.id)
  }
  return { project, ids }
}

const claim = (api: TestApp, worker = 'w', slots = 4) => claimRun(api.db, { worker, slots })

const end = (api: TestApp, { id }: { id: string }) =>
  api.db.updateTable('runs').set({ state: 'succeeded' }).where('id', '=', id).execute()

describe('claiming a run', { tags: 'sql' }, () => {
  it('returns the run that has been due longest, and none that is not due', async () => {
    const api = await startWithConfigs(3)
    await queueJob(api, 1, { run_at: inSeconds(60) })
    const second = await queueJob(api, 2, { run_at: inSeconds(-1) })
    const first = await queueJob(api, 3, { run_at: inSeconds(-2) })

    const claimed = [await claim(api, 'w'), await claim(api, 'w')]

    expect(claimed.map((run) => run?.id)).toEqual([first.id, second.id])
    expect(claimed[0]).toMatchObject({ state: 'running', worker: 'w', attempt: 1 })
    expect(await claim(api, 'w')).toBeUndefined()
  })

  it('returns one run of a config at a time', async () => {
    const api = await startWithConfigs(2)
    const first = await queueJob(api, 1, { run_at: inSeconds(-2) })
    await queueJob(api, 1, { run_at: inSeconds(-1) })
    const other = await queueJob(api, 2)

    const claimed = [await claim(api, 'w'), await claim(api, 'w')]

    expect(claimed.map((run) => run?.id).sort()).toEqual([first.id, other.id].sort())
    expect(await claim(api, 'w')).toBeUndefined()
    await end(api, first)
    expect(await claim(api, 'w')).toMatchObject({ config_id: 1 })
  })

  it('returns each run to one of twenty concurrent workers', async () => {
    const api = await startWithConfigs(4)
    for (const config of [1, 1, 1, 2, 2, 3, 4]) await queueJob(api, config)

    const claims = await Promise.all(Array.from({ length: 20 }, (_, n) => claim(api, `w${n}`)))

    const configs = claims.flatMap((run) => (run ? [run.config_id] : []))
    expect(configs.sort()).toEqual([1, 2, 3, 4])
  })
})

describe('the runs of one config', { tags: 'sql' }, () => {
  it('keep their order when the first is restarted', async () => {
    const api = await startWithConfigs(1)
    const first = await queueJob(api, 1, { run_at: inSeconds(-9) })
    const second = await queueJob(api, 1, { run_at: inSeconds(-8) })
    const run = (await claim(api)) as RunRow

    await requeueRun(api.db, run, { message: 'The worker died.', delaySeconds: 0 })

    expect(await claim(api)).toMatchObject({ id: first.id, attempt: 2 })
    await end(api, first)
    expect(await claim(api)).toMatchObject({ id: second.id })
  })

  it('wait for the retry of the first, but not for jobs that are not due', async () => {
    const api = await startWithConfigs(2)
    await queueJob(api, 1, { run_at: inSeconds(-9) })
    await queueJob(api, 1, { run_at: inSeconds(-8) })
    await queueJob(api, 2, { run_at: inSeconds(60) })
    const other = await queueJob(api, 2)
    const run = (await claim(api)) as RunRow
    await requeueRun(api.db, run, { message: 'Later.', delaySeconds: 60 })

    expect(await claim(api)).toMatchObject({ id: other.id })

    expect(await claim(api)).toBeUndefined()
  })
})

describe('the runs of several projects', { tags: 'sql' }, () => {
  it('take turns regardless of how many each has queued', async () => {
    const api = await startWithConfigs(5)
    const { project, ids } = await addProject(api, 2)
    for (const config of [1, 2, 3, 4, 5]) await queueJob(api, config, { run_at: inSeconds(-60) })
    for (const config of ids) await queueJob(api, config, { project_id: project })

    const claimed = []
    for (let n = 0; n < 4; n++) claimed.push((await claim(api, 'w', 9))?.project_id)

    expect(claimed).toEqual([1, project, 1, project])
  })

  it('start first for the project with the fewest active runs', async () => {
    const api = await startWithConfigs(2)
    const { project, ids } = await addProject(api, 1)
    const startedAt = (run: RunRow | undefined, started_at: string) =>
      api.db
        .updateTable('runs')
        .set({ started_at })
        .where('id', '=', run?.id ?? '')
        .execute()
    await queueJob(api, 1)
    await startedAt(await claim(api), inSeconds(-100))
    const [other = 0] = ids
    await queueJob(api, other, { project_id: project })
    const ended = (await claim(api)) as RunRow
    await startedAt(ended, inSeconds(-1))
    await end(api, ended)
    await queueJob(api, 2, { run_at: inSeconds(-60) })
    await queueJob(api, other, { project_id: project })

    expect(await claim(api)).toMatchObject({ project_id: project })
  })

  it('take turns on a worker with one slot', async () => {
    const api = await startWithConfigs(3)
    const { project, ids } = await addProject(api, 2)
    for (const config of [1, 2, 3]) await queueJob(api, config, { run_at: inSeconds(-60) })
    for (const config of ids) await queueJob(api, config, { project_id: project })

    const claimed = []
    for (let n = 0; n < 4; n++) {
      const run = (await claim(api, 'w', 1)) as RunRow
      claimed.push(run.project_id)
      // two claims within a millisecond would be a tie
      const started_at = inSeconds(n - 9)
      await api.db.updateTable('runs').set({ started_at }).where('id', '=', run.id).execute()
      await end(api, run)
    }

    expect(claimed).toEqual([1, project, 1, project])
  })

  it('leave one slot of each worker to other projects with enabled configs', async () => {
    const api = await startWithConfigs(6)
    for (const config of [1, 2, 3, 4, 5, 6]) await queueJob(api, config, { run_at: inSeconds(-60) })
    const claimAll = async (worker: string) => {
      let count = 0
      while (await claim(api, worker, 3)) count++
      return count
    }
    const { ids } = await addProject(api, 1)

    expect(await claimAll('w')).toBe(2)
    expect(await claimAll('v')).toBe(2)

    await api.db.updateTable('plugin_configs').set({ enabled: 0 }).where('id', 'in', ids).execute()
    expect(await claim(api, 'w', 3)).toMatchObject({ state: 'running' })
  })
})
