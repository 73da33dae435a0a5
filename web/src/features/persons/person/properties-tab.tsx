import { ActionIcon, Box, Button, Group, Text } from '@mantine/core'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { showUndo } from '../../../ui/list/undo.tsx'
import { Card } from '../../../ui/page/card.tsx'
import { PropertyTable } from '../../events/property-table.tsx'
import { type ChangeProperty, PropertyDialog } from './property-dialog.tsx'

interface PropertiesTabProps {
  readonly properties: Readonly<Record<string, unknown>>
  readonly isOfGroup?: boolean
  readonly change: ChangeProperty
  /** The same for a form, which shows errors itself. */
  readonly changeInForm: ChangeProperty
}

/** The properties of a person or a group; each change can be undone. */
export function PropertiesTab(props: PropertiesTabProps) {
  const { properties, isOfGroup = false, change, changeInForm } = props
  const [dialog, setDialog] = useState<{ readonly name: string | undefined }>()
  const { mutate } = change
  const restore = (name: string) => {
    const isNew = !Object.hasOwn(properties, name)
    mutate(isNew ? { $unset: name } : { key: name, value: properties[name] })
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
          of={properties}
          isOfGroup={isOfGroup}
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
          properties={properties}
          change={changeInForm}
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
