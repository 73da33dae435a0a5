import type { Meta } from '../shared/app.ts'
import { isRecord } from '../shared/paths.ts'
import { textSetting, toPayload, toWholeNumber } from '../shared/settings.ts'

export type Paging = 'none' | 'page' | 'cursor' | 'link'

export interface Settings {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly format: 'json' | 'ndjson'
  readonly items: string
  readonly paging: Paging
  readonly pagingParameter: string
  readonly cursorPath: string
  readonly newestFirst: boolean
  readonly idField: string
  readonly event: string
  readonly distinctIdField: string
  readonly timestampField: string
  readonly properties: readonly string[]
}

const PAGINGS: readonly string[] = ['none', 'page', 'cursor', 'link']

export function readSettings(meta: Pick<Meta, 'config'>): Settings {
  const text = (key: string, byDefault?: string) => textSetting(meta, key, byDefault)
  const paging = text('paging') || 'none'
  const settings: Settings = {
    url: toAddress(text('url')),
    headers: toHeaders(meta.config.headers),
    format: text('format') === 'ndjson' ? 'ndjson' : 'json',
    items: text('items'),
    paging: (PAGINGS.includes(paging) ? paging : 'none') as Paging,
    pagingParameter: text('paging_parameter'),
    cursorPath: text('cursor_path'),
    newestFirst: text('order') === 'newest first',
    idField: text('id_field', 'id'),
    event: text('event') || 'imported',
    distinctIdField: text('distinct_id_field') || 'distinct_id',
    timestampField: text('timestamp_field', 'timestamp'),
    properties: text('properties')
      .split(',')
      .map((path) => path.trim())
      .filter((path) => path !== ''),
  }
  requireComplete(settings)
  return settings
}

function requireComplete(settings: Settings): void {
  if (settings.paging === 'page' && settings.pagingParameter === '') {
    throw new Error('Paging by page needs the "Paging parameter", such as page.')
  }
  if (settings.paging !== 'cursor') return
  if (settings.cursorPath === '') {
    throw new Error('Paging by cursor needs the "Path of the next cursor", such as meta.next.')
  }
  if (settings.format === 'ndjson') {
    throw new Error('An NDJSON answer has no place for a cursor: choose another paging.')
  }
}

function toAddress(text: string): string {
  if (text === '') throw new Error('The "Address" is not set: there is nothing to ask.')
  try {
    return new URL(text).href
  } catch {
    throw new Error(`The "Address" is no URL: "${text}". It begins with https:// or http://.`)
  }
}

/** Given as an object, or as its text. */
function toHeaders(value: unknown): Record<string, string> {
  if (value === undefined || value === null || value === '') return {}
  const headers = typeof value === 'string' ? parse(value) : value
  if (!isRecord(headers) || Object.values(headers).some((one) => !isPlain(one))) {
    throw new Error('"Headers" must be a JSON object of texts, such as {"Authorization": "..."}.')
  }
  return Object.fromEntries(Object.entries(headers).map(([name, one]) => [name, String(one)]))
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isPlain = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number'

export interface Wish {
  readonly fromStart: boolean
  readonly maxPages: number
}

export function readWish(payload: unknown): Wish {
  const { from_start, max_pages } = toPayload(payload)
  const bounds = { name: 'max_pages', least: 1, most: 1_000_000_000 }
  return {
    fromStart: from_start === true,
    maxPages:
      max_pages === undefined || max_pages === null
        ? Number.POSITIVE_INFINITY
        : toWholeNumber(max_pages, bounds),
  }
}
