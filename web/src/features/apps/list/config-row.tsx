import { ActionIcon, Box, Group, Text, Tooltip } from '@mantine/core'
import { useDidUpdate } from '@mantine/hooks'
import { IconPlayerPlay } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { pluralize } from '#model/pluralize.ts'
import type { PipelineConfig } from '#server/features/import-apps/configs/schema.ts'
import { useProjectId } from '../../../api/project.ts'
import { useSortableRow } from '../../../ui/list/sortable.tsx'
import { useLastRun, useMetrics, useRefreshStats, useRunJob } from '../api.ts'
import { AppIcon } from '../app-icon.tsx'
import classes from '../apps.module.css'
import { DashboardIcon } from '../dashboard/dashboard-button.tsx'
import { EnabledSwitch } from '../enabled-switch.tsx'
import { useInstalledApp } from '../gallery/api.ts'
import { useHealth } from '../schedule/health.ts'
import { appManifest, canRunDirectly, configStatus, formatCount } from '../status.ts'
import { StatusBadge } from '../status-badge.tsx'
import { ConfigMenu } from './config-menu.tsx'
import { Sparkline } from './sparkline.tsx'

export function ConfigListRow({ config }: { readonly config: PipelineConfig }) {
  const projectId = `${useProjectId()}`
  const { ref, className, style, handle } = useSortableRow(config.id, config.name)
  const lastRun = useLastRun(config.id)
  const health = useHealth(config.id)
  const icon = useInstalledApp(config.plugin)?.icon
  useDidUpdate(useRefreshStats(config.id), [lastRun?.finished_at])
  return (
    <li ref={ref} className={`${classes.row} ${className}`} style={style}>
      {handle}
      <AppIcon name={appManifest(config)?.name} icon={icon} />
      <Box miw={0}>
        <Link
          className={classes.name}
          to="/project/$projectId/apps/$configId"
          params={{ projectId, configId: `${config.id}` }}
        >
          {config.name || `App ${config.plugin}`}
        </Link>
        <StatusBadge status={configStatus(config, lastRun, health)} />
      </Box>
      <Stats config={config} />
      <Group className={classes.controls} gap="xs" wrap="nowrap">
        <EnabledSwitch config={config} />
        <DashboardIcon config={config} />
        <RunNow config={config} />
        <ConfigMenu config={config} />
      </Group>
    </li>
  )
}

/** Counts of new events and successful runs in the last 24 hours. */
function Stats({ config }: { readonly config: PipelineConfig }) {
  const hours = useMetrics(config.id).data?.last_24_hours ?? []
  const events = hours.reduce((sum, hour) => sum + hour.events, 0)
  const sum = (key: 'runs_succeeded' | 'runs_failed') =>
    hours.reduce((total, hour) => total + hour[key], 0)
  const succeeded = sum('runs_succeeded')
  const runs = succeeded + sum('runs_failed')
  return (
    <Group className={classes.metrics} gap="md" wrap="nowrap">
      <Box ta="right">
        <Text size="sm" className="tabular">
          {pluralize(events, 'event')}
        </Text>
        <Text size="xs" c="dimmed">
          {runs === 0 ? 'last 24 hours' : `${succeeded} of ${pluralize(runs, 'run')} succeeded`}
        </Text>
      </Box>
      <Sparkline
        values={hours.map((hour) => hour.events)}
        label={`Events per hour, last 24 hours: ${formatCount(events)} in total`}
      />
    </Group>
  )
}

/** Runs the only job, or opens the Jobs tab when there are several. */
function RunNow({ config }: { readonly config: PipelineConfig }) {
  const projectId = `${useProjectId()}`
  const run = useRunJob(config.id)
  const navigate = useNavigate()
  const isReady = config.enabled && config.plugin_info !== ''
  const start = () => {
    if (canRunDirectly(config)) return run.mutate({})
    const params = { projectId, configId: `${config.id}` }
    return navigate({ to: '/project/$projectId/apps/$configId', params, search: { tab: 'jobs' } })
  }
  return (
    <Tooltip label={isReady ? 'Run now' : 'Enable to run'}>
      <ActionIcon
        variant="default"
        aria-label={`Run ${config.name} now`}
        data-disabled={!isReady || undefined}
        aria-disabled={!isReady}
        loading={run.isPending}
        onClick={() => isReady && start()}
      >
        <IconPlayerPlay size={16} />
      </ActionIcon>
    </Tooltip>
  )
}
