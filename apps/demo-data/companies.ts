import { COMPANIES, companyNameOf } from './names.ts'
import { chance, createPicker } from './random.ts'
import { DAYS, type World } from './world.ts'

/** The company of people who sign up: a group in events. */
export interface Company {
  /** The key of the group. */
  readonly key: string
  readonly name: string
  readonly industry: string
  readonly plan: Plan
  readonly seats: number
  /** Per month, in US dollars. */
  readonly amount: number
}

export type Plan = 'starter' | 'team' | 'business'

interface Offer {
  readonly plan: Plan
  /** Per seat and month, in US dollars. */
  readonly price: number
  readonly seats: readonly [min: number, max: number]
}

const pickOffer = createPicker<Offer>([
  [52, { plan: 'starter', price: 9, seats: [2, 6] }],
  [36, { plan: 'team', price: 19, seats: [5, 24] }],
  [12, { plan: 'business', price: 29, seats: [20, 60] }],
])

const INDUSTRY: Readonly<Record<string, string>> = {
  Studio: 'Design',
  Labs: 'Software',
  Works: 'Manufacturing',
  Foods: 'Food',
}

/** The number of people for each company. */
const PEOPLE = 18

/** Numbers of the random draws for a person or a company. */
const DRAW = { company: 21, offer: 22, seats: 23 } as const

/** Companies are numbered; low numbers have more people. */
export function companyNumberOf({ seed, peopleBefore }: World, person: number): number {
  const people = peopleBefore[DAYS] as number
  const companies = Math.min(Math.max(Math.round(people / PEOPLE), 8), COMPANIES)
  return Math.floor(companies * chance(seed, person, DRAW.company) ** 1.6)
}

export function companyOf(world: World, person: number): Company {
  const number = companyNumberOf(world, person)
  const name = companyNameOf(number)
  const { plan, price, seats } = pickOffer(chance(world.seed, number, DRAW.offer))
  const [min, max] = seats
  const bought = min + Math.floor((max - min + 1) * chance(world.seed, number, DRAW.seats))
  const kind = name.split(' ')[1] as string
  return {
    key: name.toLowerCase().replace(' ', '-'),
    name,
    industry: INDUSTRY[kind] ?? kind,
    plan,
    seats: bought,
    amount: price * bought,
  }
}
