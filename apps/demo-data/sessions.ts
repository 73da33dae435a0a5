import { billingOn } from './billing.ts'
import { countryOf, habitOf, LAST_STEP, loyaltyOf, returns } from './people.ts'
import { chance, createPicker, hash, type Weighted } from './random.ts'
import { DAY, eventsOn, firstDayOf, firstPersonOf, type World } from './world.ts'

/** The purpose of a session. */
export type Purpose = 'look' | 'sign up' | 'activate' | 'buy' | 'use'

interface Visit {
  readonly person: number
  readonly purpose: Purpose
  /** The day in its world, and the number of the session on that day. */
  readonly day: number
  readonly number: number
}

export interface Session extends Visit {
  /** Milliseconds since 1970. */
  readonly start: number
  /** The number of events. */
  readonly length: number
}

/** The share of sessions in each hour of the person's local day. */
const HOURS = [3, 2, 1, 1, 1, 2, 5, 9, 14, 17, 18, 17, 13, 15, 17, 17, 16, 14, 11, 10, 10, 9, 7, 5]
const pickHour = createPicker(HOURS.map((weight, hour) => [weight, hour] as const))

const lengths = (...choices: Weighted<number>) => createPicker(choices)
const LENGTH: Readonly<Record<Purpose, (at: number) => number>> = {
  look: lengths([42, 1], [22, 2], [16, 3], [10, 4], [6, 6], [4, 9]),
  'sign up': lengths([30, 8], [40, 10], [20, 12], [10, 15]),
  activate: lengths([30, 5], [40, 8], [30, 12]),
  buy: lengths([40, 5], [40, 6], [20, 10]),
  use: lengths([20, 3], [30, 6], [25, 9], [15, 14], [10, 20]),
}
/** Longer than any session. */
const LONGEST = 40 * 60_000
/** Numbers of the random draws for a session. */
const DRAW = { who: 20, stays: 50, hour: 80, minute: 81, length: 82 } as const
const TRIES = 25

/** Returns the sessions of a day in the order of their start. They have the day's number of events, without its bills. */
export function sessionsOn(world: World, day: number): Session[] {
  const sessions: Session[] = []
  let left = eventsOn(world, day) - billingOn(world, day).length
  const add = (person: number, purpose: Purpose) => {
    const session = toSession(world, { person, purpose, day, number: sessions.length })
    const length = Math.min(session.length, left)
    left -= length
    sessions.push({ ...session, length })
  }

  for (const [person, purpose] of visitsDue(world, day)) {
    if (left <= 0) break
    add(person, purpose)
  }
  while (left > 0) {
    const person = findReturning(world, day, sessions.length)
    add(person, habitOf(world, person).signsUp ? 'use' : 'look')
  }
  return sessions.sort((a, b) => a.start - b.start || a.number - b.number)
}

/** Yields the new people of a day, and the people who take their next step on it. */
function* visitsDue(world: World, day: number): Generator<[number, Purpose]> {
  const end = firstPersonOf(world, day + 1)
  for (let person = firstPersonOf(world, day); person < end; person += 1) {
    yield [person, habitOf(world, person).signsUp ? 'sign up' : 'look']
  }
  for (let age = 1; age <= Math.min(LAST_STEP, day); age += 1) {
    const last = firstPersonOf(world, day - age + 1)
    for (let person = firstPersonOf(world, day - age); person < last; person += 1) {
      const { activatesAfter, buysAfter } = habitOf(world, person)
      if (activatesAfter === age) yield [person, 'activate']
      else if (buysAfter === age) yield [person, 'buy']
    }
  }
}

/** Picks a returning person; loyal and recent visitors are more likely. */
function findReturning(world: World, day: number, number: number): number {
  const { seed } = world
  const known = Math.max(firstPersonOf(world, day + 1), 1)
  const key = hash(seed, day, number)
  let person = 0
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    person = hash(seed, key, DRAW.who + attempt) % known
    const age = day - firstDayOf(world, person, day)
    if (chance(seed, key, DRAW.stays + attempt) < returns(loyaltyOf(world, person), age)) break
  }
  return person
}

function toSession(world: World, visit: Visit): Session {
  const { seed, firstDay } = world
  const { person, purpose, day, number } = visit
  const key = hash(seed, day, number)
  const localHour = pickHour(chance(seed, key, DRAW.hour)) + chance(seed, key, DRAW.minute)
  const hour = (localHour - countryOf(world, person).offset + 24) % 24
  // a session ends on the day it begins, so no day depends on the one before
  const start = (firstDay + day) * DAY + Math.min(Math.floor(hour * 3_600_000), DAY - LONGEST)
  const length = LENGTH[purpose](chance(seed, key, DRAW.length))
  return { ...visit, start, length }
}
