import { describe, expect, it } from 'vitest'
import { createFakeApp } from '../../test/apps/fake-app.ts'
import { generateHistory, goOn } from './generate.ts'

const MIDNIGHT = Date.parse('2026-03-02T00:00:00Z')
const HOUR = 3_600_000

describe('the Demo data app', () => {
  it('makes as many events as the settings or the payload ask for', async () => {
    const fake = createFakeApp({ config: { events: '120' } })
    await generateHistory(fake.app, {}, MIDNIGHT)
    expect(fake.events()).toHaveLength(120)

    await generateHistory(fake.app, { events: 30, seed: 'other' }, MIDNIGHT)

    expect(fake.events()).toHaveLength(150)
  })

  it('adds nothing when it runs again on the same day', async () => {
    const fake = createFakeApp({ config: { events: '500' } })
    await generateHistory(fake.app, {}, MIDNIGHT)

    await generateHistory(fake.app, {}, MIDNIGHT + 23 * HOUR)

    expect(fake.counts.captured).toBe(1000)
    expect(fake.events()).toHaveLength(500)
  })

  it('tells its progress', async () => {
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

  it('goes on every hour with what has happened since', async () => {
    const fake = createFakeApp({ config: { events: '50000' } })
    await generateHistory(fake.app, {}, MIDNIGHT + HOUR / 2)
    const before = fake.counts.captured

    const added: number[] = []
    for (let hour = 1; hour <= 30; hour += 1) {
      const { captured } = fake.counts
      await goOn(fake.app, MIDNIGHT + hour * HOUR)
      added.push(fake.counts.captured - captured)
    }

    const live = fake.events().slice(before)
    expect(live).toHaveLength(fake.counts.captured - before)
    expect(added.filter((count) => count > 0).length).toBeGreaterThan(25)
    expect(live.length).toBeGreaterThan(300)
    expect(live.length).toBeLessThan(2500)
    expect(Math.max(...live.map(({ timestamp }) => Date.parse(timestamp)))).toBeLessThanOrEqual(
      MIDNIGHT + 30 * HOUR,
    )
  })

  it('fills the time in which it was disabled, but not more than its 90 days', async () => {
    const fake = createFakeApp({ config: { events: '2000' } })
    await goOn(fake.app, MIDNIGHT)

    const year = MIDNIGHT + 365 * 24 * HOUR
    await goOn(fake.app, year)

    const oldest = Math.min(...fake.events().map(({ timestamp }) => Date.parse(timestamp)))
    expect(oldest).toBeGreaterThan(year - 91 * 24 * HOUR)
    expect(fake.events().length).toBeGreaterThan(1000)
  })

  it('lets the world of another seed end with its run', async () => {
    const fake = createFakeApp({ config: { events: '1000' } })
    await generateHistory(fake.app, {}, MIDNIGHT)
    const live = fake.storage.get('live')

    await generateHistory(fake.app, { seed: 'other' }, MIDNIGHT)

    expect(fake.storage.get('live')).toBe(live)
  })
})
