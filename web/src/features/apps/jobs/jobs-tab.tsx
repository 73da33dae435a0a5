import { Stack, Text } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import type { PipelineConfig } from '#server/features/import-apps/configs/schema.ts'
import { EmptyState } from '../../../ui/page/states.tsx'
import { appManifest, scheduleLabels } from '../status.ts'
import { JobForm } from './job-form.tsx'

interface JobsTabProps {
  readonly config: PipelineConfig
  readonly onRun: () => void
}

export function JobsTab({ config, onRun }: JobsTabProps) {
  const app = appManifest(config)
  const jobs = Object.entries(app?.public_jobs ?? {})
  const schedules = scheduleLabels(app?.capabilities.scheduled_tasks)
  if (jobs.length === 0) {
    return (
      <EmptyState icon={IconPlayerPlay} title="No jobs">
        {schedules.length > 0
          ? `This app runs ${schedules.join(' and ')} while enabled.`
          : 'This app has no jobs that can be run manually.'}
      </EmptyState>
    )
  }
  return (
    <Stack maw={720}>
      {schedules.length > 0 && (
        <Text c="dimmed" size="sm">
          Also runs {schedules.join(' and ')} while enabled.
        </Text>
      )}
      {jobs.map(([name, { payload = {} }]) => (
        <JobForm key={name} config={config} name={name} fields={payload} onRun={onRun} />
      ))}
    </Stack>
  )
}
