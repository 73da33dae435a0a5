import { ActionIcon, Box, Button, Tooltip } from '@mantine/core'
import { IconLayoutDashboard } from '@tabler/icons-react'
import type { PipelineConfig } from '#server/features/import-apps/configs/schema.ts'
import { useOpenDashboard } from '../../dashboard-list/open-dashboard.ts'
import { useLastRun } from '../api.ts'
import { useCreateImportDashboard, useImportDashboard } from './api.ts'

/** The size of the buttons in a row. */
const ICON = 28

interface ForConfig {
  readonly config: PipelineConfig
}

/** Leads from an import to the dashboard of its app, once there is something to see. */
export function DashboardButton({ config }: ForConfig) {
  const step = useDashboardStep(config)
  if (!step) return null
  return (
    <Button
      size="xs"
      variant={step.exists ? 'default' : 'filled'}
      leftSection={<IconLayoutDashboard size={14} />}
      loading={step.isPending}
      onClick={step.open}
    >
      {step.label}
    </Button>
  )
}

/** The same in a row of the list. */
export function DashboardIcon({ config }: ForConfig) {
  const step = useDashboardStep(config)
  // keeps the numbers of all rows in line
  if (!step) return <Box w={ICON} visibleFrom="sm" aria-hidden />
  return (
    <Tooltip label={step.label}>
      <ActionIcon
        variant="default"
        size={ICON}
        aria-label={`${step.label}: ${config.name}`}
        loading={step.isPending}
        onClick={step.open}
      >
        <IconLayoutDashboard size={16} />
      </ActionIcon>
    </Tooltip>
  )
}

function useDashboardStep(config: PipelineConfig) {
  const found = useImportDashboard(config)
  const lastRun = useLastRun(config.id)
  const create = useCreateImportDashboard()
  const openDashboard = useOpenDashboard()
  const exists = typeof found?.dashboard === 'number'
  if (!found?.template || config.deleted || !(exists || lastRun?.state === 'succeeded')) return null
  return {
    exists,
    label: exists ? 'Open dashboard' : 'Create dashboard',
    isPending: create.isPending,
    // creating also finds the one that somebody else has just created
    open: () => create.mutate(config.id, { onSuccess: openDashboard }),
  }
}
