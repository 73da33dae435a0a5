import { sql } from 'kysely'
import type { JsonObject } from '#model/json.ts'
import type { EventTable, Sql } from '#server/analytics/event-table.ts'
import { invalid } from '#server/errors.ts'
import { type JsonText, toJsonText } from '#server/http/json-text.ts'
import type { RowColumn } from './row-page.ts'

export interface ColumnSpec<Row> extends Omit<RowColumn<Row>, 'name'> {
  /** Columns without it cannot be sorted by. */
  order?(table: EventTable): Sql
}

/** The columns that a list can show. */
export interface ColumnSet<Row> {
  readonly named: Readonly<Record<string, ColumnSpec<Row>>>
  /** Reads a property by what precedes its name: `person.properties` in `person.properties.plan`. */
  readonly properties: Readonly<Record<string, (key: string) => ColumnSpec<Row>>>
}

const PROPERTY = /^(.*?properties)\.(?:`(.+)`|"(.+)"|(.+))$/

function findColumn<Row>(set: ColumnSet<Row>, name: string): ColumnSpec<Row> | undefined {
  const [, owner = '', ...keys] = PROPERTY.exec(name) ?? []
  const key = keys.find((each) => each !== undefined)
  if (key === undefined) return Object.hasOwn(set.named, name) ? set.named[name] : undefined
  return Object.hasOwn(set.properties, owner) ? set.properties[owner]?.(key) : undefined
}

const listNames = (set: ColumnSet<never>): string[] => [
  ...Object.keys(set.named),
  ...Object.keys(set.properties).map((owner) => `${owner}.<key>`),
]

const refuse = (name: string, problem: string, known: readonly string[], attr: string) =>
  invalid(
    attr,
    `"${name.slice(0, 100)}" ${problem}. There are ${known.join(', ')}.`,
    'invalid_choice',
  )

export const parseColumns = <Row>(
  set: ColumnSet<Row>,
  select: readonly string[],
  attr: string,
): RowColumn<Row>[] =>
  select.map((name, index) => {
    const found = findColumn(set, name)
    if (found) return { ...found, name }
    throw refuse(name, 'is not a column', listNames(set), `${attr}__${index}`)
  })

/** A column to sort by, and the direction. */
export type ListOrder = (table: EventTable) => Sql

const DIRECTION = /^(.+?)(?:\s+(asc|desc))?$/i

export const parseOrders = <Row>(
  set: ColumnSet<Row>,
  orderBy: readonly string[],
  attr: string,
): ListOrder[] =>
  orderBy.map((text, index) => {
    const [, name = '', direction = 'asc'] = DIRECTION.exec(text.trim()) ?? []
    const { order } = findColumn(set, name) ?? {}
    if (!order) {
      const known = listNames(set).filter((each) => set.named[each]?.order ?? !set.named[each])
      throw refuse(name, 'cannot be sorted by', known, `${attr}__${index}`)
    }
    const sign = sql.raw(direction.toLowerCase())
    return (table) => sql`${order(table)} ${sign} nulls last`
  })

interface Described {
  /** A JSON object as text. */
  readonly properties: string
}

/** Parsed properties, because a row may show a hundred of them. */
const parsed = new WeakMap<Described, JsonObject>()

/** Reads a property of an event, a person or a group. */
export function readProperty(owner: Described, key: string): JsonText {
  const properties = parsed.get(owner) ?? JSON.parse(owner.properties)
  parsed.set(owner, properties)
  return toJsonText(Object.hasOwn(properties, key) ? properties[key] : null)
}
