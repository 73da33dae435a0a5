import type { JsonObject } from '#model/json.ts'
import type { NewEvent } from '#server/analytics/event-store.ts'

/** Computes the persons of one project from its events in order of arrival: slow and obvious. */

export interface ExpectedPerson {
  readonly ids: readonly string[]
  /** Undefined if the person has no profile. */
  readonly profile: Profile | undefined
}

export interface Profile {
  readonly isIdentified: boolean
  readonly createdAt: number
  readonly properties: JsonObject
}

/** IDs that are never merged, in any case and with any quotes and spaces around them. */
const NEVER_MERGED =
  'anonymous guest distinctid distinct_id id not_authenticated email undefined true false null 0 nan none'.split(
    ' ',
  )

function neverMerges(id: string): boolean {
  if (/^[\s"'`]/.test(id)) return neverMerges(id.slice(1))
  if (/[\s"'`]$/.test(id)) return neverMerges(id.slice(0, -1))
  return ['', '[object object]', ...NEVER_MERGED].includes(id.toLowerCase())
}

/** The property that names the ID to merge. */
const OTHER_ID = new Map([
  ['$identify', '$anon_distinct_id'],
  ['$create_alias', 'alias'],
  ['$merge_dangerously', 'alias'],
])

interface Node {
  parent: Node | undefined
  readonly ids: string[]
  createdAt: number
  hasProfile: boolean
  isIdentified: boolean
  properties: Map<string, unknown>
}

export interface Persons {
  readonly all: readonly ExpectedPerson[]
  /** The events without duplicates. */
  readonly events: readonly NewEvent[]
  personOf(id: string): ExpectedPerson
}

export function derivePersons(log: readonly NewEvent[]): Persons {
  const nodes = new Map<string, Node>()
  const events = firstOfEach(log)
  for (const event of events) apply(event)
  const roots = [...new Set([...nodes.values()].map(rootOf))]
  const personOf = (id: string) => toPerson(rootOf(nodes.get(id) as Node))
  return { all: roots.map(toPerson), events, personOf }

  function apply({ distinct_id: id, event, timestamp, properties: text }: NewEvent): void {
    const properties: JsonObject = JSON.parse(text)
    const own = nodes.get(id) ?? addNode(id, Date.parse(timestamp))
    if (properties.$process_person_profile === false) return
    const person = rootOf(own)
    person.hasProfile = true
    const key = OTHER_ID.get(event)
    const otherId = key && properties[key]
    if (typeof otherId === 'string' && !neverMerges(id) && !neverMerges(otherId)) {
      merge(person, otherId, event === '$merge_dangerously')
    }
    if (key && !neverMerges(id)) person.isIdentified = true
    changeProperties(person, properties)
  }

  function addNode(id: string, createdAt: number): Node {
    const node: Node = {
      parent: undefined,
      ids: [id],
      createdAt,
      hasProfile: false,
      isIdentified: false,
      properties: new Map(),
    }
    nodes.set(id, node)
    return node
  }

  function merge(person: Node, otherId: string, isForced: boolean): void {
    const known = nodes.get(otherId)
    const other = rootOf(known ?? addNode(otherId, person.createdAt))
    if (other === person || (other.isIdentified && !isForced)) return
    other.parent = person
    person.ids.push(...other.ids)
    person.createdAt = Math.min(person.createdAt, other.createdAt)
    person.properties = new Map([...other.properties, ...person.properties])
  }
}

/** Keeps the first of the events with the same uuid. */
export const firstOfEach = (log: readonly NewEvent[]): NewEvent[] =>
  log.filter(({ uuid }, index) => log.findIndex((event) => event.uuid === uuid) === index)

function rootOf(node: Node): Node {
  return node.parent ? rootOf(node.parent) : node
}

function changeProperties({ properties }: Node, { $set, $set_once, $unset }: JsonObject): void {
  for (const [key, value] of Object.entries($set_once ?? {})) {
    if (!properties.has(key)) properties.set(key, value)
  }
  for (const [key, value] of Object.entries($set ?? {})) properties.set(key, value)
  for (const key of ($unset ?? []) as string[]) properties.delete(key)
}

const toPerson = (root: Node): ExpectedPerson => ({
  ids: root.ids.toSorted(),
  profile: root.hasProfile
    ? {
        isIdentified: root.isIdentified,
        createdAt: root.createdAt,
        properties: Object.fromEntries(root.properties),
      }
    : undefined,
})
