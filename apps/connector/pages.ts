import { findLink } from '../shared/link.ts'
import { valueAt } from '../shared/paths.ts'
import type { Paginate } from './connector.ts'

/** The part of a page that tells where the next is. */
export interface PageEnd {
  readonly url: string
  readonly body: unknown
  readonly link: string | null
  readonly count: number
}

/** Returns the parameters of the first page. */
export function toFirstPage({ page, offset }: Paginate): Record<string, string> {
  if (page) return { [page.parameter]: String(page.first ?? 1) }
  if (offset) {
    const { parameter, limit_parameter, limit } = offset
    return { [parameter]: '0', ...(limit_parameter && { [limit_parameter]: String(limit) }) }
  }
  return {}
}

/** Finds the URL of the next page, or undefined after the last. */
export function findNextPage(paginate: Paginate, end: PageEnd): string | undefined {
  const next = find(paginate, end)
  return next === end.url ? undefined : next
}

function find({ page, offset, cursor, link }: Paginate, end: PageEnd): string | undefined {
  if (page) return end.count === 0 ? undefined : addTo(end.url, page.parameter, 1)
  if (offset) {
    return end.count < offset.limit ? undefined : addTo(end.url, offset.parameter, offset.limit)
  }
  if (cursor) {
    if (cursor.more !== undefined && valueAt(end.body, cursor.more) !== true) return undefined
    const value = valueAt(end.body, cursor.path)
    if ((typeof value !== 'string' && typeof value !== 'number') || value === '') return undefined
    if (cursor.parameter === undefined) return new URL(String(value), end.url).href
    return withParameter(end.url, cursor.parameter, String(value))
  }
  const target = link && end.link !== null ? findLink(end.link, 'next') : undefined
  return target === undefined ? undefined : new URL(target, end.url).href
}

const addTo = (url: string, parameter: string, step: number): string => {
  const current = Number(new URL(url).searchParams.get(parameter))
  return withParameter(url, parameter, String(current + step))
}

function withParameter(href: string, parameter: string, value: string): string {
  const url = new URL(href)
  url.searchParams.set(parameter, value)
  return url.href
}
