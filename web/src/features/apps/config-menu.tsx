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
import { useProjectId } from '../../api/project.ts'
import { notify } from '../../ui/notify.ts'
import { usePatchConfig } from './api.ts'

const PLACES = [
  { tab: 'settings', label: 'Settings', icon: IconSettings },
  { tab: 'jobs', label: 'Run a job', icon: IconPlayerPlay },
  { tab: 'runs', label: 'Runs', icon: IconHistory },
  { tab: 'logs', label: 'Logs', icon: IconListDetails },
] as const

export function ConfigMenu({ config }: { readonly config: PipelineConfig }) {
  const projectId = `${useProjectId()}`
  const toTrash = useToTrash(config)
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`More for ${config.name}`}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {PLACES.map(({ tab, label, icon: Icon }) => (
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
        <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={toTrash}>
          Move to the trash
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

/** No question asked: the trash gives it back. */
export function useToTrash(config: PipelineConfig, onDone?: () => void): () => void {
  const patch = usePatchConfig(config.id)
  const toTrash = async () => {
    await patch.mutateAsync({ deleted: true })
    notify({
      message: `${config.name} is in the trash, below the list. It does not run any more.`,
    })
    onDone?.()
  }
  return () => void toTrash().catch(() => {}) // a refusal has been shown
}
