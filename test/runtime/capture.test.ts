import { describe, expect, it } from 'vitest'
import { createSpec, eventually, recordServices, run, runBody, startRuntime } from './apps.ts'

describe('posthog.capture', () => {
  it('takes the distinct ID and the time from the properties', async () => {
    const { events } = await runBody(`
      await posthog.capture('bought', { distinct_id: 'ada', timestamp: '2030-01-02T03:04:05+01:00', $set: { a: 1 }, price: 2 })`)

    const [event] = events
    expect(event).toMatchObject({
      event: 'bought',
      distinct_id: 'ada',
      timestamp: '2030-01-02T02:04:05.000Z',
      uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    expect(JSON.parse(event?.properties ?? '')).toEqual({
      $lib: 'posthog-plugin-server',
      $lib_version: '1.0.0',
      distinct_id: 'ada',
      $set: { a: 1 },
      price: 2,
    })
  })

  it('defaults to the app as the distinct ID and to the current time', async () => {
    const before = Date.now()
    const { events } = await runBody(`posthog.capture('beat')`)

    expect(events).toMatchObject([{ event: 'beat', distinct_id: 'Test app' }])
    expect(Date.parse(events[0]?.timestamp ?? '')).toBeGreaterThanOrEqual(before)
  })

  it('keeps the UUID that the app sets', async () => {
    const uuid = '0190AAAA-1111-7222-8333-444455556666'
    const { events } = await runBody(`posthog.capture('x', {}, { uuid: '${uuid}' })`)

    expect(events[0]?.uuid).toBe(uuid.toLowerCase())
  })

  it('stores all events in order and in few batches, even if the app does not await them', async () => {
    let batches = 0
    const services = recordServices()
    const { outcome } = await runBody(
      `for (let i = 0; i < 5000; i++) posthog.capture('n', { i })`,
      {
        services: {
          ...services,
          capture: (events) => {
            batches += 1
            return services.capture(events)
          },
        },
      },
    )

    expect(outcome).toEqual({ ended: 'succeeded' })
    expect(services.events.map(({ properties }) => JSON.parse(properties).i)).toEqual(
      Array.from({ length: 5000 }, (_, index) => index),
    )
    expect(batches).toBeLessThan(50)
  })

  it('resolves only when the events are durable, and the run waits for that', async () => {
    const order: string[] = []
    const gates: PromiseWithResolvers<void>[] = []
    const services = recordServices({
      capture: async () => {
        const gate = Promise.withResolvers<void>()
        gates.push(gate)
        await gate.promise
        order.push('stored')
      },
      log: ({ message, source }) => void (source === 'CONSOLE' && order.push(message)),
    })
    const spec = await createSpec(`export async function runEveryMinute() {
      await posthog.capture('a'); console.log('after'); posthog.capture('b') }`)

    const runtime = startRuntime()
    const other = await createSpec('export const runEveryMinute = () => {}')
    const running = run(runtime, spec, services).then(() => order.push('ended'))
    for (const index of [0, 1]) {
      await eventually(() => gates.length > index)
      await run(runtime, other, recordServices()) // long enough for the app to continue
      gates[index]?.resolve()
    }
    await running

    expect(order).toEqual(['stored', 'after', 'stored', 'ended'])
  })

  it.each([
    ['no name', `posthog.capture('')`, 'TypeError: posthog.capture expects the name of an event.'],
    [
      'a list as properties',
      `posthog.capture('a', [])`,
      'TypeError: posthog.capture expects the properties as an object.',
    ],
    ['no time', `posthog.capture('a', { timestamp: 'soon' })`, "RangeError: 'soon' is not a time."],
    ['no uuid', `posthog.capture('a', {}, { uuid: '1' })`, "TypeError: '1' is not a UUID."],
    [
      'too much',
      `posthog.capture('a', { x: 'x'.repeat(600000) })`,
      "RangeError: The event 'a' is larger than 524288 bytes.",
    ],
    [
      'a circle',
      `const x = {}; x.x = x; await posthog.capture('a', x)`,
      'TypeError: Converting circular structure to JSON',
    ],
    [
      'too deep a nest',
      `let x = {}; for (let i = 0; i < 150; i++) x = { x }; await posthog.capture('a', x)`,
      "An event's properties are nested more than 64 levels deep.",
    ],
  ])('refuses %s and stores nothing', async (_, call, message) => {
    const { outcome, events } = await runBody(call.includes('await') ? call : `await ${call}`)

    expect(outcome).toMatchObject({ ended: 'failed', by: 'app' })
    expect((outcome as { message: string }).message.split('\n')[0]).toBe(message)
    expect(events).toEqual([])
  })

  it('sanitizes text that a database refuses', async () => {
    const { events } = await runBody(
      `posthog.capture('a\\0b\\ud800', { distinct_id: '\\udc00', 'k\\0': ['\\0', { x: '\\ud83d\\ude00\\ud83d' }], nan: NaN })`,
    )

    expect(events).toMatchObject([{ event: 'a\ufffdb\ufffd', distinct_id: '\ufffd' }])
    expect(JSON.parse(events[0]?.properties ?? '')).toMatchObject({
      'k\ufffd': ['\ufffd', { x: '\u{1f600}\ufffd' }],
      nan: null,
    })
  })

  it('fails the run as an infrastructure failure if events cannot be stored, awaited or not', async () => {
    const warnings: string[] = []
    const { outcome } = await runBody(`posthog.capture('lost')`, {
      services: recordServices({
        capture: () => Promise.reject(new Error('disk full at /secret')),
      }),
      warn: (text) => void warnings.push(text),
    })

    expect(outcome).toEqual({
      ended: 'failed',
      by: 'infrastructure',
      message: 'Events could not be stored just now.',
    })
    expect(warnings).toEqual(['An app could not be served: Error: disk full at /secret'])
  })

  it('makes the app wait when the store is slow, instead of buffering', async () => {
    const open = Promise.withResolvers<void>()
    let received = 0
    const services = recordServices({
      capture: async (events) => {
        received += events.length
        await open.promise
      },
    })
    const spec = await createSpec(`export async function runEveryMinute() {
      for (let i = 0; i < 20000; i++) { posthog.capture('n', { i, pad: 'x'.repeat(200) }); if (i % 1000 === 0) console.log(i) } }`)
    const running = run(startRuntime({ limits: { maxUnstoredBytes: 500_000 } }), spec, services)

    await eventually(() => received > 0)
    const reached = await settled(() => services.messages().length)
    open.resolve()

    expect(reached).toBeLessThan(15)
    expect(await running).toEqual({ ended: 'succeeded' })
    expect(received).toBe(20_000)
  })
})

/** Waits until a number stops changing. */
async function settled(read: () => number): Promise<number> {
  for (let last = -1, same = 0; same < 10; ) {
    await new Promise((resolve) => setTimeout(resolve, 100))
    same = read() === last ? same + 1 : 0
    last = read()
  }
  return read()
}
