import { describe, expect, it } from 'vitest'
import { createFakeApp } from '../../test/apps/fake-app.ts'
import { continueHistory, generateHistory } from './generate.ts'

const MIDNIGHT = Date.parse('2026-03-02T00:00:00Z')
const HOUR = 3_600_000

describe('the Demo data app', () => {
  it('generates the number of events in the settings or the payload', async () => {
    const fake = createFakeApp({ config: { events: '120' } })
    await generateHistory(fake.app, {}, MIDNIGHT)
    expect(fake.events()).toHaveLength(120)

    await generateHistory(fake.app, { events: 30, seed: 'other' }, MIDNIGHT)

    expect(fake.events()).toHaveLength(150)
  })

  it('replaces the oldest events with those of today', async () => {
    const fake = createFakeApp({ config: { events: '5000' } })
    const noon = MIDNIGHT + 12 * HOUR

    await generateHistory(fake.app, {}, noon)

    const times = fake.events().map(({ timestamp }) => Date.parse(timestamp))
    expect(times).toHaveLength(5000)
    expect(Math.max(...times)).toBeLessThanOrEqual(noon)
    const today = times.filter((time) => time >= MIDNIGHT).length
    expect(today).toBeGreaterThan(10)
    expect(today).toBeLessThan(100)
  })

  it.each([0, 3, 13, 23.9])('has events of the last minutes at %d h', async (hour) => {
    const fake = createFakeApp({ config: { events: '20000' } })
    const now = MIDNIGHT + hour * HOUR

    await generateHistory(fake.app, {}, now)

    const events = fake.events()
    const latest = events.filter(({ timestamp }) => Date.parse(timestamp) > now - HOUR / 4)
    expect(events).toHaveLength(20_000)
    expect(latest.length).toBeGreaterThan(10)
    expect(new Set(latest.map(({ distinct_id }) => distinct_id)).size).toBeGreaterThan(3)
    expect(latest.every(({ timestamp }) => Date.parse(timestamp) <= now)).toBe(true)
  })

  it('adds only later events when it runs again on the same day', async () => {
    const fake = createFakeApp({ config: { events: '5000' } })
    await generateHistory(fake.app, {}, MIDNIGHT + 6 * HOUR)
    const before = new Set(fake.events().map(({ uuid }) => uuid))

    await generateHistory(fake.app, {}, MIDNIGHT + 18 * HOUR)

    expect(fake.counts.captured).toBe(10_000)
    const added = fake.events().filter(({ uuid }) => !before.has(uuid))
    expect(added.length).toBeGreaterThan(20)
    for (const { timestamp } of added) {
      expect(Date.parse(timestamp)).toBeGreaterThan(MIDNIGHT + 6 * HOUR)
    }
  })

  it('reports its progress', async () => {
    const fake = createFakeApp({ config: { events: '2500' } })

    await generateHistory(fake.app, {}, MIDNIGHT)

    expect(fake.progress.map(({ done }) => done)).toEqual([0, 500, 1000, 1500, 2000, 2500])
    expect(fake.progress.at(-1)?.total).toBe(2500)
  })

  it.each([[0], [10_000_001], [1.5], ['lots'], ['']])('refuses %j events', async (events) => {
    const fake = createFakeApp()

    const making = generateHistory(fake.app, { events }, MIDNIGHT)

    await expect(making).rejects.toThrow('must be a whole number from 1 to 10000000')
    expect(fake.counts.captured).toBe(0)
  })

  it('adds new events every hour', async () => {
    const fake = createFakeApp({ config: { events: '50000' } })
    await generateHistory(fake.app, {}, MIDNIGHT + HOUR / 2)
    const before = fake.counts.captured

    const added: number[] = []
    for (let hour = 1; hour <= 30; hour += 1) {
      const { captured } = fake.counts
      await continueHistory(fake.app, MIDNIGHT + hour * HOUR)
      added.push(fake.counts.captured - captured)
    }

    const live = fake.events().slice(before)
    // those of the last minutes of the history came early, and are stored once
    expect(fake.counts.captured - before - live.length).toBeLessThan(100)
    expect(added.filter((count) => count > 0).length).toBeGreaterThan(25)
    expect(live.length).toBeGreaterThan(300)
    expect(live.length).toBeLessThan(2500)
    expect(Math.max(...live.map(({ timestamp }) => Date.parse(timestamp)))).toBeLessThanOrEqual(
      MIDNIGHT + 30 * HOUR,
    )
  })

  it('catches up after it was disabled, for at most 90 days', async () => {
    const fake = createFakeApp({ config: { events: '2000' } })
    await continueHistory(fake.app, MIDNIGHT)

    const year = MIDNIGHT + 365 * 24 * HOUR
    await continueHistory(fake.app, year)

    const oldest = Math.min(...fake.events().map(({ timestamp }) => Date.parse(timestamp)))
    expect(oldest).toBeGreaterThan(year - 91 * 24 * HOUR)
    expect(fake.events().length).toBeGreaterThan(1000)
  })

  it('does not continue a history with another seed', async () => {
    const fake = createFakeApp({ config: { events: '1000' } })
    await generateHistory(fake.app, {}, MIDNIGHT)
    const live = fake.storage.get('live')

    await generateHistory(fake.app, { seed: 'other' }, MIDNIGHT)

    expect(fake.storage.get('live')).toBe(live)
  })
})
