import { isObject, type JsonObject } from '#model/json.ts'
import { copyRows, toField } from '#server/db/copy-rows.ts'
import type { Tx } from '#server/db/schema.ts'
import { toCanonicalTime } from '../canonical-time.ts'
import type { EventRow } from '../event-row.ts'
import { GROUPS_KEY, toGroupKey } from '../groups/group-keys.ts'
import { GROUP_INDEXES, type GroupType } from '../groups/group-types.ts'
import type { NumberedEvent } from './arrivals.ts'
import type { ArrivedId } from './insert-persons.ts'
import type { MaterializedColumns } from './materialized-columns.ts'
import { toPropertyText } from './property-text.ts'

export interface NumberedRow extends NumberedEvent {
  readonly row: EventRow
  readonly id: Pick<ArrivedId, 'person'>
  /** The time of arrival of an event from a backup. */
  readonly createdAt?: string
}

const EVENT_COLUMNS = [
  'project_id',
  'uuid',
  'event',
  'distinct_id',
  'timestamp',
  'properties',
  'created_at',
  'whole',
]

export const copyEvents = (tx: Tx, lines: string): Promise<void> =>
  copyRows(tx, 'events', EVENT_COLUMNS, lines)

export function toEventLines(rows: readonly NumberedRow[]): string {
  const now = new Date().toISOString()
  let lines = ''
  for (const { row, createdAt = now } of rows) {
    const { projectId, uuid, event, distinct_id, timestamp, properties, fullProperties } = row
    lines += `${projectId}\t${uuid}\t${toField(event)}\t${toField(distinct_id)}\t${toCanonicalTime(timestamp)}\t${toField(properties)}\t${createdAt}\t${toField(fullProperties)}\n`
  }
  return lines
}

const FACT_COLUMNS = [
  'project_id',
  'seq',
  'person',
  'timestamp',
  'uuid',
  'event',
  'distinct_id',
  'is_personless',
  'may_change_person',
]

/** The columns of facts that are properties of events: `materialized`, and the keys of groups. */
export interface FactColumns {
  readonly materialized: MaterializedColumns
  /** The types of groups of the events' projects. */
  readonly types: readonly GroupType[]
}

export const copyFacts = (
  tx: Tx,
  { materialized, types }: FactColumns,
  lines: string,
): Promise<void> => {
  const columns = [...materialized.values()].map((position) => `p${position}`)
  const groups = types.length === 0 ? [] : GROUP_INDEXES.map((index) => `g${index}`)
  return copyRows(tx, 'facts', [...FACT_COLUMNS, ...columns, ...groups], lines)
}

/** Formats values exactly as PostgreSQL does in a rebuild. */
export function toFactLines(
  { materialized, types }: FactColumns,
  rows: readonly NumberedRow[],
): string {
  const keys = [...materialized.keys()]
  let lines = ''
  for (const { row, seq, arrival, id } of rows) {
    const { projectId, uuid, event, distinct_id, timestamp } = row
    lines += `${projectId}\t${seq}\t${id.person}\t${toCanonicalTime(timestamp)}\t${uuid}\t${toField(event)}\t${toField(distinct_id)}\t${arrival.isPersonless}\t${arrival.mayChangePerson}`
    const properties: JsonObject = JSON.parse(row.properties)
    for (const key of keys) {
      lines += `\t${toField(Object.hasOwn(properties, key) ? toPropertyText(properties[key]) : null)}`
    }
    if (types.length > 0) lines += toGroupFields(types, projectId, properties)
    lines += '\n'
  }
  return lines
}

/** Writes the keys of an event's groups, each after a tab. */
export function toGroupFields(
  types: readonly GroupType[],
  projectId: number,
  { [GROUPS_KEY]: given }: JsonObject,
): string {
  const groups = isObject(given) ? given : {}
  const fields = GROUP_INDEXES.map((index) => {
    const type = types.find((type) => type.projectId === projectId && type.index === index)
    const key = type && Object.hasOwn(groups, type.name) ? groups[type.name] : undefined
    return `\t${toField(typeof key === 'object' ? null : toGroupKey(toPropertyText(key) ?? '') || null)}`
  })
  return fields.join('')
}
