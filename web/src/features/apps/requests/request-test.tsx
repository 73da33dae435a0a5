import { Alert, Group, Loader, Text } from '@mantine/core'
import type { Run } from '#server/features/import-apps/runs/schema.ts'
import { QueryContent } from '../../../ui/page/states.tsx'
import { isUnfinished } from '../api.ts'
import { RunPreview } from '../runs/run-preview.tsx'
import { useRun } from './api.ts'

/** The events that a test run of a request would store, once it has ended. */
export const RequestTest = ({ started }: { readonly started: Run }) => (
  <section aria-label="Test" aria-live="polite">
    <QueryContent query={useRun(started)}>{(run) => <Outcome run={run} />}</QueryContent>
  </section>
)

function Outcome({ run }: { readonly run: Run }) {
  if (isUnfinished(run)) {
    return (
      <Group gap="xs">
        <Loader size="xs" />
        <Text size="sm">{run.state === 'queued' ? 'Waiting for a worker…' : 'Testing…'}</Text>
      </Group>
    )
  }
  if (run.state !== 'succeeded') {
    return (
      <Alert color="red" title="Test failed">
        {run.message}
      </Alert>
    )
  }
  return (
    <>
      <Text size="sm" c="dimmed">
        Test: nothing was stored.
      </Text>
      <RunPreview run={run} />
    </>
  )
}
