import { Alert, Box, Button, Stack } from '@mantine/core'
import { IconAlertTriangle, IconTrash } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { handlesRequests, neverRuns, runsBackfills } from '#model/app-limitation.ts'
import type { PipelineConfig } from '#server/features/import-apps/configs/schema.ts'
import type { Run } from '#server/features/import-apps/runs/schema.ts'
import { useProjectId } from '../../../api/project.ts'
import { Page, WIDE } from '../../../ui/page/page.tsx'
import { PageTabs } from '../../../ui/page/page-tabs.tsx'
import { QueryContent } from '../../../ui/page/states.tsx'
import { ActivityTimeline, useItemActivity } from '../../activity/timeline.tsx'
import { isUnfinished, useConfig, useLastRun, usePatchConfig, useRuns } from '../api.ts'
import { BackfillsTab } from '../backfills/backfills-tab.tsx'
import { JobsTab } from '../jobs/jobs-tab.tsx'
import { configsPath } from '../keys.ts'
import { useLiveUpdates } from '../logs/live.ts'
import { LogsTab } from '../logs/logs-tab.tsx'
import { RequestsTab } from '../requests/requests-tab.tsx'
import { RunProgress } from '../runs/run-progress.tsx'
import { RunsTab } from '../runs/runs-tab.tsx'
import { ScheduleTab } from '../schedule/schedule-tab.tsx'
import type { Tab } from '../search.ts'
import { SettingsTab } from '../settings-form/settings-tab.tsx'
import { StateTab } from '../state/state-tab.tsx'
import { appManifest } from '../status.ts'
import { ConfigHeader } from './header.tsx'
import { HealthTab } from './health-tab.tsx'

const route = getRouteApi('/project/$projectId/apps/$configId')

type Panel = readonly [Tab, string, ReactNode]

export function ConfigPage() {
  const { configId } = route.useParams()
  const config = useConfig(Number(configId))
  if (!config.data) {
    return (
      <Page title="Import app">
        <QueryContent query={config}>{() => null}</QueryContent>
      </Page>
    )
  }
  return <ConfigContent key={config.data.id} config={config.data} />
}

function ConfigContent({ config }: { readonly config: PipelineConfig }) {
  const { projectId, configId } = route.useParams()
  const { tab = 'settings' } = route.useSearch()
  const navigate = route.useNavigate()
  const show = (next: Tab) =>
    navigate({
      to: '/project/$projectId/apps/$configId',
      params: { projectId, configId },
      search: { tab: next },
      replace: true,
    })
  const live = useLiveUpdates(config.id)
  const showRuns = () => void show('runs')
  const app = appManifest(config)
  const requests: Panel = ['requests', 'Requests', <RequestsTab key="requests" config={config} />]
  const backfills: Panel = [
    'backfills',
    'Backfills',
    <BackfillsTab key="backfills" config={config} />,
  ]
  const panels: readonly Panel[] = [
    ['settings', 'Settings', <SettingsTab key={config.config} config={config} onRun={showRuns} />],
    ...(app && handlesRequests(app) ? [requests] : []),
    ['schedule', 'Schedule', <ScheduleTab key="schedule" config={config} />],
    ...(app && runsBackfills(app) ? [backfills] : []),
    ['jobs', 'Jobs', <JobsTab key="jobs" config={config} onRun={showRuns} />],
    ['runs', 'Runs', <RunsTab key="runs" config={config} />],
    ['logs', 'Logs', <LogsTab key="logs" config={config} live={live} />],
    ['state', 'State', <StateTab key="state" config={config} />],
    ['health', 'Health', <HealthTab key="health" config={config} />],
    ['activity', 'Activity', <ActivityTab key="activity" config={config} />],
  ]
  return (
    <Box maw={WIDE} mx="auto">
      <ConfigHeader config={config} />
      <StatusAlerts config={config} />
      <ActiveRun config={config} isShown={tab !== 'runs'} />
      <PageTabs
        label="Import app sections"
        panels={panels}
        value={tab}
        onChange={(next) => void show(next)}
        kept="settings"
      />
    </Box>
  )
}

function StatusAlerts({ config }: { readonly config: PipelineConfig }) {
  const patch = usePatchConfig(config.id)
  const lastRun = useLastRun(config.id)
  if (config.deleted) {
    return (
      <Alert color="gray" icon={<IconTrash size={18} />} mb="md" title="In the trash">
        <Stack gap="xs" align="flex-start">
          This import app does not run.
          <Button
            size="xs"
            variant="default"
            loading={patch.isPending}
            onClick={() => patch.mutate({ deleted: false })}
          >
            Restore import app
          </Button>
        </Stack>
      </Alert>
    )
  }
  const problem = findProblem(config, lastRun)
  if (!problem) return null
  return (
    <Alert
      color={problem.color}
      icon={<IconAlertTriangle size={18} />}
      mb="md"
      title={problem.title}
    >
      {config.error}
    </Alert>
  )
}

/** The server keeps the last problem until a run succeeds, so it may belong to an earlier run. */
function findProblem(config: PipelineConfig, lastRun: Run | undefined) {
  const { error } = config
  const manifest = appManifest(config)
  if (error === '') return undefined
  if (!manifest) return { color: 'red', title: 'App not installed' }
  if (neverRuns(manifest)) return { color: 'yellow', title: 'This app does not import' }
  if (error.startsWith('Required settings')) return { color: 'yellow', title: 'Settings required' }
  return lastRun?.state === 'failed' ? { color: 'red', title: 'Last run failed' } : undefined
}

/** Shows a run in progress on every tab but Runs. */
function ActiveRun({
  config,
  isShown,
}: {
  readonly config: PipelineConfig
  readonly isShown: boolean
}) {
  const running = useRuns(config.id).data?.results.find(isUnfinished)
  if (!running || !isShown) return null
  return (
    <Box mb="md">
      <RunProgress run={running} />
    </Box>
  )
}

function ActivityTab({ config }: { readonly config: PipelineConfig }) {
  const path = `${configsPath(useProjectId())}/${config.id}/activity`
  return (
    <ActivityTimeline
      of={useItemActivity(path)}
      empty="Changes to this import app and its runs appear here."
    />
  )
}
