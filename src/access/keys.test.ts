import { describe, expect, it } from 'vitest'
import { startStorage } from '../../test/support/app/storage.ts'
import {
  findApiKeyPrincipal,
  generateApiKey,
  hashApiKey,
  insertApiKey,
  maskApiKey,
} from './keys.ts'

const KEY = {
  userId: 1,
  label: 'CI',
  scopes: ['dashboard:read'],
  projects: undefined,
  expiresAt: undefined,
} as const

describe('API keys', () => {
  it('consist of phx_ and 43 random characters', () => {
    const keys = Array.from({ length: 100 }, generateApiKey)

    expect(new Set(keys).size).toBe(100)
    for (const key of keys) expect(key).toMatch(/^phx_[0-9a-zA-Z]{43}$/)
  })

  it('are stored only as the hash that PostHog uses', async () => {
    const { db } = await startStorage()
    const value = generateApiKey()

    await insertApiKey(db, { ...KEY, value })

    const rows = await db.selectFrom('api_keys').selectAll().where('label', '=', 'CI').execute()
    expect(rows).toMatchObject([{ hash: hashApiKey(value), mask: `phx_...${value.slice(-4)}` }])
    expect(JSON.stringify(rows)).not.toContain(value)
    expect(hashApiKey('test_key_12345')).toBe(
      'sha256$45af89b510a3279a817f851de5d3f95b73485d58ec2672a39e52d8aeeb014059',
    )
    expect(maskApiKey('phx_abcdefgh')).toBe('phx_...efgh')
  })

  it('identify their owner, scopes and projects', async () => {
    const { db } = await startStorage()
    const expiresAt = '2030-01-01T00:00:00.000Z'
    await insertApiKey(db, { ...KEY, value: 'phx_1', projects: [1, 7], expiresAt })

    const holder = await findApiKeyPrincipal(db, 'phx_1')

    expect(holder).toMatchObject({
      userId: 1,
      level: 15,
      scopes: new Set(['dashboard:read']),
      projects: new Set([1, 7]),
      memberOf: new Set([1]),
      currentProject: 1,
      expiresAt,
      lastUsedAt: null,
    })
    expect(await findApiKeyPrincipal(db, 'phx_2')).toBeUndefined()
    expect(await findApiKeyPrincipal(db, hashApiKey('phx_1'))).toBeUndefined()
  })
})
