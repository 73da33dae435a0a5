import { SESSION_PROPERTIES } from '#model/session-properties.ts'
import type { Caller } from '#server/access/guard.ts'
import type { Db } from '#server/db/schema.ts'
import { notFound } from '#server/errors.ts'
import { toUuid } from '#server/http/ids.ts'
import type { Definitions } from './definitions.ts'
import { type DetailsOfType, patchDetails, readDetails } from './details.ts'
import type {
  EventDefinition,
  EventDefinitionPatch,
  PropertyDefinition,
  PropertyDefinitionPatch,
  PropertyHolder,
  SeenProperty,
} from './schema.ts'

export interface DefinitionDeps {
  readonly db: Db
  readonly definitions: Definitions
}

type Reader = Pick<Caller, 'projectId'>

/** Lists events with what people wrote about them: verified ones first, then the most frequent. */
export async function listEventDefinitions(
  { db, definitions }: DefinitionDeps,
  { projectId }: Reader,
): Promise<readonly EventDefinition[]> {
  const details = await readDetails(db, projectId, 'event')
  const seen = await definitions.events(projectId)
  const unseen = listUnseen(details, seen).map((name) => ({
    name,
    volume_30_day: 0,
    last_seen_at: null,
  }))
  return verifiedFirst(
    [...seen, ...unseen].map((each) => {
      const { property_type: _, ...written } = details.of(each.name)
      return { ...each, ...written }
    }),
  )
}

/** `events` are the names of the events to sample; without them, described properties that no sample has are listed too. */
export async function listPropertyDefinitions(
  { db, definitions }: DefinitionDeps,
  { projectId }: Reader,
  holder: PropertyHolder,
  events?: readonly string[],
): Promise<readonly PropertyDefinition[]> {
  const details = await readDetails(db, projectId, `${holder}_property`)
  const seen = await listSeen(definitions, projectId, holder, events)
  const unseen = events ? [] : listUnseen(details, seen)
  const all = [...seen, ...unseen.map((name) => ({ name, property_type: 'String' as const }))]
  return verifiedFirst(
    all.map(({ name, property_type }) => {
      const written = details.of(name)
      const type = written.property_type ?? property_type
      return {
        name,
        type: holder,
        ...written,
        property_type: type,
        is_numerical: type === 'Numeric',
      }
    }),
  )
}

function listSeen(
  definitions: Definitions,
  projectId: number,
  holder: PropertyHolder,
  events: readonly string[] | undefined,
): Promise<readonly SeenProperty[]> | readonly SeenProperty[] {
  if (holder === 'session') return SESSION_DEFINITIONS
  if (holder === 'person') return definitions.personProperties(projectId)
  return definitions.properties(projectId, events)
}

/** All projects have the same, whatever their events. */
const SESSION_DEFINITIONS: readonly SeenProperty[] = Object.entries(SESSION_PROPERTIES).map(
  ([name, property_type]) => ({ name, property_type }),
)

function listUnseen(
  { names }: DetailsOfType,
  seen: readonly { readonly name: string }[],
): readonly string[] {
  const known = new Set(seen.map(({ name }) => name))
  return names.filter((name) => !known.has(name))
}

const verifiedFirst = <T extends { readonly verified: boolean }>(all: readonly T[]): readonly T[] =>
  all.toSorted((one, other) => Number(other.verified) - Number(one.verified))

export async function getEventDefinition(
  deps: DefinitionDeps,
  reader: Reader,
  id: string,
): Promise<EventDefinition> {
  return findById(await listEventDefinitions(deps, reader), id, 'Event definition')
}

export async function getPropertyDefinition(
  deps: DefinitionDeps,
  reader: Reader,
  id: string,
): Promise<PropertyDefinition> {
  const ofEvents = await listPropertyDefinitions(deps, reader, 'event')
  const ofPersons = await listPropertyDefinitions(deps, reader, 'person')
  const ofSessions = await listPropertyDefinitions(deps, reader, 'session')
  return findById([...ofEvents, ...ofPersons, ...ofSessions], id, 'Property definition')
}

function findById<T extends { readonly id: string }>(
  all: readonly T[],
  id: string,
  thing: string,
): T {
  const uuid = toUuid(id)
  const found = all.find((each) => each.id === uuid)
  if (!found) throw notFound(thing)
  return found
}

export async function patchEventDefinition(
  deps: DefinitionDeps,
  caller: Caller,
  id: string,
  patch: EventDefinitionPatch,
): Promise<EventDefinition> {
  const { name } = await getEventDefinition(deps, caller, id)
  await patchDetails(deps.db, caller, { type: 'event', name }, patch)
  return getEventDefinition(deps, caller, id)
}

export async function patchPropertyDefinition(
  deps: DefinitionDeps,
  caller: Caller,
  id: string,
  patch: PropertyDefinitionPatch,
): Promise<PropertyDefinition> {
  const { name, type } = await getPropertyDefinition(deps, caller, id)
  await patchDetails(deps.db, caller, { type: `${type}_property`, name }, patch)
  return getPropertyDefinition(deps, caller, id)
}
