import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { InstalledPlugin } from '#server/features/import-apps/plugins/schema.ts'
import { useProjectId } from '../../../api/project.ts'
import { useAddConfig } from '../api.ts'

interface AddAppProps {
  readonly plugin: InstalledPlugin
  /** Names the purpose; by default the app. */
  readonly label?: string
}

/** Adds the app disabled, since most need settings first, and opens its settings. */
export function AddAppButton({ plugin, label }: AddAppProps) {
  const projectId = `${useProjectId()}`
  const add = useAddConfig()
  const navigate = useNavigate()
  const addAndOpen = async () => {
    const { id } = await add.mutateAsync(plugin.id)
    const params = { projectId, configId: `${id}` }
    await navigate({ to: '/project/$projectId/apps/$configId', params })
  }
  return (
    <Button
      size="xs"
      variant="light"
      leftSection={<IconPlus size={14} />}
      loading={add.isPending}
      aria-label={label ?? `Add to project: ${plugin.name}`}
      onClick={() => void addAndOpen().catch(() => {})} // the error is already shown as a toast
    >
      {label ?? 'Add to project'}
    </Button>
  )
}
