import { describe, expect, it } from 'vitest'
import { inSeconds } from '#server/db/values.ts'
import { CONFIGS, startApp } from '../../../../../test/support/app/app.ts'
import { createAppCache, pruneAppCache } from './cache-store.ts'
import { createAppStorage } from './storage-store.ts'

async function startWithConfigs() {
  const api = await startApp()
  for (const plugin of [4, 4, 1]) await api.post(CONFIGS, { plugin })
  return api
}

describe('meta.storage', { tags: 'sql' }, () => {
  it('sets, replaces and deletes values', async () => {
    const { db } = await startWithConfigs()
    const storage = createAppStorage(db, 1)

    await storage.set('a', '1')
    await storage.set('a', '{"b":2}')
    await storage.setIfAbsent('a', '3')
    await storage.setIfAbsent('c', '4')

    expect([await storage.get('a'), await storage.get('c')]).toEqual(['{"b":2}', '4'])
    await storage.delete('a')
    expect(await storage.get('a')).toBeUndefined()
  })

  it('belongs to one config and is deleted with it', async () => {
    const api = await startWithConfigs()
    await createAppStorage(api.db, 1).set('a', '1')

    expect(await createAppStorage(api.db, 2).get('a')).toBeUndefined()

    await api.delete(`${CONFIGS}/1`)
    expect(await api.db.selectFrom('app_storage').selectAll().execute()).toEqual([])
  })

  it('increments atomically', async () => {
    const { db } = await startWithConfigs()
    const storage = createAppStorage(db, 1)

    const counts = await Promise.all(Array.from({ length: 20 }, () => storage.increment('n', 2)))

    expect(counts.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => 2 * n + 2))
    expect(await storage.get('n')).toBe('40')
  })
})

describe('meta.cache', { tags: 'sql' }, () => {
  it('is shared by the configs of one app in one project', async () => {
    const api = await startWithConfigs()
    const project = await api.createProject()
    await createAppCache(api.db, 1, 4).set('a', 'x', undefined)

    expect(await createAppCache(api.db, 1, 4).get('a')).toBe('x')
    expect(await createAppCache(api.db, 1, 1).get('a')).toBeUndefined()
    expect(await createAppCache(api.db, project, 4).get('a')).toBeUndefined()
  })

  it('expires values', async () => {
    const { db } = await startWithConfigs()
    const cache = createAppCache(db, 1, 4)
    await cache.set('a', 'x', 60)
    await cache.set('b', 'y', undefined)
    await db
      .updateTable('app_cache')
      .set({ expires_at: inSeconds(-1) })
      .where('key', '=', 'a')
      .execute()

    expect([await cache.get('a'), await cache.get('b')]).toEqual([undefined, 'y'])
    expect([await cache.expire('a', 9), await cache.expire('b', 9)]).toEqual([false, true])
    expect(await cache.increment('a')).toBe(1)
    await db
      .updateTable('app_cache')
      .set({ expires_at: inSeconds(-1) })
      .execute()
    await pruneAppCache(db)
    expect(await db.selectFrom('app_cache').selectAll().execute()).toEqual([])
  })

  it('increments atomically, starting from a number that was set', async () => {
    const { db } = await startWithConfigs()
    const cache = createAppCache(db, 1, 4)
    await cache.set('n', '5', undefined)

    const counts = await Promise.all(Array.from({ length: 10 }, () => cache.increment('n')))

    expect(Math.max(...counts)).toBe(15)
    expect(new Set(counts).size).toBe(10)
  })

  it('stores lists', async () => {
    const { db } = await startWithConfigs()
    const cache = createAppCache(db, 1, 4)

    expect(await cache.push('l', ['a', 'b'])).toBe(2)
    expect(await cache.push('l', ['c', 'a'])).toBe(4)

    expect(await cache.range('l', 0, -1)).toEqual(['a', 'c', 'b', 'a'])
    expect(await cache.range('l', -2, 9)).toEqual(['b', 'a'])
    expect(await cache.remove('l', -1, 'a')).toBe(1)
    expect(await cache.range('l', 0, -1)).toEqual(['a', 'c', 'b'])
    expect(await cache.pop('l', 2)).toEqual(['a', 'c'])
    expect([await cache.length('l'), await cache.length('none')]).toEqual([1, 0])
    expect(await cache.remove('l', 0, 'b')).toBe(1)
  })
})
