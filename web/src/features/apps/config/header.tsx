import { Badge, Box, Button, Group, Text } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { IconTrash } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import type { PipelineConfig } from '#server/features/import-apps/configs/schema.ts'
import { useProjectId } from '../../../api/project.ts'
import { CopyCurl } from '../../../ui/page/copy-curl.tsx'
import { configsPath, useLastRun } from '../api.ts'
import { AppIcon } from '../app-icon.tsx'
import classes from '../apps.module.css'
import { EnabledSwitch } from '../enabled-switch.tsx'
import { useInstalledApp } from '../gallery/api.ts'
import { useMoveToTrash } from '../list/config-menu.tsx'
import { appManifest, configStatus } from '../status.ts'
import { StatusBadge } from '../status-badge.tsx'
import { EditableName } from './editable-name.tsx'

export function ConfigHeader({ config }: { readonly config: PipelineConfig }) {
  const projectId = useProjectId()
  const navigate = useNavigate()
  const app = appManifest(config)
  const lastRun = useLastRun(config.id)
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
              <StatusBadge status={withoutReason(configStatus(config, lastRun))} />
              <Badge color="gray">{app ? `${app.name} ${app.version}` : 'Not installed'}</Badge>
            </Group>
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
          <CopyCurl path={`${configsPath(projectId)}/${config.id}`} />
          {!config.deleted && (
            <Button
              size="xs"
              variant="subtle"
              color="red"
              leftSection={<IconTrash size={14} />}
              onClick={moveToTrash}
            >
              Move to trash
            </Button>
          )}
        </Group>
      </Group>
    </Box>
  )
}

/** The alert below shows the reason. */
const withoutReason = ({ status, label, since }: ReturnType<typeof configStatus>) => ({
  status,
  label,
  since,
})
