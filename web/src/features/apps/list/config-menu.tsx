import { ActionIcon, Menu } from '@mantine/core'
import {
  IconDots,
  IconHistory,
  IconListDetails,
  IconPlayerPlay,
  IconSettings,
  IconTrash,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { PipelineConfig } from '#server/features/import-apps/configs/schema.ts'
import { useProjectId } from '../../../api/project.ts'
import { notify } from '../../../ui/dialog/notify.ts'
import { usePatchConfig } from '../api.ts'

const LINKS = [
  { tab: 'settings', label: 'Settings', icon: IconSettings },
  { tab: 'jobs', label: 'Run job', icon: IconPlayerPlay },
  { tab: 'runs', label: 'Runs', icon: IconHistory },
  { tab: 'logs', label: 'Logs', icon: IconListDetails },
] as const

export function ConfigMenu({ config }: { readonly config: PipelineConfig }) {
  const projectId = `${useProjectId()}`
  const moveToTrash = useMoveToTrash(config)
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${config.name}`}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {LINKS.map(({ tab, label, icon: Icon }) => (
          <Menu.Item
            key={tab}
            leftSection={<Icon size={16} />}
            renderRoot={(props) => (
              <Link
                {...props}
                to="/project/$projectId/apps/$configId"
                params={{ projectId, configId: `${config.id}` }}
                search={{ tab }}
              />
            )}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={moveToTrash}>
          Move to trash
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

/** Needs no confirmation, since the trash can restore it. */
export function useMoveToTrash(config: PipelineConfig, onDone?: () => void): () => void {
  const patch = usePatchConfig(config.id)
  const moveToTrash = async () => {
    await patch.mutateAsync({ deleted: true })
    notify({
      message: `${config.name} moved to trash. Restore it below the list.`,
    })
    onDone?.()
  }
  return () => void moveToTrash().catch(() => {}) // the error is already shown as a toast
}
