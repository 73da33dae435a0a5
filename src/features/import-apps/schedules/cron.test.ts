import { describe, expect, it } from 'vitest'
import { findCronProblem, toRuns } from './cron.ts'

/** Lists the times of an expression on a day of Berlin. */
function timesOn(cron: string, day: string): string[] {
  const { next } = toRuns(cron, 'Europe/Berlin')
  const end = Date.parse(`${day}T22:59:59Z`)
  const times: string[] = []
  let time = next(Date.parse(`${day}T00:00:00Z`) - 2 * 3_600_000)
  for (; time !== undefined && time <= end; time = next(time)) {
    times.push(new Date(time).toISOString().slice(0, 16))
  }
  return times.filter((text) => text.startsWith(day))
}

const SPRING = '2026-03-29' // 02:00 to 03:00 does not exist
const AUTUMN = '2026-10-25' // 02:00 to 03:00 comes twice

describe('on the days when clocks change', () => {
  it.each([
    ['30 2 * * *', SPRING, ['01:00']],
    ['30 2 * * *', AUTUMN, ['00:30']],
    ['30 2,14 * * *', SPRING, ['01:00', '12:30']],
    ['30 2,14 * * *', AUTUMN, ['00:30', '13:30']],
    ['0 1-4 * * *', AUTUMN, ['00:00', '02:00', '03:00']],
  ])('%s on %s fires each time of day once', (cron, day, expected) => {
    expect(timesOn(cron, day)).toEqual(expected.map((time) => `${day}T${time}`))
  })

  it('an interval continues in real time', () => {
    expect(timesOn('0 * * * *', AUTUMN)).toHaveLength(23) // from 00:00 UTC to 22:00 UTC
  })
})

describe('an expression', () => {
  it.each(['0 6 * * 1-5', '*/15 * * * *', '0 0 L * *', '5,35 9-17 * JAN-MAR MON', ' 0  0 1 1 * '])(
    'can be %j',
    (cron) => {
      expect(findCronProblem(cron)).toBeUndefined()
    },
  )

  it.each([
    ['61 * * * *', 'Field 1 (minute) is not valid: "61".'],
    ['0 6 32 * *', 'Field 3 (day of the month) is not valid: "32".'],
    ['0 6 * * 1-', 'Field 5 (weekday) is not valid: "1-".'],
    ['0 6 * 13 *', 'Field 4 (month) is not valid: "13".'],
    ['*/0 * * * *', 'Field 1 (minute) is not valid: "*/0".'],
    ['0 0 30 2 *', 'This time never comes.'],
    ['0 6 * *', 'Expected five fields (minute, hour, day of the month, month, weekday), found 4.'],
    [
      '* * * * * *',
      'Expected five fields (minute, hour, day of the month, month, weekday), found 6.',
    ],
    ['', 'Expected five fields (minute, hour, day of the month, month, weekday), found 0.'],
    ['@daily', 'Expected five fields (minute, hour, day of the month, month, weekday), found 1.'],
  ])('%j is refused: %s', (cron, problem) => {
    expect(findCronProblem(cron)).toBe(problem)
  })
})
