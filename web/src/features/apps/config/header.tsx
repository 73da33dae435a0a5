import { ActionIcon, Badge, Box, Group, Menu, Text } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { IconDots, IconTrash } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import type { PipelineConfig } from '#server/features/import-apps/configs/schema.ts'
import { useProjectId } from '../../../api/project.ts'
import { CopyCurl } from '../../../ui/page/copy-curl.tsx'
import { LazyMenu } from '../../../ui/page/lazy-menu.tsx'
import { TimeAgo } from '../../../ui/page/time-ago.tsx'
import { useLastRun } from '../api.ts'
import { AppIcon } from '../app-icon.tsx'
import classes from '../apps.module.css'
import { DashboardButton } from '../dashboard/dashboard-button.tsx'
import { EnabledSwitch } from '../enabled-switch.tsx'
import { useInstalledApp } from '../gallery/api.ts'
import { configsPath } from '../keys.ts'
import { useMoveToTrash } from '../list/config-menu.tsx'
import { useHealth } from '../schedule/health.ts'
import { appManifest, configStatus } from '../status.ts'
import { StatusBadge } from '../status-badge.tsx'
import { EditableName } from './editable-name.tsx'

const MINUTE_MS = 60_000

export function ConfigHeader({ config }: { readonly config: PipelineConfig }) {
  const projectId = useProjectId()
  const navigate = useNavigate()
  const app = appManifest(config)
  const lastRun = useLastRun(config.id)
  const health = useHealth(config.id)
  const icon = useInstalledApp(config.plugin)?.icon
  const params = { projectId: `${projectId}` }
  const moveToTrash = useMoveToTrash(
    config,
    () => void navigate({ to: '/project/$projectId/apps', params }),
  )
  useDocumentTitle(`${config.name} · Hedgerow`)
  return (
    <Box mb="md">
      <Text size="sm" mb="xs">
        <Link className={classes.back} to="/project/$projectId/apps" params={params}>
          Import apps
        </Link>
      </Text>
      <Group justify="space-between" align="flex-start" gap="sm">
        <Group gap="sm" wrap="nowrap" align="flex-start" flex={1} miw={260}>
          <AppIcon name={app?.name} icon={icon} />
          <Box miw={0} flex={1}>
            <EditableName config={config} />
            <Group gap="xs" mt={4}>
              {/* beside the name of the switch, "Disabled" would be there twice */}
              {(config.enabled || config.deleted) && (
                <StatusBadge status={withoutReason(configStatus(config, lastRun, health))} />
              )}
              <Badge color="gray">{app ? `${app.name} ${app.version}` : 'Not installed'}</Badge>
            </Group>
            <NextRun at={health?.next_run_at} />
            {config.description && (
              <Text size="sm" c="dimmed" mt={4}>
                {config.description}
              </Text>
            )}
          </Box>
        </Group>
        <Group gap="xs">
          {!config.deleted && (
            <Group gap="xs" mr="xs">
              <EnabledSwitch config={config} />
              <Text size="sm">{config.enabled ? 'Enabled' : 'Disabled'}</Text>
            </Group>
          )}
          <DashboardButton config={config} />
          <CopyCurl path={`${configsPath(projectId)}/${config.id}`} />
          {!config.deleted && (
            <LazyMenu
              width={180}
              button={
                <ActionIcon variant="default" size={30} aria-label="More actions">
                  <IconDots size={16} />
                </ActionIcon>
              }
            >
              {() => (
                <Menu.Item leftSection={<IconTrash size={16} />} onClick={moveToTrash}>
                  Move to trash
                </Menu.Item>
              )}
            </LazyMenu>
          )}
        </Group>
      </Group>
    </Box>
  )
}

/** Says when an enabled app runs next. */
function NextRun({ at }: { readonly at: string | null | undefined }) {
  if (!at) return null
  return (
    <Text size="sm" c="dimmed" mt={4}>
      Next run {Date.parse(at) - Date.now() < MINUTE_MS ? 'within a minute' : <TimeAgo time={at} />}
    </Text>
  )
}

/** The alert below shows the reason. */
const withoutReason = ({ status, label, since }: ReturnType<typeof configStatus>) => ({
  status,
  label,
  since,
})
