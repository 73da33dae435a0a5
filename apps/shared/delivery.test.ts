import { describe, expect, it } from 'vitest'
import { createFakeApp } from '../../test/apps/fake-app.ts'
import { createDelivery } from './delivery.ts'
import { createSkipped } from './skipped.ts'

const event = (properties: Record<string, unknown> = {}) => ({
  uuid: crypto.randomUUID(),
  event: 'e',
  distinct_id: 'p',
  timestamp: undefined,
  properties,
})

describe('a delivery', () => {
  it('counts only stored events', async () => {
    const fake = createFakeApp()
    const delivery = createDelivery(fake.app, createSkipped(fake.app))
    delivery.add(event())
    expect(delivery.delivered).toBe(0)

    await delivery.settle()

    expect(delivery.delivered).toBe(1)
  })

  it('fails if an event was refused, even if later ones were stored', async () => {
    const responses = [Promise.reject(new Error('disk full')), Promise.resolve()]
    const { app } = createFakeApp({ capture: () => responses.shift() ?? Promise.resolve() })
    const delivery = createDelivery(app, createSkipped(app))
    delivery.add(event())
    delivery.add(event())

    await expect(delivery.settle()).rejects.toThrow('disk full')
    expect(delivery.delivered).toBe(1)
  })

  it('skips an event that is too large', async () => {
    const responses = [Promise.reject(new RangeError('too large')), Promise.resolve()]
    const { app, logs } = createFakeApp({ capture: () => responses.shift() ?? Promise.resolve() })
    const delivery = createDelivery(app, createSkipped(app))
    delivery.add(event())
    delivery.add(event())

    await delivery.settle()

    expect(delivery.delivered).toBe(1)
    expect(logs).toEqual(['too large Skipped.'])
  })

  it('waits for the store after eight pending batches', async () => {
    const stored: (() => void)[] = []
    const { app } = createFakeApp({
      capture: () => new Promise((store) => stored.push(() => store(0))),
    })
    const delivery = createDelivery(app, createSkipped(app))
    for (let batch = 0; batch < 8; batch++) {
      delivery.add(event())
      await delivery.keepPace()
    }
    delivery.add(event())
    let isWaiting = true
    const ninth = delivery.keepPace().then(() => {
      isWaiting = false
    })
    await new Promise(setImmediate)
    expect(isWaiting).toBe(true)

    stored[0]?.()
    await ninth

    expect(delivery.delivered).toBe(1)
  })

  it('counts every event of a shared promise', async () => {
    const together = Promise.resolve(0)
    const { app } = createFakeApp({ capture: () => together })
    const delivery = createDelivery(app, createSkipped(app))

    for (let added = 0; added < 3; added++) delivery.add(event())
    await delivery.settle()

    expect(delivery.delivered).toBe(3)
  })

  it('asks the caller to wait after 500 events', () => {
    const fake = createFakeApp()
    const delivery = createDelivery(fake.app, createSkipped(fake.app))

    const full = Array.from({ length: 2000 }, () => delivery.add(event()))

    expect(full.indexOf(true)).toBe(499)
  })

  it('does not use imported properties as time or person', async () => {
    const fake = createFakeApp()
    const delivery = createDelivery(fake.app, createSkipped(fake.app))
    delivery.add(event({ timestamp: '1999-01-01T00:00:00Z', distinct_id: 'somebody else' }))

    await delivery.settle()

    const [stored] = fake.events()
    expect(stored?.distinct_id).toBe('p')
    expect(Date.parse(stored?.timestamp ?? '')).toBeGreaterThan(Date.parse('2020-01-01'))
  })
})
