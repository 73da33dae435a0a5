import { describe, expect, it } from 'vitest'
import { inSeconds } from '#server/db/values.ts'
import { CONFIGS, startApp } from '../../../../../test/support/app/app.ts'
import { startImportApp } from '../../../../../test/support/app/import-app.ts'
import { createAppCache } from './cache-store.ts'
import { createAppStorage } from './storage-store.ts'

const HALF_MIB = 'x'.repeat(512 * 1024)

async function startWithConfigs() {
  const api = await startApp()
  for (const plugin of [4, 4]) await api.post(CONFIGS, { plugin })
  return api
}

describe('an app that exceeds its storage limits', () => {
  it('gets an error that names the limit, and its run continues', async () => {
    const api = await startImportApp(`
      const fill = async (write) => { for (let i = 0; i < 1000; i++) try { await write(i) } catch (error) { return i + ': ' + error.message } }
      export const jobs = { async work(_, { cache, storage }) {
        const text = 'x'.repeat(500_000)
        console.log(await fill((i) => storage.set('key' + i, text)))
        console.log(await fill(() => cache.lpush('list', Array(2).fill(text))))
        console.log(await fill((i) => cache.set('key' + i, text)))
        await cache.lpush('list', Array(3).fill(text)).catch((error) => console.log(error.message))
        await storage.set('key0', 'less')
        await storage.set('after', 1)
        console.log(await cache.lpop('list', 1).then(([one]) => one.length), await storage.get('after'))
      } }`)

    const run = await api.runJob('work')

    expect(run).toMatchObject({ state: 'succeeded' })
    const storageFull = 'meta.storage is full: a config can store 32 MiB.'
    const cacheFull = 'meta.cache is full: the configs of an app in a project can cache 8 MiB.'
    expect((await api.logged()).filter((line) => !line.includes('setupPlugin'))).toEqual([
      `67: ${storageFull}`,
      `8: ${cacheFull}`,
      `0: ${cacheFull}`,
      'The values are larger than 1048576 bytes together.',
      '500000 1',
    ])
  })
})

describe('the limit of meta.storage', () => {
  it('follows replaced and deleted values of each config', async () => {
    const { db } = await startWithConfigs()
    const storage = createAppStorage(db, 1)
    for (let i = 0; i < 63; i += 1) await storage.set(`k${i}`, HALF_MIB)

    await expect(storage.set('more', HALF_MIB)).rejects.toThrow('meta.storage is full')
    await expect(storage.setIfAbsent('more', HALF_MIB)).rejects.toThrow('meta.storage is full')
    await createAppStorage(db, 2).set('k', HALF_MIB)
    await storage.setIfAbsent('k0', HALF_MIB)
    await storage.set('k0', '1')
    await storage.delete('k1')
    await storage.delete('k1')
    expect(await storage.increment('k0', 1)).toBe(2)
    await storage.set('k0', HALF_MIB)
    await storage.set('k1', HALF_MIB)
    await expect(storage.set('more', HALF_MIB)).rejects.toThrow('meta.storage is full')
    const sums = await db
      .selectFrom('app_storage')
      .select(({ fn }) => ['config_id', fn.sum<number>('size').as('bytes')])
      .groupBy('config_id')
      .orderBy('config_id')
      .execute()
    const totals = await db
      .selectFrom('app_storage_totals')
      .select(['config_id', 'bytes'])
      .orderBy('config_id')
      .execute()
    expect(totals).toEqual(
      sums.map(({ config_id, bytes }) => ({ config_id, bytes: Number(bytes) })),
    )
  })
})

describe('the limit of meta.cache', () => {
  it('follows lists, and popped, removed, replaced and expired values', async () => {
    const { db } = await startWithConfigs()
    const cache = createAppCache(db, 1, 4)
    const four = Array(4).fill(HALF_MIB)
    for (let i = 0; i < 3; i += 1) await cache.push('l', four)
    await cache.set('old', HALF_MIB, 60)
    await cache.set('kept', 'x', undefined)
    const push = () => cache.push('l', four)
    const total = async () =>
      (await db.selectFrom('app_cache_totals').selectAll().executeTakeFirstOrThrow()).bytes

    await expect(push()).rejects.toThrow('meta.cache is full')
    expect(await cache.length('l')).toBe(12)
    await db
      .updateTable('app_cache')
      .set({ expires_at: inSeconds(-1) })
      .where('key', '=', 'old')
      .execute()
    await expect(push()).rejects.toThrow('meta.cache is full')
    expect(await cache.push('l', four.slice(1))).toBe(15)
    expect(await cache.get('old')).toBeUndefined()
    expect((await cache.pop('l', 5)).length).toBe(5)
    expect(await push()).toBe(14)
    expect(await cache.remove('l', -3, HALF_MIB)).toBe(3)
    expect(await cache.remove('l', 0, HALF_MIB)).toBe(11)
    expect(await cache.length('l')).toBe(0)
    await cache.push('l', ['a'])
    await cache.set('l', 'text', undefined)
    expect(await total()).toBeLessThan(1000)
    expect(await db.selectFrom('app_cache_items').selectAll().execute()).toEqual([])
  })

  it('does not rewrite the other items of a list', async () => {
    const { db } = await startWithConfigs()
    const cache = createAppCache(db, 1, 4)
    await cache.push('l', ['a', 'b', 'c'])
    const rows = () =>
      db.selectFrom('app_cache_items').select(['position', 'value']).orderBy('position').execute()
    const before = await rows()

    await cache.push('l', ['d'])
    await cache.pop('l', 1)
    await cache.push('l', ['e'])

    expect((await rows()).slice(1)).toEqual(before)
    expect(await cache.range('l', 0, -1)).toEqual(['e', 'c', 'b', 'a'])
    expect(await cache.range('l', 5, 9)).toEqual([])
    expect(await cache.range('l', -9, -3)).toEqual(['e', 'c'])
  })

  it('applies to concurrent changes', async () => {
    const { db } = await startWithConfigs()
    const cache = createAppCache(db, 1, 4)

    const pushes = await Promise.allSettled(
      Array.from({ length: 24 }, (_, n) => cache.push(`l${n % 2}`, [HALF_MIB])),
    )

    expect(pushes.filter(({ status }) => status === 'fulfilled')).toHaveLength(15)
    expect((await cache.length('l0')) + (await cache.length('l1'))).toBe(15)
  })
})
