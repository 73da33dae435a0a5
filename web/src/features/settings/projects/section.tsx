import { Badge, Button, Modal, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Project } from '#server/features/accounts/projects/schema.ts'
import { useProjectId } from '../../../api/project.ts'
import { isAdmin, projectsQuery, useMe } from '../../../api/session.ts'
import { Choice } from '../../../ui/form/choice.tsx'
import { Form } from '../../../ui/form/form-dialog.tsx'
import { timeZones } from '../../../ui/form/time-zones.ts'
import { Panel, PanelRow, PanelRows, PanelStack } from '../../../ui/page/panel.tsx'
import { TimeAgo } from '../../../ui/page/time-ago.tsx'
import { browserZone } from '../../../ui/page/zone.ts'
import { useCreateProject } from '../project/api.ts'
import { DeleteProject } from '../project/delete-project.tsx'

export function ProjectsSection() {
  const { results } = useSuspenseQuery(projectsQuery).data
  const current = useProjectId()
  const canEdit = isAdmin(useMe())
  const [isCreating, { open, close }] = useDisclosure()
  const [deleting, setDeleting] = useState<Project>()
  return (
    <PanelStack>
      <Panel
        title="Projects"
        about="Each project has its own events, dashboards, import apps and members."
        isFlush
        actions={
          canEdit && (
            <Button leftSection={<IconPlus size={16} />} onClick={open}>
              Create project
            </Button>
          )
        }
      >
        <PanelRows>
          {results.map((project) => (
            <PanelRow
              key={project.id}
              title={
                <>
                  {project.name} {project.id === current && <Badge ml={6}>current</Badge>}
                </>
              }
              about={
                <>
                  ID {project.id} · {project.timezone} · created{' '}
                  <TimeAgo time={project.created_at} />
                </>
              }
            >
              {project.id !== current && (
                <Button
                  size="xs"
                  variant="default"
                  renderRoot={(props) => (
                    <Link
                      to="/project/$projectId/dashboards"
                      params={{ projectId: `${project.id}` }}
                      {...props}
                    />
                  )}
                >
                  Open
                </Button>
              )}
              {canEdit && (
                <Button
                  size="xs"
                  variant="subtle"
                  color="red"
                  aria-label={`Delete ${project.name}`}
                  onClick={() => setDeleting(project)}
                >
                  Delete…
                </Button>
              )}
            </PanelRow>
          ))}
        </PanelRows>
      </Panel>
      <NewProject isOpen={isCreating} onClose={close} />
      {deleting && (
        <DeleteProject project={deleting} isOpen onClose={() => setDeleting(undefined)} />
      )}
    </PanelStack>
  )
}

function NewProject({
  isOpen,
  onClose,
}: {
  readonly isOpen: boolean
  readonly onClose: () => void
}) {
  const create = useCreateProject()
  const navigate = useNavigate()
  const form = useForm({
    initialValues: {
      name: '',
      timezone: browserZone(),
    },
  })
  const submit = form.onSubmit((values) =>
    create.mutate(values, {
      onSuccess: ({ id }) => {
        onClose()
        const params = { projectId: `${id}`, section: 'project' }
        void navigate({ to: '/project/$projectId/settings/$section', params })
      },
    }),
  )
  return (
    <Modal opened={isOpen} onClose={onClose} title="Create project">
      <Form yes="Create project" saving={create} form={form} onSubmit={submit}>
        <TextInput
          label="Name"
          required
          data-autofocus
          maxLength={400}
          {...form.getInputProps('name')}
        />
        <Choice
          label="Time zone"
          searchable
          limit={100}
          data={timeZones()}
          {...form.getInputProps('timezone')}
        />
      </Form>
    </Modal>
  )
}
