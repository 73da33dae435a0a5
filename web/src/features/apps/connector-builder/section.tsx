import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { RowButton } from '../../../ui/list/row-button.tsx'

interface SectionProps {
  readonly title: string
  readonly about: string
  readonly action: string
  /** undefined if nothing can be added. */
  readonly onAdd: (() => void) | undefined
  readonly children: ReactNode
}

/** A part of a card with rows that can be added. */
export const Section = ({ title, about, action, onAdd, children }: SectionProps) => (
  <Stack gap="xs" role="group" aria-label={title}>
    <Title order={3} size="h5">
      {title}
    </Title>
    <Text size="sm" c="dimmed">
      {about}
    </Text>
    {children}
    <Group>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconPlus size={14} />}
        disabled={!onAdd}
        onClick={onAdd}
      >
        {action}
      </Button>
    </Group>
  </Stack>
)

export const RemoveButton = ({ name, onRemove }: { name: string; onRemove: () => void }) => (
  <RowButton aria-label={`Remove ${name}`} onClick={onRemove}>
    <IconTrash size={16} />
  </RowButton>
)
