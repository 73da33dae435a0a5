import type { RecordedEdit } from '#server/analytics/derive/derived-tables.ts'
import type { RestoreTables } from '#server/analytics/derive/restore.ts'
import type { SnapshotTables } from '#server/analytics/derive/snapshot.ts'
import type { GroupState } from '#server/analytics/groups/groups.ts'
import type {
  DistinctId,
  IdentityWarning,
  PersonState,
} from '#server/analytics/identity/identity.ts'
import { createPartWriter, type ReadRow } from '#server/analytics/parquet/part-writer.ts'
import { openParquetReader } from '#server/analytics/parquet/reader.ts'
import {
  columnsOf,
  PORTABLE_TABLE_NAMES,
  type PortableTable,
} from '#server/analytics/portable-tables.ts'
import { toPropertiesText } from '#server/analytics/properties-text.ts'
import { type Derived, emptyState, type State, toGroupKey, toIdKey } from './memory-state.ts'

/** Microseconds as text, as Parquet has them. */
const toTime = (milliseconds: number): string => `${milliseconds}000`

/** The memory store has no UUIDs of persons. */
const toUuid = (number: number): string =>
  `00000000-0000-4000-8000-${(number + 2 ** 40).toString(16).padStart(12, '0')}`

const toPersonRow = ({ createdAt, ...person }: PersonState): ReadRow => ({
  project_id: person.projectId,
  number: person.number,
  uuid: toUuid(person.number),
  created_at: toTime(createdAt),
  has_profile: person.hasProfile,
  is_identified: person.isIdentified,
  properties: toPropertiesText(person.properties),
})

const toIdRow = ({ projectId, distinctId, person }: DistinctId): ReadRow => ({
  project_id: projectId,
  distinct_id: distinctId,
  person,
})

const toGroupRow = ({ projectId, index, key, ...group }: GroupState): ReadRow => ({
  project_id: projectId,
  type_index: index,
  key,
  created_at: toTime(group.createdAt),
  updated_at: toTime(group.updatedAt),
  properties: toPropertiesText(group.properties),
})

const toWarningRow = ({ projectId, type, distinctId, otherId }: IdentityWarning): ReadRow => ({
  project_id: projectId,
  type,
  distinct_id: distinctId,
  other_id: otherId,
  created_at: toTime(0),
})

function toRows(state: State): Record<PortableTable, ReadRow[]> {
  const kept = [...state.kept]
  const ofKept = <Row>(pick: (derived: Derived) => Iterable<Row>, toRow: (row: Row) => ReadRow) =>
    kept.flatMap(([, derived]) => [...pick(derived)].map(toRow))
  const edits = state.edits.map(({ seq, projectId, change }, position) => ({
    change,
    row: { project_id: projectId, after_seq: seq, position },
  }))
  return {
    persons: [...state.persons.values()].map(toPersonRow),
    persons_base: ofKept(({ persons }) => persons.values(), toPersonRow),
    person_ids: [...state.ids.values()].map(toIdRow),
    person_ids_base: ofKept(({ ids }) => ids.values(), toIdRow),
    person_bases: kept.map(([project_id, { upTo }]) => ({ project_id, up_to: upTo })),
    person_edits: edits.flatMap(({ change, row }) =>
      'person' in change
        ? [
            {
              ...row,
              edit: toPropertiesText(change.person),
              distinct_id: change.person.distinctId,
            },
          ]
        : [],
    ),
    group_types: state.types.map(({ projectId, index, name, createdAt }) => ({
      project_id: projectId,
      type_index: index,
      name,
      created_at: toTime(createdAt),
    })),
    group_profiles: [...state.groups.values()].map(toGroupRow),
    group_profiles_base: ofKept(({ groups }) => groups.values(), toGroupRow),
    group_edits: edits.flatMap(({ change, row }) =>
      'group' in change ? [{ ...row, edit: toPropertiesText({ ...change.group }) }] : [],
    ),
    identity_warnings: state.warnings.map(toWarningRow),
    events: state.events
      .filter(({ isDeleted }) => !isDeleted)
      .map(({ projectId, timestamp, fullProperties, isDeleted: _, ...event }) => ({
        ...event,
        project_id: projectId,
        timestamp: toTime(timestamp),
        whole: fullProperties,
        created_at: toTime(timestamp),
      })),
  }
}

export function toSnapshotTables(state: State, folder: string): SnapshotTables {
  const rows = toRows(state)
  return {
    folder,
    count: async (table) => rows[table].length,
    writePart: createPartWriter(async function* (table) {
      yield* rows[table]
    }),
    close: async () => {},
  }
}

