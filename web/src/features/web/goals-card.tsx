import { Text } from '@mantine/core'
import { toEventLabel } from '#model/names/event-label.ts'
import type { NowAndBefore } from '#model/web-figures.ts'
import { WebCard } from './card.tsx'
import { toGoals } from './queries.ts'
import { RankedList } from './ranked-list.tsx'
import type { VisitFilters } from './search.ts'

type Row = readonly [name: string, persons: NowAndBefore, times: NowAndBefore, rate: NowAndBefore]

/** Lists the events of the project's own that most visitors did. */
export const GoalsCard = ({ filters }: { readonly filters: VisitFilters }) => (
  <WebCard title="Goals" query={toGoals(filters)} onMore={() => undefined}>
    {({ results }) => {
      const rows = results as unknown as readonly Row[]
      if (rows.length === 0) {
        return (
          <Text c="dimmed" p="md">
            Events of your own appear here, such as a sign-up, with the share of visitors who did
            them.
          </Text>
        )
      }
      return (
        <RankedList
          label="Goals"
          columns={['Goal', 'People', 'Conversion']}
          rows={rows.map(([name, persons, , [rate]]) => ({
            key: name,
            label: toEventLabel(name),
            share: rate ?? 0,
            cells: [
              { value: persons[0], before: persons[1] },
              { value: rate, isShare: true },
            ],
          }))}
        />
      )
    }}
  </WebCard>
)
