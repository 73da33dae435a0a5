import { findLink } from '../shared/link.ts'
import { valueAt } from '../shared/paths.ts'
import type { Settings } from './settings.ts'

/** The part of a page from which the next URL is found. */
export interface PageEnd {
  readonly url: string
  /** The parsed response; undefined for NDJSON. */
  readonly body: unknown
  readonly link: string | null
  readonly isEmpty: boolean
}

/** Finds the URL of the next page, or undefined after the last. */
export function findNextUrl(settings: Settings, page: PageEnd): string | undefined {
  const next = findNext(settings, page)
  return next === page.url ? undefined : next
}

function findNext(settings: Settings, { url, body, link, isEmpty }: PageEnd): string | undefined {
  switch (settings.paging) {
    case 'none':
      return undefined
    case 'page':
      return isEmpty ? undefined : nextPage(url, settings.pagingParameter)
    case 'cursor':
      return atCursor(settings, url, valueAt(body, settings.cursorPath))
    case 'link': {
      const target = link === null ? undefined : findLink(link, 'next')
      return target === undefined ? undefined : new URL(target, url).href
    }
  }
}

/** Counts from the page in the URL, or from 1. */
function nextPage(address: string, parameter: string): string {
  const url = new URL(address)
  const current = url.searchParams.get(parameter) ?? '1'
  if (!/^\d{1,15}$/.test(current)) {
    throw new Error(`${parameter}=${current} in the URL is not a page number.`)
  }
  url.searchParams.set(parameter, String(Number(current) + 1))
  return url.href
}

/** Treats the cursor as a URL if there is no parameter for it. */
function atCursor(settings: Settings, address: string, cursor: unknown): string | undefined {
  if (typeof cursor !== 'string' && typeof cursor !== 'number') return undefined
  if (cursor === '') return undefined
  if (settings.pagingParameter === '') return new URL(String(cursor), address).href
  const url = new URL(address)
  url.searchParams.set(settings.pagingParameter, String(cursor))
  return url.href
}
