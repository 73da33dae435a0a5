import { describe, expect, it } from 'vitest'
import { recordServices, runBody } from './apps.ts'
import { startEscaped } from './escaped.ts'

const event = (properties: string): string =>
  `'{"event":"e","distinct_id":"d","timestamp":"2030-01-01T00:00:00.000Z","properties":{"v":' + ${properties} + '}}'`

const OBJECTS = "'[' + Array(30000).fill('{}').join() + ']'"

describe('a large event of an app', () => {
  it('is converted in another thread and stored in order with small ones', async () => {
    const calls: string[] = []
    const services = recordServices()
    const { outcome } = await runBody(
      `posthog.capture('first')
       posthog.capture('large', { v: Array(20000).fill({ b: 1, a: 'ü' }) })
       posthog.capture('last')`,
      {
        services: {
          ...services,
          capture: (events) => {
            calls.push(`small ${events.length}`)
            return services.capture(events)
          },
          captureLarge: (json) => {
            calls.push('large')
            return services.captureLarge(json)
          },
        },
      },
    )

    expect(outcome).toEqual({ ended: 'succeeded' })
    expect(calls).toEqual(['small 1', 'large', 'small 1'])
    expect(services.events.map((stored) => stored.event)).toEqual(['first', 'large', 'last'])
    const { v } = JSON.parse(services.events[1]?.properties ?? '')
    expect([v.length, JSON.stringify(v[0])]).toEqual([20_000, '{"a":"ü","b":1}'])
  })

  it('is refused for its values, and the app and its log get the reason', async () => {
    const { outcome, events, messages } = await runBody(
      `posthog.capture('not awaited', { v: Array(120000).fill(0) })
       await posthog.capture('large', { v: Array(120000).fill(0) }).catch((error) => console.log(error.message))
       await posthog.capture('small')`,
    )

    const reason = 'An event has more than 100,000 values.'
    expect(outcome).toEqual({ ended: 'succeeded' })
    expect(events.map((stored) => stored.event)).toEqual(['small'])
    expect(messages()).toEqual([
      `Events were refused: ${reason}`,
      `Events were refused: ${reason}`,
      reason,
    ])
  })

  it.each([
    ['size', event(`'"' + 'x'.repeat(600000) + '"'`), 'An event is larger than 524288 bytes.'],
    ['values', event(`'[' + '1,'.repeat(100001) + '1]'`), 'An event has more than 100,000 values.'],
    [
      'nesting',
      event(`'['.repeat(80) + ${OBJECTS} + ']'.repeat(80)`),
      'nested more than 64 levels',
    ],
    ['syntax', event(`${OBJECTS} + ']'`), 'JSON parse error'],
    ['shape', `(${OBJECTS})`, 'The app sent an invalid event.'],
  ])(
    "is refused for its %s by the host, whatever the app's process checks",
    async (_, text, reason) => {
      const { services } = await startEscaped(`
      process.stdin.on('data', (part) => { if (String(part).includes('refuse')) { log('refused'); process.exit() } })
      capture('[' + ${text} + ']')`)

      expect(services.messages()[0]).toContain('Events were refused: ')
      expect(services.messages()[0]).toContain(reason)
      expect(services.messages()[1]).toBe('refused')
      expect(services.events).toEqual([])
    },
  )
})

describe('events of an app', () => {
  it('count as calls by their size', async () => {
    const { services } = await startEscaped(
      `const events = '[' + Array(100).fill(${event(`'"' + 'x'.repeat(500) + '"'`)}).join() + ']'
       for (let sent = 0; sent < 100; sent++) capture(events)`,
      undefined,
      { callsPerSecond: 4, loadMs: 1500 },
    )

    const stored = services.events.length / 100
    expect(stored).toBeGreaterThanOrEqual(4)
    expect(stored).toBeLessThan(50)
  })
})

describe('a call of an app', () => {
  it('with many values is refused before it leaves the app', async () => {
    const { outcome, messages } = await runBody(
      `await meta.utils.postgres.query('postgres://db.example.com/x', 'select 1', Array(30000).fill(1))
         .catch((error) => console.log(error.message))`,
    )

    expect(outcome).toEqual({ ended: 'succeeded' })
    expect(messages()).toEqual(['This is too large to leave the app. Send it in smaller parts.'])
  })
})
