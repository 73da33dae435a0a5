import type { App, FetchAnswer } from '../shared/app.ts'
import { createDelivery } from '../shared/delivery.ts'
import { describeRefusal, discard, request } from '../shared/requests.ts'
import { createSkipped } from '../shared/skipped.ts'
import { type ItemSink, readItems } from './items.ts'
import { createMapper, idOf } from './mapping.ts'
import { nextAddress } from './paging.ts'
import { loadPosition, type Position, savePosition } from './position.ts'
import { readSettings, readWish, type Settings } from './settings.ts'

/** An API that hands out new cursors for ever has to be left some time. */
const EMPTY_PAGES = 10
const WHAT_TO_DO = 'Check "Person field", "Time field" and "Path of the items".'

/** Reads page after page. After each its items are stored and the place is kept, so that a stopped run goes on there. */
export async function importItems(app: App, payload: unknown): Promise<void> {
  const { meta, log } = app
  const settings = readSettings(meta)
  const wish = readWish(payload)
  const position: Position = wish.fromStart ? {} : await loadPosition(meta, settings)
  const run = createRun(app, settings, position)

  let url = position.next ?? settings.url
  let lastWithItems = url
  let before: string | undefined
  let emptyPages = 0
  for (let pages = 1; pages <= wish.maxPages; pages += 1) {
    const answer = await askPage(app, settings, url, position)
    if (answer === 'start over') {
      log.warn('The place where the last run ended is gone. Starting from the first page.')
      url = settings.url
      continue
    }
    if (answer === 'past the end') return run.finish(lastWithItems)

    const page = await readItems(settings, url, answer, run.sink)
    await run.settle(pages)
    const isEmpty = page.count === 0
    emptyPages = isEmpty ? emptyPages + 1 : 0
    if (!isEmpty) lastWithItems = url
    // some servers answer a page past the end with the last one again
    const isRepeated = page.fingerprint !== undefined && page.fingerprint === before
    before = page.fingerprint
    const link = answer.headers.get('link')
    const next = nextAddress(settings, { url, answer: page.answer, link, isEmpty })
    if (next === undefined || isRepeated || run.hasMetKnown() || emptyPages === EMPTY_PAGES) {
      return run.finish(settings.paging === 'page' ? lastWithItems : url)
    }
    await run.keep(next)
    url = next
  }
  run.say()
}

function createRun(app: App, settings: Settings, position: Position) {
  const { meta, log } = app
  const skipped = createSkipped(log)
  const delivery = createDelivery(app, skipped)
  const toEvent = createMapper(settings)
  const isFirstEver = position.next === undefined && position.newest === undefined
  let head = position.head
  let hasMetKnown = false
  let seen = 0

  const sink: ItemSink = {
    keepPace: delivery.keepPace,
    item(item, place) {
      seen += 1
      const id = idOf(item, settings.idField)
      head ??= id
      if (id !== undefined && id === position.newest) hasMetKnown = true
      const mapped = toEvent(item)
      if (typeof mapped !== 'string') return delivery.add(mapped)
      skipped.add(`${place} ${mapped}`)
      return false
    },
    broken(place, problem) {
      seen += 1
      skipped.add(`${place} ${problem}`)
    },
  }

  const say = () => {
    skipped.finish()
    log.info(`${seen} items read, ${skipped.count} left out.`)
  }
  const keep = (next: string) =>
    savePosition(
      meta,
      settings,
      settings.newestFirst ? { next, newest: position.newest, head } : { next },
    )

  return {
    sink,
    say,
    keep,
    hasMetKnown: () => settings.newestFirst && hasMetKnown,
    async settle(page: number): Promise<void> {
      await delivery.settle()
      meta.utils.progress(seen, null, `page ${page}`)
      if (isFirstEver && page === 1) skipped.requireSome(delivery.delivered, WHAT_TO_DO)
    },
    /** The next run begins at the last page, which may have grown; newest first it begins at the first. */
    async finish(last: string): Promise<void> {
      if (settings.newestFirst)
        await savePosition(meta, settings, { newest: head ?? position.newest })
      else if (settings.paging !== 'none') await keep(last)
      say()
    },
  }
}

async function askPage(
  app: App,
  settings: Settings,
  url: string,
  position: Position,
): Promise<FetchAnswer | 'past the end' | 'start over'> {
  const answer = await request(app, url, headersFor(settings, url))
  if (answer.ok) return answer
  const isGone = [400, 404, 410].includes(answer.status)
  const isFirst = url === settings.url
  if (isGone && !isFirst && url === position.next) {
    await discard(answer)
    return 'start over'
  }
  if (answer.status === 404 && !isFirst && settings.paging === 'page') {
    await discard(answer)
    return 'past the end'
  }
  throw new Error(
    `${await describeRefusal(url, answer)} Check the "Address" and the "Headers", then run it again.`,
  )
}

/** The headers may hold secrets: another server that a link leads to does not get them. */
function headersFor({ url: own, headers, format }: Settings, url: string): Record<string, string> {
  const accept = format === 'ndjson' ? 'application/x-ndjson, application/json' : 'application/json'
  const sent = new URL(url).origin === new URL(own).origin ? headers : {}
  return { accept, ...sent }
}
