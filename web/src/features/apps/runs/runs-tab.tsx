import { Pagination, Stack } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useState } from 'react'
import type { PipelineConfig } from '#server/features/import-apps/configs/schema.ts'
import { Card } from '../../../ui/page/card.tsx'
import { EmptyState, QueryContent } from '../../../ui/page/states.tsx'
import { isUnfinished, RUNS_SHOWN, useRuns } from '../api.ts'
import { FinishedRun } from './finished-run.tsx'
import { RunProgress } from './run-progress.tsx'
import { RunStrip } from './run-strip.tsx'

export function RunsTab({ config }: { readonly config: PipelineConfig }) {
  const [page, setPage] = useState(1)
  const runs = useRuns(config.id, (page - 1) * RUNS_SHOWN)
  return (
    <QueryContent query={runs}>
      {({ count, results }) => {
        if (count === 0) return <NoRuns />
        const finished = results.filter((run) => !isUnfinished(run))
        return (
          <Stack>
            <RunStrip configId={config.id} />
            {results.filter(isUnfinished).map((run) => (
              <RunProgress key={run.id} run={run} />
            ))}
            {finished.length > 0 && (
              <Card>
                {finished.map((run) => (
                  <FinishedRun
                    key={run.id}
                    run={run}
                    config={config}
                    isNewest={page === 1 && run === results[0]}
                    isOpen={run.dry_run && run === results[0]}
                  />
                ))}
              </Card>
            )}
            {count > RUNS_SHOWN && (
              <Pagination
                total={Math.ceil(count / RUNS_SHOWN)}
                value={page}
                onChange={setPage}
                getControlProps={(control) => ({ 'aria-label': `${control} page` })}
              />
            )}
          </Stack>
        )
      }}
    </QueryContent>
  )
}

const NoRuns = () => (
  <EmptyState icon={IconHistory} title="No runs yet">
    Each run appears here with its status, duration and number of events.
  </EmptyState>
)
