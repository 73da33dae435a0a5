import { type Attributes, Reference, type Value } from './hcl.ts'
import { DASHBOARDS, INSIGHTS } from './prepare.ts'

type Body = Record<string, unknown>

interface Creation {
  readonly path: string
  /** Builds the body that the provider sends. An attribute that it does not name is refused. */
  readonly toBody: (attributes: Record<string, unknown>) => Body
}

const parse = (json: unknown): unknown => JSON.parse(String(json))

/** Takes attributes out one by one, and refuses those that remain. */
function only<Name extends string>(
  attributes: Record<string, unknown>,
  ...names: readonly Name[]
): Record<Name, unknown> {
  const unknown = Object.keys(attributes).filter((name) => !names.includes(name as Name))
  if (unknown.length > 0) throw new Error(`The test does not know ${unknown.join(', ')}.`)
  return attributes as Record<Name, unknown>
}

/** The requests that create the resources of the documented example. */
export const CREATIONS: Readonly<Record<string, Creation>> = {
  posthog_dashboard: {
    path: DASHBOARDS,
    toBody: (attributes) => only(attributes, 'name', 'description', 'pinned', 'tags'),
  },
  posthog_insight: {
    path: INSIGHTS,
    toBody(attributes) {
      const known = only(attributes, 'name', 'description', 'dashboard_ids', 'query_json')
      const { dashboard_ids: dashboards, query_json, ...rest } = known
      return { ...rest, dashboards, query: parse(query_json) }
    },
  },
  posthog_alert: {
    path: '/api/environments/$project/alerts/',
    toBody(attributes) {
      const { threshold_type, threshold_lower, condition_type, ...rest } = only(
        attributes,
        ...(['name', 'insight', 'subscribed_users', 'threshold_type', 'threshold_lower'] as const),
        ...(['condition_type', 'calculation_interval', 'skip_weekend'] as const),
      )
      const bounds = { lower: threshold_lower }
      return {
        ...rest,
        threshold: { configuration: { type: threshold_type, bounds } },
        condition: { type: condition_type },
      }
    },
  },
}

/** Builds the tiles that the provider sends for a layout; the insight is on the dashboard already. */
export function toTiles(tiles: unknown, tileOf: (insight: unknown) => unknown): Body[] {
  return (tiles as Record<string, unknown>[]).map((tile) => {
    const names = ['insight_id', 'text_body', 'color', 'show_description', 'layouts_json'] as const
    const { insight_id, text_body, color, show_description, layouts_json } = only(tile, ...names)
    return {
      ...(insight_id === undefined ? { text: { body: text_body } } : { id: tileOf(insight_id) }),
      color: color ?? '',
      show_description: show_description ?? null,
      layouts: parse(layouts_json),
    }
  })
}

/** Replaces references by the IDs of the resources. */
export function resolve(value: Value, ids: ReadonlyMap<string, number>): unknown {
  if (value instanceof Reference) return ids.get(value.name.replace(/\.id$/, ''))
  if (Array.isArray(value)) return value.map((item) => resolve(item, ids))
  return typeof value === 'object' ? resolveAll(value as Attributes, ids) : value
}

export const resolveAll = (attributes: Attributes, ids: ReadonlyMap<string, number>) =>
  Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, resolve(value, ids)]))
