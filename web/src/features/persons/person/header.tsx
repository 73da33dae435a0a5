import { Box, Button, Group, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { IconTrash } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { toShownName } from '#model/names/person-name.ts'
import { useProjectId } from '../../../api/project.ts'
import { isAdmin, useMe } from '../../../api/session.ts'
import { CopyCurl } from '../../../ui/page/copy-curl.tsx'
import { TimeAgo } from '../../../ui/page/time-ago.tsx'
import { UserAvatar } from '../../../ui/page/user-avatar.tsx'
import { toLine } from '../../events/values.ts'
import { type Person, toPersonPath } from '../api.ts'
import { IdentifiedBadge } from '../person-row.tsx'
import classes from '../persons.module.css'
import { DeleteDialog } from './delete-dialog.tsx'

export function PersonHeader({ person }: { readonly person: Person }) {
  const projectId = useProjectId()
  const [isDeleting, setDeleting] = useState(false)
  const canDelete = isAdmin(useMe())
  const name = toShownName(person)
  useDocumentTitle(`${toLine(name)} · Hedgerow`)
  return (
    <Box mb="md">
      <Text size="sm" mb="xs">
        <Link
          className={classes.back}
          to="/project/$projectId/persons"
          params={{ projectId: `${projectId}` }}
        >
          Persons
        </Link>
      </Text>
      <Group justify="space-between" align="flex-start" gap="sm">
        <Group gap="sm" wrap="nowrap" align="flex-start" flex={1} miw={260}>
          <Box visibleFrom="sm">
            <UserAvatar name={name} size={40} />
          </Box>
          <Box miw={0} flex={1}>
            <Title order={1} className={classes.name}>
              {toLine(name)}
            </Title>
            <Group gap="xs" mt={4}>
              {name !== person.name && <Text size="sm">{toLine(person.name)}</Text>}
              <IdentifiedBadge isIdentified={person.is_identified} />
              <Text size="sm" c="dimmed">
                First seen <TimeAgo time={person.created_at} />
              </Text>
            </Group>
          </Box>
        </Group>
        <Group gap="xs">
          <CopyCurl path={toPersonPath(projectId, person.uuid)} />
          {canDelete && (
            <Button
              size="xs"
              variant="subtle"
              color="red"
              leftSection={<IconTrash size={14} />}
              onClick={() => setDeleting(true)}
            >
              Delete person…
            </Button>
          )}
        </Group>
      </Group>
      {isDeleting && <DeleteDialog person={person} onClose={() => setDeleting(false)} />}
    </Box>
  )
}
