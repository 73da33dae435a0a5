import { chance, createPicker, hash } from './random.ts'
import type { World } from './world.ts'

export interface Country {
  readonly code: string
  readonly name: string
  readonly cities: readonly string[]
  /** The approximate offset from UTC in hours, which decides when people are awake. */
  readonly offset: number
}

const country = (code: string, name: string, offset: number, ...cities: string[]): Country => ({
  code,
  name,
  offset,
  cities,
})

const pickCountry = createPicker<Country>([
  [34, country('US', 'United States', -6, 'New York', 'Austin', 'Seattle', 'Denver')],
  [12, country('GB', 'United Kingdom', 0, 'London', 'Leeds', 'Bristol')],
  [10, country('DE', 'Germany', 1, 'Berlin', 'Hamburg', 'Leipzig')],
  [9, country('IN', 'India', 5.5, 'Bengaluru', 'Pune', 'Chennai')],
  [7, country('FR', 'France', 1, 'Paris', 'Lyon', 'Nantes')],
  [6, country('CA', 'Canada', -5, 'Toronto', 'Montreal')],
  [6, country('BR', 'Brazil', -3, 'Recife', 'Curitiba')],
  [4, country('NL', 'Netherlands', 1, 'Utrecht', 'Rotterdam')],
  [4, country('AU', 'Australia', 10, 'Melbourne', 'Perth')],
  [4, country('ES', 'Spain', 1, 'Valencia', 'Bilbao')],
  [4, country('JP', 'Japan', 9, 'Osaka', 'Tokyo')],
])

const FIRST = 'Ada Ben Chloe Dario Emma Felix Grace Hugo Ines Jonas Kira Leon Mara Nils Olga Priya'
const LAST = 'Adler Brook Castle Dale Ember Field Grove Heath Isles Juniper Knoll Lake Moor Nash'
const FIRST_NAMES = FIRST.split(' ')
const LAST_NAMES = LAST.split(' ')

/** A person's affinity to the product, which never changes. */
export interface Habit {
  readonly signsUp: boolean
  /** Days after the first visit; undefined means never. */
  readonly activatesAfter?: number
  readonly buysAfter?: number
}

export interface Plan {
  readonly plan: 'starter' | 'team' | 'business'
  readonly amount: number
}

const pickPlan = createPicker<Plan>([
  [55, { plan: 'starter', amount: 9 }],
  [33, { plan: 'team', amount: 29 }],
  [12, { plan: 'business', amount: 99 }],
])

/** The last days after the first visit on which people start, and on which they buy. */
const LAST_START = 4
export const LAST_STEP = 28
/** The share of sign-ups who activate, and the share of those who buy. */
const ACTIVATION = 0.58
const PURCHASE = 0.3

/** Numbers of the random draws for a person. */
const DRAW = {
  stays: 10,
  signs: 11,
  active: 12,
  buys: 13,
  country: 14,
  plan: 16,
} as const

/** Returns 0 for a single visit, 1 for a person who stays a while, 2 for one who stays. */
export function loyaltyOf({ seed }: World, person: number): 0 | 1 | 2 {
  const at = chance(seed, person, DRAW.stays)
  return at < 0.52 ? 0 : at < 0.82 ? 1 : 2
}

/** Returns the probability of a visit a number of days after the first one. */
export function returns(loyalty: 0 | 1 | 2, age: number): number {
  if (loyalty === 0) return 0.01
  return loyalty === 1 ? Math.exp(-age / 11) : 0.3 + 0.7 * Math.exp(-age / 40)
}

const SIGN_UP = [0.05, 0.42, 0.78] as const

export function habitOf(world: World, person: number): Habit {
  const { seed } = world
  const signsUp = chance(seed, person, DRAW.signs) < SIGN_UP[loyaltyOf(world, person)]
  const active = chance(seed, person, DRAW.active)
  const buys = chance(seed, person, DRAW.buys)
  if (!signsUp || active >= ACTIVATION) return { signsUp }
  // two thirds of those who ever start do so on the first day
  const activatesAfter = Math.max(0, Math.floor((active / ACTIVATION) * 9) - 5)
  if (buys >= PURCHASE) return { signsUp, activatesAfter }
  const decides = (buys / PURCHASE) ** 2 * (LAST_STEP - LAST_START)
  return { signsUp, activatesAfter, buysAfter: activatesAfter + 1 + Math.floor(decides) }
}

export const countryOf = ({ seed }: World, person: number): Country =>
  pickCountry(chance(seed, person, DRAW.country))

export const planOf = ({ seed }: World, person: number): Plan =>
  pickPlan(chance(seed, person, DRAW.plan))

/** Returns the plan a number of days after the first visit. */
export function planAt(world: World, person: number, age: number): Plan['plan'] | 'free' {
  const { buysAfter } = habitOf(world, person)
  return buysAfter !== undefined && age > buysAfter ? planOf(world, person).plan : 'free'
}

/** Returns the ID of a signed-in person. */
export const userIdOf = ({ mark }: World, person: number): string =>
  `${mark.slice(0, 6)}-${person.toString(36)}`

export function profileOf({ seed }: World, person: number): { name: string; email: string } {
  const number = hash(seed, person, 17)
  const first = FIRST_NAMES[number % FIRST_NAMES.length] as string
  const last = LAST_NAMES[(number >>> 8) % LAST_NAMES.length] as string
  const email = `${first}.${last}.${person.toString(36)}@example.com`.toLowerCase()
  return { name: `${first} ${last}`, email }
}
