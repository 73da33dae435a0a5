import type { NewEvent } from '../shared/delivery.ts'
import { anonymousIdOf, deviceOf } from './devices.ts'
import { countryOf, planAt, planOf, profileOf, userIdOf } from './people.ts'
import { chance, createPicker, hash } from './random.ts'
import { type Session, sessionsOn } from './sessions.ts'
import { type Action, generateSteps, startsSignedIn } from './steps.ts'
import { firstDayOf, type World } from './world.ts'

const HOST = 'fieldnotes.example.com'

type Properties = Record<string, unknown>

const from = (domain: string, path = '/', tags: Properties = {}): Properties => ({
  $referrer: `https://${domain}${path}`,
  $referring_domain: domain,
  ...tags,
})
const DIRECT: Properties = { $referrer: '$direct', $referring_domain: '$direct' }
const utm = (utm_source: string, utm_medium: string, utm_campaign: string): Properties => ({
  utm_source,
  utm_medium,
  utm_campaign,
})

const pickSource = createPicker<Properties>([
  [30, DIRECT],
  [32, from('www.google.com')],
  [6, from('www.google.com', '/', utm('google', 'cpc', 'calm-planning'))],
  [4, from('www.bing.com')],
  [3, from('duckduckgo.com')],
  [6, from('t.co', '/fieldnotes', utm('twitter', 'social', 'spring-launch'))],
  [5, from('www.linkedin.com', '/', utm('linkedin', 'social', 'spring-launch'))],
  [5, from('news.ycombinator.com', '/item')],
  [4, from('github.com', '/topics/planning')],
  [5, { ...DIRECT, ...utm('newsletter', 'email', 'monthly-digest') }],
])
/** The share of users who come directly, without a referrer. */
const DIRECTLY = 0.75

/** Numbers of the random draws for a session. */
const DRAW = { source: 200, directly: 201, city: 202, pause: 300 } as const
const LONGEST_PAUSE = 110_000
const SHORTEST_PAUSE = 3_000

/** Yields the events of a day after one moment and up to another, session by session. */
export function* eventsBetween(
  world: World,
  day: number,
  after: number,
  until: number,
): Generator<NewEvent> {
  for (const session of sessionsOn(world, day)) {
    if (session.start > until) return
    yield* generateEvents(world, session, after, until)
  }
}

function* generateEvents(
  world: World,
  session: Session,
  after: number,
  until: number,
): Generator<NewEvent> {
  const { person, day, number } = session
  const key = hash(world.seed, day, number)
  const known = sessionProperties(world, session, key)
  const steps = generateSteps(world, session)
  let distinctId = startsSignedIn(session, steps)
    ? userIdOf(world, person)
    : anonymousIdOf(world, session)
  let at = session.start
  let path = '/'
  for (const [index, step] of steps.entries()) {
    if (index > 0) at += pauseBefore(world, key, index)
    if ('page' in step) path = step.page
    else if (step.action === '$identify') distinctId = userIdOf(world, person)
    if (at <= after || at > until) continue
    const properties: Properties = {
      ...known,
      $current_url: `https://${HOST}${path}`,
      $pathname: path,
      ...('action' in step && actionProperties(world, session, step.action, known)),
    }
    yield {
      uuid: eventId(world, day, number, index),
      event: 'page' in step ? '$pageview' : step.action,
      distinct_id: distinctId,
      timestamp: new Date(at).toISOString(),
      properties,
    }
  }
}

const pauseBefore = ({ seed }: World, key: number, index: number): number =>
  SHORTEST_PAUSE +
  Math.floor((LONGEST_PAUSE - SHORTEST_PAUSE) * chance(seed, key, DRAW.pause + index) ** 2)

/** Returns the properties that all events of a session share. */
function sessionProperties(world: World, session: Session, key: number): Properties {
  const { person, purpose, day, number } = session
  const { code, name, cities } = countryOf(world, person)
  const isDirect =
    !['look', 'sign up'].includes(purpose) && chance(world.seed, key, DRAW.directly) < DIRECTLY
  return {
    $lib: 'web',
    $host: HOST,
    $session_id: eventId(world, day, number, 0xfff),
    ...deviceOf(world, session),
    $geoip_country_code: code,
    $geoip_country_name: name,
    $geoip_city_name: cities[hash(world.seed, person, DRAW.city) % cities.length],
    ...(isDirect ? DIRECT : pickSource(chance(world.seed, key, DRAW.source))),
  }
}

function actionProperties(
  world: World,
  session: Session,
  action: Action,
  known: Properties,
): Properties {
  const { person, day } = session
  if (action === '$identify') {
    const age = day - firstDayOf(world, person, day)
    return {
      $anon_distinct_id: anonymousIdOf(world, session),
      $set: { ...profileOf(world, person), plan: planAt(world, person, age) },
      $set_once: { $initial_referring_domain: known.$referring_domain },
    }
  }
  if (action !== 'purchased') return {}
  const { plan, amount } = planOf(world, person)
  return { plan, amount, currency: 'USD', $set: { plan } }
}

/** Returns a UUID of version 8, derived from the event's position in its world, so it is unique without randomness. */
const eventId = ({ mark }: World, day: number, session: number, index: number): string =>
  `${mark.slice(0, 8)}-${mark.slice(8)}-8${hex(day, 3)}-8${hex(index, 3)}-${hex(session, 12)}`

const hex = (number: number, digits: number): string => number.toString(16).padStart(digits, '0')
