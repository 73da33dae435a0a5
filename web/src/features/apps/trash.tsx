import { Button, Collapse, Group, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import type { PipelineConfig } from '#server/features/import-apps/configs/schema.ts'
import { confirm } from '../../ui/confirm.tsx'
import { When } from '../../ui/when.tsx'
import { usePatchConfig, useRemoveConfig, useTrash } from './api.ts'
import { AppIcon } from './app-icon.tsx'
import classes from './apps.module.css'
import { appOf } from './config-info.ts'

/** Nothing is shown while it is empty. */
export function Trash() {
  const { data = [] } = useTrash()
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
            <Trashed key={config.id} config={config} />
          ))}
        </ul>
      </Collapse>
    </>
  )
}

function Trashed({ config }: { readonly config: PipelineConfig }) {
  const patch = usePatchConfig(config.id)
  const remove = useRemoveConfig()
  const removeForGood = async () => {
    const isSure = await confirm({
      title: `Delete ${config.name} for good?`,
      message:
        'Its settings, files, runs and logs are deleted. The events it brought in stay. This cannot be undone.',
      yes: 'Delete for good',
      isDangerous: true,
    })
    if (isSure) remove.mutate(config.id)
  }
  return (
    <li>
      <Group p="sm" gap="sm">
        <AppIcon name={appOf(config)?.name} />
        <div>
          <Text fw={600}>{config.name}</Text>
          <Group gap={4}>
            <Text size="xs" c="dimmed">
              Changed
            </Text>
            <When time={config.updated_at} size="xs" c="dimmed" />
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
            onClick={removeForGood}
          >
            Delete for good
          </Button>
        </Group>
      </Group>
    </li>
  )
}
