import { Button, Group, Stack, Title } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { MAX_SKIPPED_ROWS } from '#model/limits.ts'
import { pluralize } from '#model/pluralize.ts'
import type { RunPreview as Preview, Run } from '#server/features/import-apps/runs/schema.ts'
import { useProjectId } from '../../../api/project.ts'
import { QueryContent } from '../../../ui/page/states.tsx'
import { runPath, useRunPreview } from '../api.ts'
import { formatCount } from '../status.ts'
import { PreviewedEvents, SkippedTable } from './preview-tables.tsx'

/** The first events that a test run would store, and the first rows that a run skipped. */
export function RunPreview({ run }: { readonly run: Run }) {
  const preview = useRunPreview(run)
  return (
    <QueryContent query={preview}>
      {({ events, skipped }) => (
        <Stack gap="md" mt="sm">
          {run.dry_run && <PreviewedEvents events={events} total={run.events} />}
          {run.skipped > 0 && <Skipped run={run} rows={skipped} />}
        </Stack>
      )}
    </QueryContent>
  )
}

interface SkippedProps {
  readonly run: Run
  readonly rows: Preview['skipped']
}

function Skipped({ run, rows }: SkippedProps) {
  const projectId = useProjectId()
  return (
    <section>
      <Group justify="space-between" mb={4}>
        <Title order={3} size="h4">
          {run.skipped > rows.length
            ? `First ${rows.length} of ${formatCount(run.skipped)} skipped rows`
            : pluralize(rows.length, 'skipped row')}
        </Title>
        <Button
          component="a"
          href={`${runPath(projectId, run)}/skipped`}
          download
          size="xs"
          variant="default"
          leftSection={<IconDownload size={14} />}
        >
          {run.skipped > MAX_SKIPPED_ROWS
            ? `Download first ${formatCount(MAX_SKIPPED_ROWS)} skipped rows`
            : 'Download skipped rows'}
        </Button>
      </Group>
      <SkippedTable rows={rows} />
    </section>
  )
}