/** The columns of all tables; a row has those of its own. */
interface RestoredRow {
  readonly project_id: number
  readonly number: number
  readonly person: number
  readonly distinct_id: string
  readonly created_at: string
  readonly updated_at: string
  readonly timestamp: string
  readonly has_profile: boolean
  readonly is_identified: boolean
  readonly properties: string
  readonly up_to: number
  readonly after_seq: number
  readonly position: number
  readonly edit: string
  readonly type_index: number
  readonly name: string
  readonly key: string
  readonly type: IdentityWarning['type']
  readonly other_id: string | null
  readonly seq: number
  readonly uuid: string
  readonly event: string
  readonly whole: string | null
}

type RestoredTables = Record<PortableTable, RestoredRow[]>

/** Fills a new state, which `adopt` takes when it is complete. */
export async function toRestoreTables(
  partsFolder: string,
  adopt: (state: State) => void,
): Promise<RestoreTables> {
  const parquet = await openParquetReader()
  const rows = {} as RestoredTables
  return {
    partsFolder,
    async clear() {
      for (const table of PORTABLE_TABLE_NAMES) rows[table] = []
    },
    check: parquet.check,
    async add(table, path) {
      const names = columnsOf(table)
      for await (const some of parquet.read(table, path)) {
        for (const row of some) {
          const cells = names.map((name, index) => [name, row[index]])
          rows[table].push(Object.fromEntries(cells))
        }
      }
    },
    complete: async () => adopt(toState(rows)),
    count: async (table) => rows[table].length,
    close: async () => parquet.close(),
  }
}

function toState(rows: RestoredTables): State {
  const edits = [...rows.person_edits, ...rows.group_edits].toSorted(
    (one, other) => one.after_seq - other.after_seq || one.position - other.position,
  )
  const kept = rows.person_bases.map(({ project_id, up_to }) => {
    const of = (table: PortableTable) => rows[table].filter((row) => row.project_id === project_id)
    const derived = toDerived(of('persons_base'), of('person_ids_base'), of('group_profiles_base'))
    return [project_id, { ...derived, upTo: up_to }] as const
  })
  const numbers = [
    ...rows.events.map(({ seq }) => seq),
    ...rows.persons.map(({ number }) => number),
    ...rows.person_bases.map(({ up_to }) => up_to),
    ...edits.map(({ after_seq }) => after_seq),
  ]
  return {
    ...emptyState(),
    ...toDerived(rows.persons, rows.person_ids, rows.group_profiles),
    kept: new Map(kept),
    edits: edits.map(toEdit),
    types: rows.group_types.map(({ project_id, type_index, name, created_at }) => {
      const createdAt = Date.parse(created_at)
      return { projectId: project_id, index: type_index, name, createdAt }
    }),
    warnings: rows.identity_warnings.map(({ project_id, type, distinct_id, other_id }) => {
      return { projectId: project_id, type, distinctId: distinct_id, otherId: other_id }
    }),
    events: rows.events.map(({ project_id, timestamp, whole, ...event }) => ({
      seq: event.seq,
      uuid: event.uuid,
      event: event.event,
      distinct_id: event.distinct_id,
      projectId: project_id,
      timestamp: Date.parse(timestamp),
      properties: event.properties,
      fullProperties: whole,
      isDeleted: false,
    })),
    lastNumber: Math.max(0, ...numbers),
  }
}

const toEdit = ({ after_seq, project_id, distinct_id, edit }: RestoredRow): RecordedEdit => {
  const change = JSON.parse(edit)
  const isOfGroup = distinct_id === undefined
  return {
    seq: after_seq,
    projectId: project_id,
    change: isOfGroup ? { group: change } : { person: change },
  }
}

const toDerived = (
  persons: readonly RestoredRow[],
  ids: readonly RestoredRow[],
  groups: readonly RestoredRow[],
): Derived => ({
  persons: new Map(
    persons.map(({ project_id, number, ...row }) => {
      const person: PersonState = {
        projectId: project_id,
        number,
        since: number,
        createdAt: Date.parse(row.created_at),
        hasProfile: row.has_profile,
        isIdentified: row.is_identified,
        properties: JSON.parse(row.properties),
      }
      return [number, person]
    }),
  ),
  ids: new Map(
    ids.map(({ project_id, distinct_id, person }) => {
      const id = { projectId: project_id, distinctId: distinct_id, person }
      return [toIdKey(id), id]
    }),
  ),
  groups: new Map(
    groups.map(({ project_id, type_index, key, ...row }) => {
      const group: GroupState = {
        projectId: project_id,
        index: type_index,
        key,
        createdAt: Date.parse(row.created_at),
        updatedAt: Date.parse(row.updated_at),
        properties: JSON.parse(row.properties),
      }
      return [toGroupKey(group), group]
    }),
  ),
})
