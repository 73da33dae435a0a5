import { Button, Text } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { toEventLabel } from '#model/names/event-label.ts'
import type { NowAndBefore } from '#model/web-figures.ts'
import { WebCard } from './card.tsx'
import type { Goal } from './goals.ts'
import { toGoalsQuery } from './queries.ts'
import { RankedList } from './ranked-list.tsx'
import type { VisitFilters } from './search.ts'

const ChooseGoals = lazy(() => import('./choose-goals.tsx'))

type Row = readonly [name: string, persons: NowAndBefore, times: NowAndBefore, rate: NowAndBefore]

interface GoalsCardProps {
  readonly filters: VisitFilters
  readonly goals: readonly Goal[]
  readonly onChoose: (goals: readonly Goal[]) => void
}

/** Lists the chosen goals, or else the events of the project's own that most visitors did. */
export function GoalsCard({ filters, goals, onChoose }: GoalsCardProps) {
  const [isChoosing, setChoosing] = useState(false)
  return (
    <>
      <WebCard
        title="Goals"
        query={toGoalsQuery(filters, goals)}
        onMore={() => undefined}
        choice={
          <Button
            className="no-print"
            size="compact-sm"
            variant="default"
            onClick={() => setChoosing(true)}
          >
            Choose goals
          </Button>
        }
      >
        {({ results }) => <GoalRows rows={results as unknown as readonly Row[]} />}
      </WebCard>
      {isChoosing && (
        <Suspense>
          <ChooseGoals goals={goals} onChoose={onChoose} onClose={() => setChoosing(false)} />
        </Suspense>
      )}
    </>
  )
}

function GoalRows({ rows }: { readonly rows: readonly Row[] }) {
  if (rows.length === 0) {
    return (
      <Text c="dimmed" p="md">
        Events of your own appear here, such as a sign-up, with the share of visitors who did them.
      </Text>
    )
  }
  return (
    <RankedList
      label="Goals"
      columns={['Goal', 'People', 'Conversion']}
      rows={rows.map(([name, persons, , [rate]], at) => ({
        key: `${at} ${name}`,
        label: toEventLabel(name),
        share: rate ?? 0,
        cells: [
          { value: persons[0], before: persons[1] },
          { value: rate, isShare: true },
        ],
      }))}
    />
  )
}
