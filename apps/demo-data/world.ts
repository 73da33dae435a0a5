import { createHash } from 'node:crypto'
import { chance } from './random.ts'

export const DAYS = 90
export const DAY = 86_400_000

/** One product's history: everything in it follows from these few values. */
export interface World {
  /** Days since 1970 of its first day; its history is `DAYS` long, and it may live on. */
  readonly firstDay: number
  readonly events: number
  readonly seed: number
  /** 12 hexadecimal digits: the people and events of two worlds are never the same. */
  readonly mark: string
  /** The number of people before each day, and after the last one. */
  readonly peopleBefore: readonly number[]
}

/** By the day of the week, from Sunday: work is done on weekdays. */
const WEEK = [0.55, 0.97, 1.06, 1.08, 1.05, 0.94, 0.5]
const GROWTH = 0.9
/** New people per event, at the beginning and at the end: those who stay make up more and more of what happens. */
const NEW_PEOPLE = [0.085, 0.06] as const
/** People who knew the product before the first day, per event. */
const EARLIER_PEOPLE = 0.02

/** `today` in days since 1970: the history ends with the day before, so the same day gives the same world. */
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
    people += eventsOn(world, day) * newPeople(day)
  }
  return world
}

type Sized = Pick<World, 'firstDay' | 'events' | 'seed'>

/** Exactly as many as asked for over the whole history; afterwards the last week goes on and on. */
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
  const weekday = (firstDay + day + 4) % 7 // the first of January 1970 was a Thursday
  const noise = 0.92 + 0.16 * chance(seed, day, 1)
  return Math.exp((GROWTH * Math.min(day, DAYS)) / DAYS) * (WEEK[weekday] as number) * noise
}

function newPeople(day: number): number {
  const [early, late] = NEW_PEOPLE
  return early + (late - early) * Math.min(day / DAYS, 1)
}

/** The first person that is new on this day; the next day's is the end. People are numbered in the order they came. */
export function firstPersonOf(world: World, day: number): number {
  const { peopleBefore } = world
  if (day <= DAYS) return peopleBefore[Math.max(day, 0)] as number
  const perDay = (peopleBefore[DAYS] as number) - (peopleBefore[DAYS - 7] as number)
  return (peopleBefore[DAYS] as number) + Math.ceil(((day - DAYS) * perDay) / 7)
}

/** The day on which a person came for the first time; negative for those who were there before. */
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
