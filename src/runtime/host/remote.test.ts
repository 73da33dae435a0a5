import { describe, expect, it } from 'vitest'
import { EgressError } from '#server/egress/egress-error.ts'
import { createRemote, parseRetryAfter } from './remote.ts'

const A = new URL('https://api.example.com/a')
const B = new URL('https://api.example.com/b')

describe('trouble with a remote server', () => {
  it('lasts until the same URL succeeds', () => {
    const remote = createRemote()
    remote.recordResponse(A, 429, '30')
    remote.recordResponse(B, 200, undefined)
    expect(remote.trouble?.retryAfterMs).toBe(30_000)

    remote.recordResponse(A, 200, undefined)

    expect(remote.trouble).toBe(undefined)
  })

  it.each([
    ['network', true],
    ['unknown-host', false],
    ['certificate', false],
  ] as const)('of the kind %s is temporary: %s', (kind, isTemporary) => {
    const remote = createRemote()

    remote.recordFailure(A, new EgressError(kind, 'failed'))

    expect(remote.trouble !== undefined).toBe(isTemporary)
  })

  it.each([200, 301, 401, 404])('is not a response with status %i', (status) => {
    const remote = createRemote()

    remote.recordResponse(A, status, '30')

    expect(remote.trouble).toBe(undefined)
  })
})

describe('Retry-After', () => {
  const time = Date.UTC(2026, 0, 1)

  it.each([
    ['120', 120_000],
    [' 0 ', 0],
    ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
    ['soon', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%j is %j ms', (header, ms) => {
    expect(parseRetryAfter(header, time)).toBe(ms)
  })
})
