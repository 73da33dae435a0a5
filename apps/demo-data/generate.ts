import type { App } from '../shared/app.ts'
import { createDelivery } from '../shared/delivery.ts'
import { textSetting, toPayload, toWholeNumber } from '../shared/settings.ts'
import { createSkipped } from '../shared/skipped.ts'
import { eventsBetween } from './events.ts'
import { recentEvents } from './recent.ts'
import { createWorld, DAY, DAYS, type World } from './world.ts'

const EVENTS = { name: 'Number of events', min: 1, max: 10_000_000 }

/** The storage key of the world that the schedule continues. */
const LIVE = 'live'

interface Live {
  readonly seed: string
  readonly events: number
  /** The first day after the history, in days since 1970. */
  readonly today: number
  readonly until: number
}

/**
 * Generates the whole history up to now with exactly the requested number of events: today's replace the oldest. Charts
 * end with today, where the schedule continues.
 */
export async function generateHistory(app: App, payload: unknown, now: number): Promise<void> {
  const { meta, log } = app
  const options = readOptions(app, payload)
  const today = Math.floor(now / DAY)
  const world = createWorld(options.seed, options.events, today)
  const delivery = createDelivery(app, createSkipped(app))
  const recent = recentEvents(world, now)
  let tooOld = countOf(eventsBetween(world, DAYS, 0, now)) + recent.length
  for (let day = 0; day <= DAYS; day += 1) {
    for (const event of concat(eventsBetween(world, day, 0, now), day === DAYS ? recent : [])) {
      if (tooOld-- > 0 || !delivery.add(event)) continue
      await delivery.keepPace()
      meta.utils.progress(
        delivery.delivered,
        options.events,
        `day ${Math.min(day + 1, DAYS)} of ${DAYS}`,
      )
    }
  }
  await delivery.settle()
  meta.utils.progress(delivery.delivered, options.events, `${DAYS} days`)
  log.info(`${delivery.delivered} events of the last ${DAYS} days generated.`)
  if (!options.isOtherSeed) await meta.storage.set(LIVE, { ...newLive(options, today), until: now })
}

function* concat<T>(first: Iterable<T>, second: Iterable<T>): Generator<T> {
  yield* first
  yield* second
}

function countOf(events: Iterable<unknown>): number {
  let count = 0
  for (const _ of events) count += 1
  return count
}

/** Generates the events since the last run, so dashboards show new data. */
export async function continueHistory(app: App, now: number): Promise<void> {
  const live = (await loadLive(app)) ?? newLive(readOptions(app, {}), Math.floor(now / DAY))
  const world = createWorld(live.seed, live.events, live.today)
  const delivery = createDelivery(app, createSkipped(app))
  // a long pause leaves a gap, because dashboards show the last days
  const after = Math.max(live.until, now - DAYS * DAY)
  for (let day = toDay(world, after); day <= toDay(world, now); day += 1) {
    for (const event of eventsBetween(world, day, after, now)) {
      if (delivery.add(event)) await delivery.keepPace()
    }
    await delivery.settle()
    app.meta.utils.progress(delivery.delivered, null, `until ${new Date(now).toISOString()}`)
  }
  await app.meta.storage.set(LIVE, { ...live, until: now })
  app.log.info(`${delivery.delivered} new events generated.`)
}

const toDay = ({ firstDay }: World, at: number): number => Math.floor(at / DAY) - firstDay

const loadLive = async ({ meta }: App): Promise<Live | undefined> =>
  ((await meta.storage.get(LIVE)) as Live | null | undefined) ?? undefined

const newLive = ({ seed, events }: { seed: string; events: number }, today: number): Live => ({
  seed,
  events,
  today,
  until: today * DAY,
})

function readOptions({ meta }: App, payload: unknown) {
  const { events, seed } = toPayload(payload)
  const isOtherSeed = typeof seed === 'string' && seed !== ''
  return {
    events: toWholeNumber(events ?? (textSetting(meta, 'events') || '10000'), EVENTS),
    seed: isOtherSeed ? seed : textSetting(meta, 'seed') || 'hedgerow',
    isOtherSeed,
  }
}
