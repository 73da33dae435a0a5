import { Alert, Box, Button, Stack, Tabs } from '@mantine/core'
import { IconAlertTriangle, IconTrash } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { PipelineConfig } from '#server/features/import-apps/configs/schema.ts'
import { Page } from '../../ui/page.tsx'
import { Shown } from '../../ui/states.tsx'
import { ActivityTab } from './activity-tab.tsx'
import { isUnfinished, useConfig, usePatchConfig, useRuns } from './api.ts'
import { AppHeader } from './app-header.tsx'
import classes from './apps.module.css'
import { HealthTab } from './health-tab.tsx'
import { JobsTab } from './jobs-tab.tsx'
import { useLive } from './live.ts'
import { LogsTab } from './logs-tab.tsx'
import { RunProgress } from './run-progress.tsx'
import { RunsTab } from './runs-tab.tsx'
import type { Tab } from './search.ts'
import { SettingsTab } from './settings-tab.tsx'

const route = getRouteApi('/project/$projectId/apps/$configId')

export function AppPage() {
  const { configId } = route.useParams()
  const config = useConfig(Number(configId))
  if (!config.data) {
    return (
      <Page title="Import app">
        <Shown of={config}>{() => null}</Shown>
      </Page>
    )
  }
  return <AppContent key={config.data.id} config={config.data} />
}

function AppContent({ config }: { readonly config: PipelineConfig }) {
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
  const live = useLive(config.id)
  const showRuns = () => void show('runs')
  const panels: readonly (readonly [Tab, string, ReactNode])[] = [
    ['settings', 'Settings', <SettingsTab key={config.config} config={config} onRun={showRuns} />],
    ['jobs', 'Jobs', <JobsTab key="jobs" config={config} onRun={showRuns} />],
    ['runs', 'Runs', <RunsTab key="runs" config={config} />],
    ['logs', 'Logs', <LogsTab key="logs" config={config} live={live} />],
    ['health', 'Health', <HealthTab key="health" config={config} />],
    ['activity', 'Activity', <ActivityTab key="activity" config={config} />],
  ]
  return (
    <Box maw={1200} mx="auto">
      <AppHeader config={config} />
      <Notices config={config} />
      <UnderWay config={config} isShown={tab !== 'runs'} />
      <Tabs value={tab} onChange={(next) => next && void show(next as Tab)} keepMounted={false}>
        <Tabs.List className={classes.tabs} mb="md" aria-label="Parts of this app">
          {panels.map(([value, label]) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {panels.map(([value, , panel]) => (
          // what is being typed into the settings outlasts a look at the log
          <Tabs.Panel key={value} value={value} keepMounted={value === 'settings'}>
            {panel}
          </Tabs.Panel>
        ))}
      </Tabs>
    </Box>
  )
}

function Notices({ config }: { readonly config: PipelineConfig }) {
  const patch = usePatchConfig(config.id)
  if (config.deleted) {
    return (
      <Alert color="gray" icon={<IconTrash size={18} />} mb="md" title="In the trash">
        <Stack gap="xs" align="flex-start">
          It does not run.
          <Button
            size="xs"
            variant="default"
            loading={patch.isPending}
            onClick={() => patch.mutate({ deleted: false })}
          >
            Restore
          </Button>
        </Stack>
      </Alert>
    )
  }
  if (config.error === '') return null
  const needsSettings = config.error.startsWith('Required settings')
  return (
    <Alert
      color={needsSettings ? 'yellow' : 'red'}
      icon={<IconAlertTriangle size={18} />}
      mb="md"
      title={needsSettings ? 'It cannot run yet' : 'The last run failed'}
    >
      {config.error}
    </Alert>
  )
}

/** Whatever is looked at, a run that goes on is in sight. */
function UnderWay({
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
