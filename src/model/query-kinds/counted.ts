import { isObject, type JsonObject } from '../json.ts'

/** A part of a query that counts events: a series, a goal, what retention counts, or an action of paths. */
export interface Counted {
  readonly node: JsonObject
  /** The place in the query. */
  readonly path: string
  /** The field with the name of the event. */
  readonly nameField: 'event' | 'id'
}

const LISTS = ['series', 'goals']
const ENTITIES = ['targetEntity', 'returningEntity']

/** Replaces each part of a query that counts events. */
export function mapCounted<Query extends object>(
  query: Query,
  map: (counted: Counted) => JsonObject,
): Query {
  const fields = query as JsonObject
  const changed: Record<string, unknown> = {}
  const mapList = (nodes: readonly JsonObject[], path: string) =>
    nodes.map((node, at) => map({ node, path: `${path}__${at}`, nameField: 'event' }))
  for (const key of LISTS) {
    const nodes = fields[key]
    if (Array.isArray(nodes)) changed[key] = mapList(nodes, key)
  }
  const { retentionFilter, pathsFilter } = fields
  if (isObject(pathsFilter) && Array.isArray(pathsFilter.includeActions)) {
    const includeActions = mapList(pathsFilter.includeActions, 'pathsFilter__includeActions')
    changed.pathsFilter = { ...pathsFilter, includeActions }
  }
  if (isObject(retentionFilter)) {
    const entities = ENTITIES.flatMap((key) => {
      const node = retentionFilter[key]
      const path = `retentionFilter__${key}`
      return isObject(node) ? [[key, map({ node, path, nameField: 'id' })]] : []
    })
    changed.retentionFilter = { ...retentionFilter, ...Object.fromEntries(entities) }
  }
  return { ...query, ...changed }
}

/** Lists the parts of a query that count events. */
export function listCounted(query: object): Counted[] {
  const all: Counted[] = []
  mapCounted(query, (counted) => {
    all.push(counted)
    return counted.node
  })
  return all
}

export const countsAction = ({ kind, type }: { kind?: unknown; type?: unknown }): boolean =>
  kind === 'ActionsNode' || type === 'actions'

/** Older clients send the ID as text. */
export const toActionId = ({ id }: { readonly id?: unknown }): number => Number(id)
