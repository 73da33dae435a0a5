import { useMemo } from 'react'
import { PersonsPanel } from '../../persons/behind-point/persons-panel.tsx'
import type { GroupId } from '../api.ts'
import { toGroupFilter } from './filter.ts'

/** The persons whose events belong to a group, with the number of these events. */
export function PersonsTab({ id: { group_type_index, group_key } }: { readonly id: GroupId }) {
  const persons = useMemo(
    () => ({
      words: [group_key],
      source: {
        kind: 'InsightActorsQuery',
        source: {
          kind: 'TrendsQuery',
          series: [{ kind: 'EventsNode', event: null, math: 'dau' }],
          properties: [toGroupFilter({ group_type_index, group_key })],
          dateRange: { date_from: 'all' },
          trendsFilter: { display: 'BoldNumber' },
        },
        series: 0,
      },
    }),
    [group_type_index, group_key],
  )
  return <PersonsPanel persons={persons} />
}
