import { pluralize } from '#model/pluralize.ts'
import type { Run } from '#server/features/import-apps/runs/schema.ts'
import { formatCount } from '../status.ts'

/** Counts of a run in words: "8 read, 4 new, 4 already stored, 1 skipped". */
export function toCounts({ events, new_events, skipped, dry_run, state }: Run): string {
  const isNothing = dry_run && state === 'succeeded'
  if (events + skipped === 0) return isNothing ? 'Nothing to import' : pluralize(0, 'event')
  const counts: [number | null, string][] = [
    [events + skipped, 'read'],
    ...(dry_run
      ? [[events, 'would be imported'] as [number, string]]
      : toStored(events, new_events)),
    [skipped || null, 'skipped'],
  ]
  return counts
    .filter(([count]) => count !== null)
    .map(([count, label]) => `${formatCount(count ?? 0)} ${label}`)
    .join(', ')
}

/** The number of new events is unknown until the run ends. */
const toStored = (events: number, newEvents: number | null): [number | null, string][] =>
  newEvents === null
    ? [[events, 'captured']]
    : [
        [newEvents, 'new'],
        [events - newEvents || null, 'already stored'],
      ]
