import { Button, Collapse, Group, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import type { PipelineConfig } from '#server/features/import-apps/configs/schema.ts'
import { runIfConfirmed } from '../../../ui/dialog/confirm.tsx'
import { TimeAgo } from '../../../ui/page/time-ago.tsx'
import { usePatchConfig, useRemoveConfig, useTrashedConfigs } from '../api.ts'
import { AppIcon } from '../app-icon.tsx'
import classes from '../apps.module.css'
import { appManifest } from '../status.ts'

/** Collapsed list of trashed import apps; hidden when empty. */
export function Trash() {
  const { data = [] } = useTrashedConfigs()
  const [opened, { toggle }] = useDisclosure()
  if (data.length === 0) return null
  const Chevron = opened ? IconChevronDown : IconChevronRight
  return (
    <>
      <UnstyledButton mt="lg" mb="xs" onClick={toggle} aria-expanded={opened}>
        <Group gap={4} c="dimmed">
          <Chevron size={16} />
          <Text size="sm" fw={500}>
            Trash ({data.length})
          </Text>
        </Group>
      </UnstyledButton>
      <Collapse expanded={opened}>
        <ul className={classes.list} aria-label="Trash">
          {data.map((config) => (
            <TrashedConfig key={config.id} config={config} />
          ))}
        </ul>
      </Collapse>
    </>
  )
}

function TrashedConfig({ config }: { readonly config: PipelineConfig }) {
  const patch = usePatchConfig(config.id)
  const remove = useRemoveConfig()
  const confirmAndDelete = () =>
    runIfConfirmed(() => remove.mutate(config.id), {
      title: `Permanently delete ${config.name}?`,
      message:
        'Its settings, files, runs and logs are deleted. Imported events stay. This cannot be undone.',
      yes: 'Delete permanently',
      isDangerous: true,
    })
  return (
    <li>
      <Group p="sm" gap="sm">
        <AppIcon name={appManifest(config)?.name} />
        <div>
          <Text fw={600}>{config.name}</Text>
          <Group gap={4}>
            <Text size="xs" c="dimmed">
              Last modified
            </Text>
            <Text size="xs" c="dimmed">
              <TimeAgo time={config.updated_at} />
            </Text>
          </Group>
        </div>
        <Group gap="xs" ml="auto">
          <Button
            size="xs"
            variant="default"
            loading={patch.isPending}
            onClick={() => patch.mutate({ deleted: false })}
          >
            Restore
          </Button>
          <Button
            size="xs"
            variant="subtle"
            color="red"
            loading={remove.isPending}
            onClick={confirmAndDelete}
          >
            Delete permanently
          </Button>
        </Group>
      </Group>
    </li>
  )
}
