import { describe, expect, it } from 'vitest'
import { createThrottle, FAILURES_PER_MINUTE } from './throttle.ts'

function start() {
  let now = 1_000_000
  const throttle = createThrottle(() => now)
  const fail = (address: string, count = 1) => {
    for (let time = 0; time < count; time++) throttle.countFailure(address)
  }
  return { throttle, fail, wait: (ms: number) => (now += ms) }
}

describe('the throttle', () => {
  it('refuses an address after too many failures', () => {
    const { throttle, fail } = start()
    fail('a', FAILURES_PER_MINUTE - 1)
    expect(() => throttle.require('a')).not.toThrow()

    fail('a')

    expect(() => throttle.require('a')).toThrow('Expected available in 60 seconds.')
    expect(() => throttle.require('b')).not.toThrow()
  })

  it.each([
    [1, 60],
    [30_000, 30],
    [58_000, 2],
    [59_000, 1],
    [59_999, 1],
  ])('after %i ms asks to wait %i s', (elapsed, seconds) => {
    const { throttle, fail, wait } = start()
    fail('a', FAILURES_PER_MINUTE)

    wait(elapsed)

    const unit = seconds === 1 ? 'second' : 'seconds'
    expect(() => throttle.require('a')).toThrow(
      expect.objectContaining({
        message: `Request was throttled. Expected available in ${seconds} ${unit}.`,
        headers: { 'retry-after': String(seconds) },
      }),
    )
  })

  it('counts all addresses of an IPv6 /64 together', () => {
    const { throttle, fail } = start()
    for (let last = 0; last < FAILURES_PER_MINUTE; last++) fail(`2001:db8::${last.toString(16)}`)

    expect(() => throttle.require('2001:db8:0:0:ffff::1')).toThrow('throttled')
    expect(() => throttle.require('2001:db8:0:1::1')).not.toThrow()
  })

  it('resets after a minute', () => {
    const { throttle, fail, wait } = start()
    fail('a', FAILURES_PER_MINUTE)

    wait(60_000)

    expect(() => throttle.require('a')).not.toThrow()
    fail('a')
    expect(() => throttle.require('a')).not.toThrow()
  })

  it('does not count a forgiven failure', () => {
    const { throttle, fail } = start()
    fail('a', FAILURES_PER_MINUTE)

    throttle.forgive('a')

    expect(() => throttle.require('a')).not.toThrow()
    fail('a')
    expect(() => throttle.require('a')).toThrow()
  })

  it('starts the minute at the first failure', () => {
    const { throttle, fail, wait } = start()
    fail('a')
    wait(59_000)

    fail('a', FAILURES_PER_MINUTE - 1)

    expect(() => throttle.require('a')).toThrow('in 1 second.')
  })
})
