import type { Meta } from '../shared/app.ts'
import { isRecord } from '../shared/paths.ts'
import { textSetting, toPayload, toWholeNumber } from '../shared/settings.ts'

export type Paging = 'none' | 'page' | 'cursor' | 'link'

export interface Settings {
  readonly url: string
  /** The URL of the first request: `url`, or that of a window of the past. */
  readonly first: string
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

export function readSettings(meta: Pick<Meta, 'config'>, first?: string): Settings {
  const text = (key: string, defaultValue?: string) => textSetting(meta, key, defaultValue)
  const paging = text('paging') || 'none'
  const url = toUrl(text('url'), 'URL')
  const settings: Settings = {
    url,
    first: first ?? url,
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
    throw new Error('Paging by cursor needs the "Cursor path", such as meta.next.')
  }
  if (settings.format === 'ndjson') {
    throw new Error('Paging by cursor does not work with NDJSON. Choose another paging.')
  }
}

/** A part of the past: `from` belongs to it, `to` does not. */
export interface Window {
  readonly from: string
  readonly to: string
}

export function toBackfillUrl(meta: Pick<Meta, 'config'>, { from, to }: Window): string {
  const text = textSetting(meta, 'backfill_url')
  if (text !== '' && !(text.includes('{from}') && text.includes('{to}'))) {
    throw new Error('The "Backfill URL" must contain {from} and {to}.')
  }
  const filled = text
    .replaceAll('{from}', encodeURIComponent(from))
    .replaceAll('{to}', encodeURIComponent(to))
  return toUrl(filled, 'Backfill URL')
}

function toUrl(text: string, name: string): string {
  if (text === '') throw new Error(`The "${name}" is not set.`)
  try {
    return new URL(text).href
  } catch {
    throw new Error(
      `The "${name}" is not valid: "${text}". It must start with https:// or http://.`,
    )
  }
}

/** Accepts an object or its JSON text. */
function toHeaders(value: unknown): Record<string, string> {
  if (value === undefined || value === null || value === '') return {}
  const headers = typeof value === 'string' ? parse(value) : value
  if (!isRecord(headers) || Object.values(headers).some((one) => !isPlain(one))) {
    throw new Error('"Headers" must be a JSON object of strings, such as {"Authorization": "..."}.')
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

export interface RunOptions {
  readonly fromStart: boolean
  readonly maxPages: number
}

export function readOptions(payload: unknown): RunOptions {
  const { from_start, max_pages } = toPayload(payload)
  const bounds = { name: 'max_pages', min: 1, max: 1_000_000_000 }
  return {
    fromStart: from_start === true,
    maxPages:
      max_pages === undefined || max_pages === null
        ? Number.POSITIVE_INFINITY
        : toWholeNumber(max_pages, bounds),
  }
}
