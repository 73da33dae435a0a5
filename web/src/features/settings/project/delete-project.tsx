import { Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Project } from '#server/features/accounts/projects/schema.ts'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useDeleteProject } from './api.ts'

interface DeleteProjectProps {
  readonly project: Project
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function DeleteProject({ project, isOpen, onClose }: DeleteProjectProps) {
  const [typed, setTyped] = useState('')
  const remove = useDeleteProject()
  return (
    <FormDialog
      title={`Delete ${project.name}?`}
      yes="Delete project"
      yesProps={{ color: 'red', disabled: typed !== project.name }}
      saving={remove}
      onSubmit={() => remove.mutate({ id: project.id, confirm: typed })}
      opened={isOpen}
      onClose={onClose}
    >
      <Text size="sm">
        This permanently deletes its dashboards, insights, import apps, alerts and events. Events
        sent to it will be rejected.
      </Text>
      <TextInput
        label={`Type the project name to confirm: ${project.name}`}
        data-autofocus
        autoComplete="off"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
