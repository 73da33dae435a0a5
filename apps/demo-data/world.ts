import { createHash } from 'node:crypto'
import { chance } from './random.ts'

export const DAYS = 90
export const DAY = 86_400_000

/** The history of one product. All its events are derived from these values. */
export interface World {
  /** The first day, in days since 1970. The history is `DAYS` long; the schedule continues it. */
  readonly firstDay: number
  readonly events: number
  readonly seed: number
  /** 12 hexadecimal digits in the IDs of people and events, different for each world. */
  readonly mark: string
  /** The number of people before each day and after the last day. */
  readonly peopleBefore: readonly number[]
}

/** Relative activity by day of the week, from Sunday: people work on weekdays. */
const WEEK = [0.55, 0.97, 1.06, 1.08, 1.05, 0.94, 0.5]
const GROWTH = 0.9
/** Activity on the day of the launch and the days after it, relative to other weeks. */
const LAUNCH = [2.7, 2.3, 1.7, 1.45, 1.3, 1.2, 1.1]
/** New people on these days, relative to other weeks. */
const NEW_AT_LAUNCH = 1.5
/** New people per event, on the first and on the last day: returning people cause a growing share of events. */
const NEW_PEOPLE = [0.085, 0.06] as const
/** People who knew the product before the first day, per event. */
const EARLIER_PEOPLE = 0.02

/** Creates the world whose history ends on the day before `today`, in days since 1970. */
export function createWorld(seed: string, events: number, today: number): World {
  const digest = createHash('sha1')
    .update(JSON.stringify([seed, events, today]))
    .digest()
  const world = {
    firstDay: today - DAYS,
    events,
    seed: digest.readInt32BE(0),
    mark: digest.toString('hex', 4, 10),
    peopleBefore: [] as number[],
  }
  let people = events * EARLIER_PEOPLE
  for (let day = 0; day <= DAYS; day += 1) {
    world.peopleBefore.push(Math.ceil(people))
    people += eventsOn(world, day) * newPeople(world, day)
  }
  return world
}

type Sized = Pick<World, 'firstDay' | 'events' | 'seed'>

/** Returns the number of events on a day. The history adds up to exactly `events`; after it, activity stays level. */
export function eventsOn(world: Sized, day: number): number {
  const total = weightBefore(world, DAYS)
  const share = (weight: number) => Math.round((world.events * weight) / total)
  if (day >= DAYS) return share(weightOf(world, day))
  return share(weightBefore(world, day + 1)) - share(weightBefore(world, day))
}

function weightBefore(world: Sized, end: number): number {
  let sum = 0
  for (let day = 0; day < end; day += 1) sum += weightOf(world, day)
  return sum
}

function weightOf({ firstDay, seed }: Sized, day: number): number {
  const weekday = (firstDay + day + 4) % 7 // 1 January 1970 was a Thursday
  const noise = 0.92 + 0.16 * chance(seed, day, 1)
  const launch = LAUNCH[daysSinceLaunch({ firstDay }, day)] ?? 1
  return (
    Math.exp((GROWTH * Math.min(day, DAYS)) / DAYS) * (WEEK[weekday] as number) * noise * launch
  )
}

function newPeople(world: Sized, day: number): number {
  const [early, late] = NEW_PEOPLE
  const share = early + (late - early) * Math.min(day / DAYS, 1)
  return isLaunch(world, day) ? share * NEW_AT_LAUNCH : share
}

/** Returns the day of the launch, in days since 1970: the last Tuesday that is at least three weeks before today. */
export const launchDayOf = (today: number): number => today - 21 - ((today - 21 + 2) % 7)

const daysSinceLaunch = ({ firstDay }: Pick<World, 'firstDay'>, day: number): number =>
  firstDay + day - launchDayOf(firstDay + DAYS)

/** Tells whether a day is in the week of the launch. */
export const isLaunch = (world: Pick<World, 'firstDay'>, day: number): boolean =>
  daysSinceLaunch(world, day) in LAUNCH

/**
 * Returns the number of the first person who is new on a day. People are numbered in the order of their first visits.
 */
export function firstPersonOf(world: World, day: number): number {
  const { peopleBefore } = world
  if (day <= DAYS) return peopleBefore[Math.max(day, 0)] as number
  const perDay = (peopleBefore[DAYS] as number) - (peopleBefore[DAYS - 7] as number)
  return (peopleBefore[DAYS] as number) + Math.ceil(((day - DAYS) * perDay) / 7)
}

/** Returns the day of a person's first visit; negative for people from before the first day. */
export function firstDayOf(world: World, person: number, today: number): number {
  if (person < firstPersonOf(world, 0)) return -1 - Math.floor(120 * chance(world.seed, person, 2))
  let [low, high] = [0, today]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (firstPersonOf(world, middle) <= person) low = middle
    else high = middle - 1
  }
  return low
}
