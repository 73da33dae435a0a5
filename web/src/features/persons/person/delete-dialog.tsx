import { Checkbox, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { toShownName } from '#model/names/person-name.ts'
import { useProjectId } from '../../../api/project.ts'
import { DangerDialog } from '../../../ui/dialog/danger-dialog.tsx'
import { notify } from '../../../ui/dialog/notify.ts'
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
    <DangerDialog
      title={`Delete ${toShownName(person)}?`}
      yes={withEvents ? 'Delete person and events' : 'Delete person'}
      running={remove}
      onConfirm={() => remove.mutate(withEvents, { onSuccess })}
      onClose={onClose}
    >
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
    </DangerDialog>
  )
}
