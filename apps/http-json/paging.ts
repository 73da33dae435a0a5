import { valueAt } from '../shared/paths.ts'
import type { Settings } from './settings.ts'

/** What the page that was just read says about the next one. */
export interface PageEnd {
  /** Where it was read. */
  readonly url: string
  /** The parsed answer; undefined for NDJSON. */
  readonly answer: unknown
  readonly link: string | null
  readonly isEmpty: boolean
}

/** The address after this page's, or undefined when this was the last. */
export function nextAddress(settings: Settings, page: PageEnd): string | undefined {
  const next = findNext(settings, page)
  return next === page.url ? undefined : next
}

function findNext(settings: Settings, { url, answer, link, isEmpty }: PageEnd): string | undefined {
  switch (settings.paging) {
    case 'none':
      return undefined
    case 'page':
      return isEmpty ? undefined : nextPage(url, settings.pagingParameter)
    case 'cursor':
      return atCursor(settings, url, valueAt(answer, settings.cursorPath))
    case 'link': {
      const target = link === null ? undefined : findLink(link, 'next')
      return target === undefined ? undefined : new URL(target, url).href
    }
  }
}

/** The first address may say itself where counting begins; it is 1 otherwise. */
function nextPage(address: string, parameter: string): string {
  const url = new URL(address)
  const current = url.searchParams.get(parameter) ?? '1'
  if (!/^\d{1,15}$/.test(current)) {
    throw new Error(`The address holds ${parameter}=${current}, which is no page number.`)
  }
  url.searchParams.set(parameter, String(Number(current) + 1))
  return url.href
}

/** Without a parameter to put it in, a cursor is the next address itself. */
function atCursor(settings: Settings, address: string, cursor: unknown): string | undefined {
  if (typeof cursor !== 'string' && typeof cursor !== 'number') return undefined
  if (cursor === '') return undefined
  if (settings.pagingParameter === '') return new URL(String(cursor), address).href
  const url = new URL(address)
  url.searchParams.set(settings.pagingParameter, String(cursor))
  return url.href
}

/** The target with this relation in a `Link` header (RFC 8288). Each part is looked at once, whatever the header holds. */
export function findLink(header: string, relation: string): string | undefined {
  const target = /[\s,]*<([^>]*)>/y
  const parameter = /\s*;\s*([^\s=;,"<>]*)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?/y
  for (let found = target.exec(header); found; found = target.exec(header)) {
    let relations = ''
    parameter.lastIndex = target.lastIndex
    for (let one = parameter.exec(header); one; one = parameter.exec(header)) {
      target.lastIndex = parameter.lastIndex
      const [, name, quoted, plain] = one
      if (name?.toLowerCase() === 'rel') relations ||= quoted ?? plain ?? ''
    }
    if (relations.toLowerCase().split(/\s+/).includes(relation)) return found[1]
  }
  return undefined
}
