import { Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useProjectId } from '../../../api/project.ts'
import { notify } from '../../../ui/dialog/notify.ts'
import { ErrorAlert } from '../../../ui/page/states.tsx'
import { type Person, useDeletePerson } from '../api.ts'

interface DeleteDialogProps {
  readonly person: Person
  readonly onClose: () => void
}

export function DeleteDialog({ person, onClose }: DeleteDialogProps) {
  const projectId = `${useProjectId()}`
  const navigate = useNavigate()
  const [withEvents, setWithEvents] = useState(false)
  const remove = useDeletePerson(person)
  const onSuccess = () => {
    notify({ message: withEvents ? 'Person and events deleted' : 'Person deleted' })
    void navigate({ to: '/project/$projectId/persons', params: { projectId } })
  }
  return (
    <Modal opened onClose={onClose} title={`Delete ${person.name}?`}>
      <Stack>
        {remove.error && <ErrorAlert error={remove.error} />}
        <Text size="sm">
          {withEvents
            ? 'This permanently deletes the properties and all events of the person. Charts no longer count them.'
            : 'This permanently deletes the properties. The events stay, and each distinct ID becomes a person again with its next event.'}
        </Text>
        <Checkbox
          label="Also delete the events"
          checked={withEvents}
          onChange={(event) => setWithEvents(event.currentTarget.checked)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button
            color="red"
            loading={remove.isPending}
            onClick={() => remove.mutate(withEvents, { onSuccess })}
          >
            {withEvents ? 'Delete person and events' : 'Delete person'}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
