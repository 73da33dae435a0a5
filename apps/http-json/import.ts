import type { App, FetchResponse } from '../shared/app.ts'
import { readBody } from '../shared/bodies.ts'
import { keepColumns, listPaths } from '../shared/columns.ts'
import { createDelivery } from '../shared/delivery.ts'
import { describeError, discard, requestAndRead, withoutQuery } from '../shared/requests.ts'
import { createSkipped } from '../shared/skipped.ts'
import { type ItemSink, readJson, readNdjson } from './items.ts'
import { createMapper, toItemId } from './mapping.ts'
import { findNextUrl } from './paging.ts'
import { loadPosition, type Position, savePosition } from './position.ts'
import { readOptions, readSettings, type Settings } from './settings.ts'

/** Stops at an API that returns new cursors forever. */
const MAX_EMPTY_PAGES = 10
/** Items whose fields the form of the settings lists. */
const MAX_SAMPLE = 20
const REMEDY = 'Check "Person field", "Time field" and "Items path".'

/** Imports page by page, from the first URL, which is that of the settings by default. The position is saved after each page, so that a stopped run continues there. */
export async function importItems(app: App, payload: unknown, first?: string): Promise<void> {
  const { meta, log } = app
  const settings = readSettings(meta, first)
  const options = readOptions(payload)
  const position: Position = options.fromStart ? {} : await loadPosition(meta, settings)
  const run = createRun(app, settings, position)

  let url = position.next ?? settings.first
  let lastWithItems = url
  let before: string | undefined
  let emptyPages = 0
  for (let pages = 1; pages <= options.maxPages; pages += 1) {
    const found = await requestPage(app, settings, url, position)
    if (found === 'start over') {
      log.warn('The last position no longer exists. Starting from the first page.')
      url = settings.first
      continue
    }
    if (found === 'past the end') return run.finish(lastWithItems)

    const { response, text } = found
    const page =
      text === undefined
        ? await readNdjson(readBody(app, url, toHeaders(settings, url), response), run.sink)
        : await readJson(settings, url, text, run.sink)
    await run.settle(pages)
    const isEmpty = page.count === 0
    emptyPages = isEmpty ? emptyPages + 1 : 0
    if (!isEmpty) lastWithItems = url
    // some servers repeat the last page past the end
    const isRepeated = page.fingerprint !== undefined && page.fingerprint === before
    before = page.fingerprint
    const link = response.headers.get('link')
    const next = findNextUrl(settings, { url, body: page.body, link, isEmpty })
    if (next === undefined || isRepeated || run.hasMetKnown() || emptyPages === MAX_EMPTY_PAGES) {
      return run.finish(settings.paging === 'page' ? lastWithItems : url)
    }
    await run.savePosition(next)
    url = next
  }
  run.logSummary()
}

function createRun(app: App, settings: Settings, position: Position) {
  const { meta, log } = app
  const skipped = createSkipped(app)
  const delivery = createDelivery(app, skipped)
  const toEvent = createMapper(settings)
  const isFirstEver = position.next === undefined && position.newest === undefined
  const first: unknown[] = []
  let head = position.head
  let hasMetKnown = false
  let seen = 0

  const sink: ItemSink = {
    keepPace: delivery.keepPace,
    item(item, place) {
      seen += 1
      if (first.length < MAX_SAMPLE) first.push(item)
      const id = toItemId(item, settings.idField)
      head ??= id
      if (id !== undefined && id === position.newest) hasMetKnown = true
      const mapped = toEvent(item)
      if (typeof mapped !== 'string') return delivery.add(mapped)
      skipped.add(`${place}: ${mapped}`, item)
      return false
    },
    broken(place, problem, text) {
      seen += 1
      skipped.add(`${place}: ${problem}`, text)
    },
  }

  const logSummary = () => {
    skipped.finish()
    log.info(`${seen} items read, ${skipped.count} skipped.`)
  }
  const saveNext = (next: string) =>
    savePosition(
      meta,
      settings,
      settings.newestFirst ? { next, newest: position.newest, head } : { next },
    )

  return {
    sink,
    logSummary,
    savePosition: saveNext,
    hasMetKnown: () => settings.newestFirst && hasMetKnown,
    async settle(page: number): Promise<void> {
      if (page === 1) await keepColumns(app, listPaths(first))
      await delivery.settle()
      meta.utils.progress(seen, null, `page ${page}`)
      if (isFirstEver && page === 1) skipped.requireSome(delivery.delivered, REMEDY)
    },
    /** Lets the next run start at the last page, which may have grown, or at the first page if newest come first. */
    async finish(last: string): Promise<void> {
      if (settings.newestFirst)
        await savePosition(meta, settings, { newest: head ?? position.newest })
      else if (settings.paging !== 'none') await saveNext(last)
      logSummary()
    },
  }
}

interface Page {
  readonly response: FetchResponse
  /** undefined for NDJSON, which is read as it arrives. */
  readonly text: string | undefined
}

async function requestPage(
  app: App,
  settings: Settings,
  url: string,
  position: Position,
): Promise<Page | 'past the end' | 'start over'> {
  const headers = toHeaders(settings, url)
  const page = await requestAndRead(app, url, { headers }, async (response) => {
    const isJson = response.ok && settings.format !== 'ndjson'
    return { response, text: isJson ? await readText(url, response) : undefined }
  })
  const { response } = page
  if (response.ok) return page
  const isGone = [400, 404, 410].includes(response.status)
  const isFirst = url === settings.first
  if (isGone && !isFirst && url === position.next) {
    await discard(response)
    return 'start over'
  }
  if (response.status === 404 && !isFirst && settings.paging === 'page') {
    await discard(response)
    return 'past the end'
  }
  throw new Error(
    `${await describeError(url, response)} Check the "URL" and the "Headers" and run it again.`,
  )
}

async function readText(url: string, response: FetchResponse): Promise<string> {
  return response.text().catch((error) => {
    if (error?.type !== 'max-size') throw error
    throw new Error(
      `${withoutQuery(url)} returned more than 32 MiB at once. Set "Format" to ndjson if the API can return it, or set "Paging".`,
    )
  })
}

/** Sends the headers only to the origin of the first URL, since they may hold secrets. */
function toHeaders({ first, headers, format }: Settings, url: string): Record<string, string> {
  const accept = format === 'ndjson' ? 'application/x-ndjson, application/json' : 'application/json'
  const sent = new URL(url).origin === new URL(first).origin ? headers : {}
  return { accept, ...sent }
}
