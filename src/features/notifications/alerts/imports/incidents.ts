import type { Problem, ProblemKind } from '#server/features/import-apps/health/problems.ts'
import type { ImportEvent, Watched } from './schema.ts'

/** An import that fails and then is late has one problem, not two. */
const KINDS_OF_INCIDENTS = {
  broken: ['failed', 'stale'],
  skipped: ['skipped'],
  schema_changed: ['schema_changed'],
} as const satisfies Record<string, readonly ProblemKind[]>

type Incident = keyof typeof KINDS_OF_INCIDENTS

/** The incidents that were notified about and are not over, with their first problem. */
export type Incidents = Readonly<Partial<Record<Incident, ProblemKind>>>

export interface ImportMessage extends Problem {
  readonly event: ImportEvent
}

interface Found {
  readonly isPaused: boolean
  readonly problems: Readonly<Partial<Record<ProblemKind, Problem>>>
}

/**
 * Compares the open incidents with the problems that there are now: one message when an incident begins and, if that is
 * watched, one when it is over. A paused import has no incidents. After a snooze, those that are still open begin again.
 */
export function nextIncidents(
  before: Incidents,
  { isPaused, problems }: Found,
  watched: readonly Watched[],
  wasSnoozed: boolean,
): { readonly incidents: Incidents; readonly messages: readonly ImportMessage[] } {
  const incidents: Partial<Record<Incident, ProblemKind>> = {}
  const messages: ImportMessage[] = []
  if (isPaused) return { incidents, messages }
  for (const [name, kinds] of Object.entries(KINDS_OF_INCIDENTS)) {
    const incident = name as Incident
    const open = before[incident]
    const kind = kinds.find((each) => watched.includes(each) && problems[each])
    if (kind) {
      incidents[incident] = open ?? kind
      const isNew = open === undefined || wasSnoozed
      if (isNew) messages.push({ event: `import.${kind}`, ...(problems[kind] as Problem) })
    } else if (open && incident !== 'schema_changed' && watched.includes('recovered')) {
      messages.push({ event: 'import.recovered', message: '', since: new Date().toISOString() })
    }
  }
  return { incidents, messages }
}
