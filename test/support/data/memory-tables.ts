import type { DerivedTables, RecordedEdit } from '#server/analytics/derive/derived-tables.ts'
import { readGroupTypes, toGroupEvent } from '#server/analytics/groups/group-event.ts'
import { GROUP_EVENT, GROUP_EVENT_KEYS } from '#server/analytics/groups/group-keys.ts'
import {
  addNamedTypes,
  applyGroupEvents,
  type GroupState,
} from '#server/analytics/groups/groups.ts'
import { applyIdentityEvents } from '#server/analytics/identity/apply-identity-events.ts'
import type { PersonState } from '#server/analytics/identity/identity.ts'
import {
  isPersonless,
  readPropertyTexts,
  toIdentityEvent,
} from '#server/analytics/identity/identity-event.ts'
import { type MemoryEvent, type State, toGroupKey, toIdKey } from './memory-state.ts'

const STEP = 25

export const isOf = (projectId: number) => (row: { readonly projectId: number }) =>
  row.projectId === projectId

export function toTables(state: State): DerivedTables {
  const { persons, ids, groups, types, edits, warnings, kept, events } = state
  const readable = (projectId: number) =>
    events.filter((event) => !event.isDeleted).filter(isOf(projectId))
  const remove = (which: readonly MemoryEvent[]) => {
    for (const event of which) event.isDeleted = true
    return which.length
  }
  const idsOf = (person: number) => [...ids.values()].filter((id) => id.person === person)

  return {
    persons: {
      async find(asked) {
        const found = asked.flatMap((id) => ids.get(toIdKey(id)) ?? [])
        return { ids: found, persons: found.flatMap(({ person }) => persons.get(person) ?? []) }
      },
      async write({ newIds, moves, changed, warnings: added }) {
        for (const id of newIds) ids.set(toIdKey(id), id)
        for (const { from, to } of moves) {
          for (const id of idsOf(from)) ids.set(toIdKey(id), { ...id, person: to })
          persons.delete(from)
        }
        for (const person of changed) persons.set(person.number, person)
        warnings.push(...added)
      },
    },
    groups: {
      findTypes: async (projectIds) =>
        types.filter(({ projectId }) => projectIds.includes(projectId)),
      insertTypes: async (added) => void types.push(...added),
      find: async (asked) => asked.flatMap((group) => groups.get(toGroupKey(group)) ?? []),
      async write(changed) {
        for (const group of changed) groups.set(toGroupKey(group), group)
      },
      insertWarnings: async (added) => void warnings.push(...added),
    },
    takePlace: async () => (state.mark === undefined ? ++state.lastNumber : undefined),
    recordEdit: async (edit) => void edits.push(edit),
    listEdits: async ({ after, upTo }) =>
      edits.filter(({ seq, projectId }) => {
        return seq > after && seq <= upTo && seq > (kept.get(projectId)?.upTo ?? -1)
      }),
    listIds: async (person) => idsOf(person).map(({ distinctId }) => distinctId),
    async separateIds({ projectId, person, ids: separated, hasProfile }) {
      const { createdAt } = persons.get(person) as PersonState
      for (const distinctId of separated) {
        const number = ++state.lastNumber
        persons.set(number, toPerson({ projectId, number, createdAt, hasProfile }))
        ids.set(toIdKey({ projectId, distinctId }), { projectId, distinctId, person: number })
      }
    },
    resetUuid: async () => {},
    deletePerson: async (person) => void persons.delete(person),
    async deleteIds(projectId, gone) {
      for (const { ids, persons } of [state, ...[kept.get(projectId) ?? []].flat()]) {
        const deleted = gone.flatMap(
          (distinctId) => ids.get(toIdKey({ projectId, distinctId })) ?? [],
        )
        for (const id of deleted) ids.delete(toIdKey(id))
        for (const { person } of deleted) {
          const isShared = [...ids.values()].some((id) => id.person === person)
          if (!isShared) persons.delete(person)
        }
      }
      const isGone = ({ projectId: id, change }: RecordedEdit) =>
        id === projectId && 'person' in change && gone.includes(change.person.distinctId)
      state.edits.splice(0, edits.length, ...edits.filter((edit) => !isGone(edit)))
    },
    async listKeptIds(projectId, asked) {
      const keptIds = [...(kept.get(projectId)?.ids.values() ?? [])]
      const found = keptIds.filter(({ distinctId }) => asked.includes(distinctId))
      return keptIds
        .filter(({ person }) => found.some((id) => id.person === person))
        .map(({ distinctId }) => distinctId)
    },
    async listUnused(projectId, asked) {
      const used = new Set(readable(projectId).map(({ distinct_id }) => distinct_id))
      const unused = asked.filter((id) => !used.has(id))
      const found = unused.flatMap(
        (distinctId) => ids.get(toIdKey({ projectId, distinctId })) ?? [],
      )
      const merged = found
        .flatMap(({ person }) => idsOf(person))
        .filter(({ person }) => !idsOf(person).some(({ distinctId }) => used.has(distinctId)))
      return [...new Set([...unused, ...merged.map(({ distinctId }) => distinctId)])]
    },
    async deleteProject(projectId) {
      kept.delete(projectId)
      for (const rows of [persons, ids, groups] as Map<unknown, { projectId: number }>[]) {
        for (const [key, row] of rows) if (row.projectId === projectId) rows.delete(key)
      }
      types.splice(0, types.length, ...types.filter((type) => type.projectId !== projectId))
      edits.splice(0, edits.length, ...edits.filter((edit) => edit.projectId !== projectId))
    },
    deleteEvents: async ({ projectId, ids: some, before }) =>
      remove(
        readable(projectId).filter(({ distinct_id, timestamp }) => {
          if (some) return some.includes(distinct_id)
          return before === undefined || timestamp < Date.parse(before)
        }),
      ),
    async deleteMatching(projectId, { key, value }) {
      const which = readable(projectId).filter(
        ({ properties }) => JSON.parse(properties)[key] === value,
      )
      return { deleted: remove(which), ids: which.map(({ distinct_id }) => distinct_id) }
    },
    async deleteGroups(projectId, { key, value }) {
      const isMatch = (group: GroupState) =>
        group.projectId === projectId && group.properties[key] === value
      const gone = new Set([...groups.values()].filter(isMatch).map(toGroupKey))
      const isGone = ({ projectId: id, change }: RecordedEdit) =>
        'group' in change && gone.has(toGroupKey({ projectId: id, ...change.group }))
      edits.splice(0, edits.length, ...edits.filter((edit) => !isGone(edit)))
      for (const { groups: all } of [state, ...[kept.get(projectId) ?? []].flat()]) {
        for (const [id, group] of all) if (isMatch(group)) all.delete(id)
      }
    },
    async keepPersons(projectId, upTo) {
      const toKept = <K, Row extends { projectId: number }>(rows: Map<K, Row>) =>
        new Map([...rows].filter(([, row]) => row.projectId === projectId))
      kept.set(projectId, {
        upTo,
        persons: toKept(persons),
        ids: toKept(ids),
        groups: toKept(groups),
      })
    },
    async restoreKept() {
      for (const rows of [persons, ids, groups]) rows.clear()
      for (const base of kept.values()) {
        for (const [key, person] of base.persons) persons.set(key, person)
        for (const [key, id] of base.ids) ids.set(key, id)
        for (const [key, group] of base.groups) groups.set(key, group)
      }
    },
    findMark: async () => state.mark,
    async setMark(seq) {
      state.mark = seq
    },
    async readStep(after) {
      const next = events.filter(({ seq, isDeleted }) => seq > after && !isDeleted).slice(0, STEP)
      const isLast = next.length < STEP
      const last = next.at(-1)?.seq ?? after
      return {
        upTo: isLast ? Number.POSITIVE_INFINITY : last,
        last,
        count: next.length,
        isLast,
        async derive(range) {
          for (const event of next) {
            if (event.seq <= range.after || event.seq > range.upTo) continue
            await deriveEvents(toTables(state), [event], kept.get(event.projectId)?.upTo ?? 0)
          }
        },
      }
    },
  }
}

