import { ActionIcon, Box, Button, Group, Text } from '@mantine/core'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { showUndo } from '../../../ui/list/undo.tsx'
import { Card } from '../../../ui/page/card.tsx'
import { PropertyTable } from '../../events/property-table.tsx'
import { type Person, useChangeProperty } from '../api.ts'
import { PropertyDialog } from './property-dialog.tsx'

/** The properties of a person; each change can be undone. */
export function PropertiesTab({ person }: { readonly person: Person }) {
  const [dialog, setDialog] = useState<{ readonly name: string | undefined }>()
  const { mutate } = useChangeProperty(person)
  const restore = (name: string) => {
    const isNew = !Object.hasOwn(person.properties, name)
    mutate(isNew ? { $unset: name } : { key: name, value: person.properties[name] })
  }
  const remove = (name: string) =>
    mutate(
      { $unset: name },
      { onSuccess: () => showUndo(`“${name}” deleted`, () => restore(name)) },
    )
  return (
    <Box maw={860}>
      <Group justify="space-between" mb="xs" gap="sm">
        <Text size="sm" c="dimmed">
          Filters and breakdowns read these values as they are now.
        </Text>
        <Button
          size="xs"
          leftSection={<IconPlus size={14} />}
          onClick={() => setDialog({ name: undefined })}
        >
          Add property
        </Button>
      </Group>
      <Card>
        <PropertyTable
          of={person.properties}
          actions={(name) => (
            <>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={`Edit ${name}`}
                onClick={() => setDialog({ name })}
              >
                <IconPencil size={16} />
              </ActionIcon>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={`Delete ${name}`}
                onClick={() => remove(name)}
              >
                <IconTrash size={16} />
              </ActionIcon>
            </>
          )}
        />
      </Card>
      {dialog && (
        <PropertyDialog
          person={person}
          name={dialog.name}
          onSaved={(name) => {
            setDialog(undefined)
            showUndo(`“${name}” saved`, () => restore(name))
          }}
          onClose={() => setDialog(undefined)}
        />
      )}
    </Box>
  )
}
