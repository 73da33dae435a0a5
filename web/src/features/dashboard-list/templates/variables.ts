import type { DashboardTemplate } from '#server/features/dashboards/templates/schema.ts'

/** An event that the user chooses when using the template. */
export interface TemplateVariable {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly required: boolean
  readonly default: Readonly<Record<string, unknown>>
}

export const templateVariables = ({ variables }: DashboardTemplate): readonly TemplateVariable[] =>
  (variables ?? []) as readonly TemplateVariable[]

/** The event that the template suggests. */
export const defaultEvent = ({ default: known }: TemplateVariable): string =>
  String(known.event ?? known.id ?? known.name ?? '')

/** Replaces every `"{ID}"` in the tiles by the event chosen for that variable. */
export function fillTemplate(
  { tiles, variables }: DashboardTemplate,
  events: Readonly<Record<string, string>>,
): unknown {
  const known = new Map(
    templateVariables({ variables } as DashboardTemplate).map((variable) => [
      `{${variable.id}}`,
      toNode(variable, events[variable.id] ?? ''),
    ]),
  )
  const fill = (value: unknown): unknown => {
    if (typeof value === 'string') return known.get(value) ?? value
    if (Array.isArray(value)) return value.map(fill)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, fill(part)]))
  }
  return fill(tiles)
}

function toNode(variable: TemplateVariable, chosen: string) {
  const { id: _, type: __, ...settings } = variable.default
  const event = chosen.trim() || defaultEvent(variable)
  return { math: 'total', ...settings, kind: 'EventsNode', event, name: event }
}
