import type { DashboardTemplate } from '#server/features/dashboards/templates/schema.ts'

/** An event that whoever uses the template names. */
export interface TemplateVariable {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly required: boolean
  readonly default: Readonly<Record<string, unknown>>
}

export const templateVariables = ({ variables }: DashboardTemplate): readonly TemplateVariable[] =>
  (variables ?? []) as readonly TemplateVariable[]

/** Which event it means if nobody says otherwise. */
export const defaultEvent = ({ default: known }: TemplateVariable): string =>
  String(known.event ?? known.id ?? known.name ?? '')

/** Tiles in which `"{ID}"` has become the event that was chosen for the variable of that id. */
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