/** Events up to the number `keptUpTo` change nothing any more: the kept persons include them. */
export async function deriveEvents(
  { persons, groups }: DerivedTables,
  events: readonly MemoryEvent[],
  keptUpTo: number,
): Promise<void> {
  for (const { seq, projectId, event, distinct_id: distinctId, timestamp, properties } of events) {
    const isKept = seq <= keptUpTo
    const hasProfile = !isPersonless(properties) && !isKept
    const found = await persons.find([{ projectId, distinctId }])
    const known = found.persons[0]
    const person = known ?? toPerson({ projectId, number: seq, createdAt: timestamp, hasProfile })
    await persons.write({
      newIds: known ? [] : [{ projectId, distinctId, person: person.number }],
      moves: [],
      changed: [{ ...person, hasProfile: person.hasProfile || hasProfile }],
      warnings: [],
    })
    const named = { projectId, seq, distinctId, timestamp }
    const names = readGroupTypes(event, properties)
    await addNamedTypes(
      groups,
      names.map((name) => ({ ...named, name })),
    )
    if (isKept) continue
    const identityEvent = toIdentityEvent({ ...named, event }, readPropertyTexts(properties))
    await applyIdentityEvents(persons, [identityEvent])
    if (event !== GROUP_EVENT) continue
    const groupEvent = toGroupEvent(named, readPropertyTexts(properties, GROUP_EVENT_KEYS))
    await applyGroupEvents(groups, groupEvent ? [groupEvent] : [])
  }
}

const toPerson = (
  person: Pick<PersonState, 'projectId' | 'number' | 'createdAt' | 'hasProfile'>,
): PersonState => ({ ...person, since: person.number, isIdentified: false, properties: {} })
