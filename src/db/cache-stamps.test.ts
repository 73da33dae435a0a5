import { describe, expect, it, onTestFinished } from 'vitest'
import { storageOptions } from '../../test/support/app/storage.ts'
import { changeAccess, changeProject } from './change.ts'
import { openStorage, type StorageOptions } from './open.ts'
import type { Tx } from './schema.ts'

async function open(options: StorageOptions) {
  const storage = await openStorage(options)
  onTestFinished(() => storage.close())
  return storage
}

/** Opens two connections, as two servers or a server and the command line do. */
async function start(database: string) {
  const options = await storageOptions(database)
  return { ours: await open(options), theirs: await open(options) }
}

const insertDashboard = (tx: Tx) =>
  tx
    .insertInto('dashboards')
    .values({
      project_id: 1,
      name: '',
      name_key: '',
      search_key: '',
      description: '',
      pinned: 0,
      deleted: 0,
      is_shared: 0,
      creation_mode: 'default',
      use_template: '',
      filters: '{}',
      variables: '{}',
      tags: '[]',
      restriction_level: 21,
      created_at: '',
    })
    .execute()

describe.each(['sqlite', 'postgres'])('cache stamps on %s', (database) => {
  it('stay equal without a change', async () => {
    const { ours } = await start(database)

    expect(await ours.stamps.read(1, 0)).toEqual(await ours.stamps.read(1, 0))
    expect(await ours.stamps.read(1, 0)).toEqual({
      access: expect.any(Number),
      project: expect.any(Number),
      dashboard: undefined,
    })
    expect(await ours.stamps.read(987654, 0)).toMatchObject({ project: undefined })
  })

  it('change immediately after a commit', async () => {
    const { ours } = await start(database)
    const before = await ours.stamps.read(1, 1)

    await changeProject(ours.db, 1, insertDashboard)

    const after = await ours.stamps.read(1, 1)
    expect(after.project).toBe(Number(before.project) + 1)
    expect(after.dashboard).toBe(1)
    expect(after.access).toBe(before.access)
  })

  it('change when access changes', async () => {
    const { ours } = await start(database)
    const before = await ours.stamps.read(1, 0)

    await changeAccess(ours.db, async () => {})

    expect(await ours.stamps.read(1, 0)).toEqual({ ...before, access: before.access + 1 })
  })

  it('stay equal after a failed change', async () => {
    const { ours } = await start(database)
    const before = await ours.stamps.read(1, 0)

    const change = changeProject(ours.db, 1, () => Promise.reject(new Error('no')))

    await expect(change).rejects.toThrow('no')
    expect(await ours.stamps.read(1, 0)).toEqual(before)
  })

  it("change after another connection's commit", async () => {
    const { ours, theirs } = await start(database)
    const before = await ours.stamps.read(1, 1)

    await changeProject(theirs.db, 1, insertDashboard)

    await expect
      .poll(() => ours.stamps.read(1, 1), { timeout: 1000 })
      .toMatchObject({ project: Number(before.project) + 1, dashboard: 1 })
  })

  it('distinguish projects and dashboards', async () => {
    const { ours } = await start(database)
    await changeProject(ours.db, 1, insertDashboard)

    expect(await ours.stamps.read(1, 1)).toMatchObject({ dashboard: 1 })
    expect(await ours.stamps.read(1, 2)).toMatchObject({ dashboard: undefined })
    expect(await ours.stamps.read(2, 1)).toMatchObject({ project: undefined, dashboard: undefined })
  })
})

it("notices another server's commit at once on PostgreSQL", async () => {
  const { ours, theirs } = await start('postgres')
  const before = await ours.stamps.read(1, 0)

  await changeProject(theirs.db, 1, async () => {})

  expect((await ours.stamps.read(1, 0)).project).toBe(Number(before.project) + 1)
})
