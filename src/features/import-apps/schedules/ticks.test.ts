import { describe, expect, it } from 'vitest'
import { isStale, listScheduledRuns, nextTick, toPeriodicTicks } from './ticks.ts'

const at = (text: string): number => Date.parse(text)
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const NOON = at('2024-05-01T12:00:00Z')
const MIDNIGHT = at('2024-05-02T00:00:00Z')

describe('the next tick of a task', () => {
  const due = (tick: number) => ({ tick, isDue: true })
  const moved = (tick: number) => ({ tick, isDue: false })

  it.each<[string, number, number, number, ReturnType<typeof nextTick>]>([
    ['on time', MINUTE, NOON - MINUTE, NOON, due(NOON)],
    ['late', HOUR, NOON - HOUR, NOON + 59 * MINUTE, due(NOON)],
    ['the latest of many', MINUTE, NOON - DAY, NOON + 10, due(NOON)],
    ['none: it has fired', MINUTE, NOON, NOON + 59_999, undefined],
    ['none: the config was enabled later', DAY, NOON, NOON + HOUR, undefined],
    ['none: the clock went back a little', DAY, MIDNIGHT, MIDNIGHT - 10 * MINUTE, undefined],
    ['none: the clock went back a period', MINUTE, NOON, NOON - 1, undefined],
    ['moved: the clock went back', MINUTE, NOON, NOON - 10 * MINUTE, moved(NOON - 10 * MINUTE)],
    ['moved: the clock was far ahead', DAY, NOON + 365 * DAY, NOON, moved(NOON - DAY / 2)],
  ])('is %s', (_, period, last, time, expected) => {
    expect(nextTick(toPeriodicTicks(period), last, time)).toEqual(expected)
  })

  it.each([
    ['runEveryMinute', 61_000, true],
    ['runEveryMinute', 59_000, false],
    ['runEveryHour', 61_000, false],
    ['runEveryDay', 25 * 3_600_000, true],
  ])('%s is stale after %d ms: %s', (task, waited, stale) => {
    expect(isStale(task, new Date(NOON - waited).toISOString(), NOON)).toBe(stale)
  })
})

describe('the next tick of a cron expression', () => {
  const [{ ticks } = { ticks: toPeriodicTicks(DAY) }] = listScheduledRuns(
    { cron: '30 6 * * *', time_zone: 'America/New_York' },
    ['runEveryHour'],
  )
  const TICK = at('2024-05-01T10:30:00Z')

  it('is remembered by the minute in which it fires', () => {
    expect(nextTick(ticks, TICK - DAY, TICK + 42_000)).toEqual({ tick: TICK, isDue: true })
    expect(nextTick(ticks, TICK, TICK + HOUR)).toBeUndefined()
  })

  it('fires once for many that were missed', () => {
    const time = TICK + 5 * DAY + HOUR
    expect(nextTick(ticks, TICK, time)).toEqual({ tick: time, isDue: true })
    expect(nextTick(ticks, time, time + HOUR)).toBeUndefined()
  })

  it('moves back without firing after the clock went back by several', () => {
    expect(nextTick(ticks, TICK + DAY, TICK - DAY)).toEqual({ tick: TICK - DAY, isDue: false })
    expect(nextTick(ticks, TICK, TICK - 10 * MINUTE)).toBeUndefined()
  })
})
