import { ActionIcon, Group, TextInput, Title, Tooltip } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { type KeyboardEvent, useState } from 'react'
import type { PipelineConfig } from '#server/features/import-apps/configs/schema.ts'
import { usePatchConfig } from '../api.ts'
import classes from '../apps.module.css'

const MAX_NAME = 400

/** Enter and blur save, Escape cancels. An empty name falls back to the app's. */
export function EditableName({ config }: { readonly config: PipelineConfig }) {
  const patch = usePatchConfig(config.id)
  const [draft, setDraft] = useState<string>()
  const shown = patch.isPending ? (patch.variables.name ?? config.name) : config.name

  if (draft === undefined) {
    return (
      <Group gap={4} wrap="nowrap" align="center">
        <Title order={1} className={classes.wrapped}>
          {shown || `App ${config.plugin}`}
        </Title>
        <Tooltip label="Rename import app">
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label="Rename import app"
            onClick={() => setDraft(config.name)}
          >
            <IconPencil size={16} />
          </ActionIcon>
        </Tooltip>
      </Group>
    )
  }
  const save = () => {
    setDraft(undefined)
    if (draft.trim() !== config.name) patch.mutate({ name: draft.trim() })
  }
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'Enter') save()
    if (key === 'Escape') setDraft(undefined)
  }
  return (
    <TextInput
      aria-label="Name"
      value={draft}
      maxLength={MAX_NAME}
      data-autofocus
      ref={(input) => input?.focus()}
      onChange={({ currentTarget }) => setDraft(currentTarget.value)}
      onBlur={save}
      onKeyDown={onKeyDown}
    />
  )
}
