import type { App } from './app.ts'
import { isRecord } from './paths.ts'

/** A column of what is imported. The form of the settings lists those of a test. */
export interface NamedColumn {
  readonly name: string
  readonly type: string
  /** A value of it, as text. */
  readonly example: string
}

/** The storage key under which the form looks for the columns. */
const COLUMNS = 'columns'
const MAX_COLUMNS = 500
const MAX_EXAMPLE = 100

export const keepColumns = (app: App, columns: readonly NamedColumn[]): Promise<unknown> =>
  app.meta.storage.set(
    COLUMNS,
    columns
      .slice(0, MAX_COLUMNS)
      .map((column) => ({ ...column, example: column.example.slice(0, MAX_EXAMPLE) })),
  )

/** Objects inside objects that are listed with their fields. */
const MAX_DEPTH = 3

/** Lists the paths of the values in items, with the type and an example of each. */
export function listPaths(items: readonly unknown[]): NamedColumn[] {
  const found = new Map<string, unknown>()
  for (const item of items) {
    for (const [path, value] of listValues(item, '', MAX_DEPTH)) {
      if ((found.get(path) ?? null) === null) found.set(path, value)
    }
  }
  return [...found].map(([name, value]) => ({ name, type: toType(value), example: toText(value) }))
}

const listValues = (item: unknown, prefix: string, depth: number): [string, unknown][] =>
  isRecord(item)
    ? Object.entries(item).flatMap(([key, value]) =>
        depth > 1 && isRecord(value)
          ? listValues(value, `${prefix}${key}.`, depth - 1)
          : [[`${prefix}${key}`, value] as [string, unknown]],
      )
    : []

function toType(value: unknown): string {
  if (Array.isArray(value)) return 'list'
  if (isRecord(value)) return 'object'
  return typeof value === 'number' || typeof value === 'boolean' ? typeof value : 'text'
}

const toText = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
