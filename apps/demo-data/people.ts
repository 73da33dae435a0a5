import { companyOf, type Plan } from './companies.ts'
import { fullNameOf } from './names.ts'
import { chance, createPicker } from './random.ts'
import { firstPersonOf, type World } from './world.ts'

export interface Country {
  readonly code: string
  readonly name: string
  readonly continent: string
  readonly cities: readonly string[]
  /** The approximate offset from UTC in hours, which decides when people are awake. */
  readonly offset: number
}

const country = (
  [code, continent]: readonly [code: string, continent: string],
  name: string,
  offset: number,
  ...cities: string[]
): Country => ({
  code,
  name,
  continent,
  offset,
  cities,
})

const pickCountry = createPicker<Country>([
  [30, country(['US', 'NA'], 'United States', -6, 'New York', 'Austin', 'Seattle', 'Denver')],
  [11, country(['GB', 'EU'], 'United Kingdom', 0, 'London', 'Leeds', 'Bristol')],
  [9, country(['DE', 'EU'], 'Germany', 1, 'Berlin', 'Hamburg', 'Leipzig')],
  [8, country(['IN', 'AS'], 'India', 5.5, 'Bengaluru', 'Pune', 'Chennai')],
  [6, country(['FR', 'EU'], 'France', 1, 'Paris', 'Lyon', 'Nantes')],
  [5, country(['CA', 'NA'], 'Canada', -5, 'Toronto', 'Montreal')],
  [5, country(['BR', 'SA'], 'Brazil', -3, 'Recife', 'Curitiba')],
  [4, country(['NL', 'EU'], 'Netherlands', 1, 'Utrecht', 'Rotterdam')],
  [4, country(['AU', 'OC'], 'Australia', 10, 'Melbourne', 'Perth')],
  [3, country(['ES', 'EU'], 'Spain', 1, 'Valencia', 'Bilbao')],
  [3, country(['JP', 'AS'], 'Japan', 9, 'Osaka', 'Tokyo')],
  [2, country(['PL', 'EU'], 'Poland', 1, 'Warsaw')],
  [2, country(['SE', 'EU'], 'Sweden', 1, 'Malmö')],
  [2, country(['IT', 'EU'], 'Italy', 1, 'Turin')],
  [2, country(['MX', 'NA'], 'Mexico', -6, 'Guadalajara')],
  [1, country(['AR', 'SA'], 'Argentina', -3, 'Rosario')],
  [1, country(['CL', 'SA'], 'Chile', -4, 'Santiago')],
  [1, country(['ZA', 'AF'], 'South Africa', 2, 'Cape Town')],
  [1, country(['NG', 'AF'], 'Nigeria', 1, 'Lagos')],
  [1, country(['KE', 'AF'], 'Kenya', 3, 'Nairobi')],
  [1, country(['ID', 'AS'], 'Indonesia', 7, 'Jakarta')],
  [1, country(['SG', 'AS'], 'Singapore', 8, 'Singapore')],
  [1, country(['KR', 'AS'], 'South Korea', 9, 'Seoul')],
  [1, country(['NZ', 'OC'], 'New Zealand', 12, 'Auckland')],
])

/** A person's affinity to the product, which never changes. */
export interface Habit {
  readonly signsUp: boolean
  /** Days after the first visit; undefined means never. */
  readonly activatesAfter?: number
  readonly buysAfter?: number
}

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

/** Yields the people with a subscription who have visited by the end of a day. */
export function* customersUntil(world: World, day: number): Generator<number> {
  const end = firstPersonOf(world, day + 1)
  for (let person = 0; person < end; person += 1) {
    const mayBuy = chance(world.seed, person, DRAW.buys) < PURCHASE
    if (mayBuy && habitOf(world, person).buysAfter !== undefined) yield person
  }
}

/** Returns the plan a number of days after the first visit. */
export function planAt(world: World, person: number, age: number): Plan | 'free' {
  const { buysAfter } = habitOf(world, person)
  return buysAfter !== undefined && age > buysAfter ? companyOf(world, person).plan : 'free'
}

/** Returns the ID of a signed-in person: the e-mail address, as many products have it. */
export const userIdOf = (world: World, person: number): string => profileOf(world, person).email

export function profileOf(world: World, person: number): { name: string; email: string } {
  const { first, last, round } = fullNameOf(world.seed, person)
  const account = `${first}.${last}${round === 0 ? '' : round + 1}`.toLowerCase()
  return {
    name: `${first} ${last}`,
    email: `${account}@${companyOf(world, person).key}.example.com`,
  }
}
