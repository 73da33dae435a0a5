import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'

describe('the configuration', () => {
  it('has defaults', () => {
    expect(readConfig({})).toMatchObject({ host: '127.0.0.1', port: 8000, logLevel: 'info' })
  })

  it.each([
    [{ PORT: '0' }, { port: 0 }],
    [{ PORT: '1', HEDGEROW_PORT: '2' }, { port: 2 }],
    [{ HEDGEROW_TRUSTED_PROXY: 'loopback, 10.0.0.0/8,::1' }, { trustedProxy: expect.any(String) }],
    [{ DATABASE_URL: 'postgresql://x/y' }, { databaseUrl: 'postgresql://x/y' }],
  ])('takes %j', (env, expected) => expect(readConfig(env)).toMatchObject(expected))

  it.each([
    [{ HEDGEROW_PORT: '65536' }, /^HEDGEROW_PORT must be a number from 0 to 65535, not "65536"\.$/],
    [{ HEDGEROW_TRUSTED_PROXY: '10.0.0.0/8, banana' }, /holds "banana", which is no address/],
    [{ HEDGEROW_TRUSTED_PROXY: '10.0.0.0/33' }, /holds "10\.0\.0\.0\/33"/],
    [{ HEDGEROW_API_KEY_FILE: '/nowhere' }, /names \/nowhere, which does not exist/],
    [{ HEDGEROW_API_KEY_FILE: '/dev' }, /names \/dev, which cannot be read \(EISDIR\)/],
    [{ HEDGEROW_PORT: 'x', DATABASE_URL: 'mysql://x' }, /HEDGEROW_PORT.*DATABASE_URL/],
  ])('refuses %j', (env, expected) => expect(() => readConfig(env)).toThrow(expected))
})
