import { isObject } from '#model/json.ts'
import type { PreviewColumn } from './schema.ts'

/** The storage key under which an app leaves the columns that it found. */
export const COLUMNS_KEY = 'columns'
const MAX_COLUMNS = 500
const MAX_TEXT = 400

/** Parses the columns that an app stored, which may be anything. */
export function parseColumns(text: string | undefined): PreviewColumn[] {
  const stored: unknown = text === undefined ? [] : JSON.parse(text)
  if (!Array.isArray(stored)) return []
  return stored.slice(0, MAX_COLUMNS).flatMap((column) => {
    if (!isObject(column) || typeof column.name !== 'string' || column.name === '') return []
    const [name, type, example] = [column.name, column.type, column.example].map(toText)
    return [{ name, type, example }] as PreviewColumn[]
  })
}

const toText = (value: unknown): string =>
  typeof value === 'string' ? value.slice(0, MAX_TEXT) : ''
