import type { TableResult } from '#model/query-results.ts'
import { toSeed } from './sample-numbers.ts'

const ROWS = 12

const EVENTS = ['signed_up', 'task_completed', 'purchased', 'project_created']
const STATES = ['succeeded', 'succeeded', 'running', 'failed']
const PEOPLE = ['ada@example.com', 'grace@example.com', 'linus@example.com', 'alan@example.com']
const WORDS = ['Orders', 'Customers', 'Invoices', 'Website']

const TIME = /time|_at$|day|week|month|newest|date/i
const NUMBER =
  /count|total|people|persons|amount|events|skipped|orders|revenue|views|score|stars|rows|downloads/i
const PERSON = /customer|distinct_id|person|email|author|user/i

/** Makes up rows with the columns that a SELECT names. */
export function toSampleRows(sql: string): TableResult {
  const columns = listColumns(sql)
  const results = Array.from({ length: ROWS }, (_, row) =>
    columns.map((column) => toValue(column, row)),
  )
  return { columns, types: columns.map((column) => [column, 'String']), results, hasMore: false }
}

/** Finds the names after `as`, or the last words of the expressions. */
function listColumns(sql: string): string[] {
  const [, list = ''] = /select\s+(?:distinct\s+)?([\s\S]+?)\sfrom\s/i.exec(sql) ?? []
  const columns = splitOutside(list).map((part) => /(\w+)\W*$/.exec(part.trim())?.[1] ?? '')
  const named = columns.filter((name) => name !== '')
  return named.length > 0 ? named : ['name', 'total']
}

/** Splits at the commas that are in no parentheses. */
function splitOutside(text: string): string[] {
  const parts = ['']
  let depth = 0
  for (const letter of text) {
    if (letter === '(') depth++
    if (letter === ')') depth--
    if (letter === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += letter
  }
  return parts
}

function toValue(column: string, row: number): string | number {
  const pick = (values: readonly string[]) => values[row % values.length] as string
  if (TIME.test(column)) return new Date(Date.now() - row * 5_400_000).toISOString().slice(0, 16)
  if (NUMBER.test(column)) return Math.round((900 + (toSeed(column) % 300)) / (row + 1))
  if (PERSON.test(column)) return pick(PEOPLE)
  if (column === 'event') return pick(EVENTS)
  return /state|status/.test(column) ? pick(STATES) : pick(WORDS)
}
