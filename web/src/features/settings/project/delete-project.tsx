import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Project } from '#server/features/accounts/projects/schema.ts'
import { ErrorAlert } from '../../../ui/page/states.tsx'
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
    <Modal opened={isOpen} onClose={onClose} title={`Delete ${project.name}?`}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          remove.mutate({ id: project.id, confirm: typed })
        }}
      >
        <Stack>
          {remove.error && <ErrorAlert error={remove.error} />}
          <Text size="sm">
            This permanently deletes its dashboards, insights, import apps, alerts and events.
            Events sent to it will be rejected.
          </Text>
          <TextInput
            label={`Type the project name to confirm: ${project.name}`}
            data-autofocus
            autoComplete="off"
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button
              type="submit"
              color="red"
              loading={remove.isPending}
              disabled={typed !== project.name}
            >
              Delete project
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
