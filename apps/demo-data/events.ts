import type { NewEvent } from '../shared/delivery.ts'
import { billingOn } from './billing.ts'
import { companyOf } from './companies.ts'
import { anonymousIdOf, deviceOf } from './devices.ts'
import { HOST } from './host.ts'
import { eventId } from './ids.ts'
import { countryOf, planAt, profileOf, userIdOf } from './people.ts'
import { chance, createPicker, hash } from './random.ts'
import { type Session, sessionsOn } from './sessions.ts'
import { type Action, generateSteps, startsSignedIn } from './steps.ts'
import { firstDayOf, isLaunch, type World } from './world.ts'

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
/** In the week of the launch, most visitors come from where it was announced. */
const pickLaunchSource = createPicker<Properties>([
  [44, from('news.ycombinator.com', '/item', { utm_campaign: 'launch' })],
  [16, from('t.co', '/fieldnotes', utm('twitter', 'social', 'launch'))],
  [12, from('www.linkedin.com', '/', utm('linkedin', 'social', 'launch'))],
  [14, from('www.google.com')],
  [14, DIRECT],
])
/** The share of users who come directly, without a referrer. */
const DIRECTLY = 0.75

/** Numbers of the random draws for a session. */
const DRAW = { source: 200, directly: 201, city: 202, pause: 300 } as const
const LONGEST_PAUSE = 110_000
const SHORTEST_PAUSE = 3_000

/** Yields the events of a day after one moment and up to another: its bills, then session by session. */
export function* eventsBetween(
  world: World,
  day: number,
  after: number,
  until: number,
): Generator<NewEvent> {
  for (const bill of billingOn(world, day)) {
    const at = Date.parse(bill.timestamp as string)
    if (at > after && at <= until) yield bill
  }
  for (const session of sessionsOn(world, day)) {
    if (session.start > until) return
    yield* eventsOfSession(world, session, after, until)
  }
}

/** Yields the events of a session after one moment and up to another. */
export function* eventsOfSession(
  world: World,
  session: Session,
  after = 0,
  until = Number.POSITIVE_INFINITY,
): Generator<NewEvent> {
  const { person, day, number } = session
  const key = hash(world.seed, day, number)
  const known = sessionProperties(world, session, key)
  const steps = generateSteps(world, session)
  const userId = userIdOf(world, person)
  const isSignedIn = startsSignedIn(session, steps)
  let distinctId = isSignedIn ? userId : anonymousIdOf(world, session)
  let at = session.start
  let path = '/'
  for (const [index, step] of steps.entries()) {
    if (index > 0) at += pauseBefore(world, key, index)
    if ('page' in step) path = step.page
    else if (step.action === '$identify') distinctId = userId
    if (at <= after || at > until) continue
    const properties: Properties = {
      ...known,
      $current_url: `https://${HOST}${path}`,
      $pathname: path,
      ...(distinctId === userId && { $groups: { company: companyOf(world, person).key } }),
      // names people who signed in before the history begins
      ...(isSignedIn && index === 0 && { $set: profileOf(world, person) }),
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
  const { code, name, continent, cities } = countryOf(world, person)
  const isDirect =
    !['look', 'sign up'].includes(purpose) && chance(world.seed, key, DRAW.directly) < DIRECTLY
  const pickFrom = isLaunch(world, day) ? pickLaunchSource : pickSource
  return {
    $lib: 'web',
    $host: HOST,
    $session_id: eventId(world, day, number, 0xfff),
    ...deviceOf(world, session),
    $geoip_country_code: code,
    $geoip_country_name: name,
    $geoip_continent_code: continent,
    $geoip_city_name: cities[hash(world.seed, person, DRAW.city) % cities.length],
    ...(isDirect ? DIRECT : pickFrom(chance(world.seed, key, DRAW.source))),
  }
}

function actionProperties(
  world: World,
  session: Session,
  action: Action,
  known: Properties,
): Properties {
  const { person, day, purpose } = session
  const { key, name, industry, plan, seats, amount } = companyOf(world, person)
  if (action === '$groupidentify') {
    const paid = purpose === 'buy' && { plan, seats }
    const $group_set = { name, industry, $host: HOST, ...paid }
    return { $group_type: 'company', $group_key: key, $group_set }
  }
  if (action === '$identify') {
    const age = day - firstDayOf(world, person, day)
    return {
      $anon_distinct_id: anonymousIdOf(world, session),
      $set: { ...profileOf(world, person), plan: planAt(world, person, age) },
      $set_once: { $initial_referring_domain: known.$referring_domain },
    }
  }
  if (action !== 'purchased') return {}
  return { plan, seats, amount, currency: 'USD', $set: { plan } }
}
