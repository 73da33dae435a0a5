import { ActionIcon, Badge, Code, Menu } from '@mantine/core'
import { IconDots, IconPencil, IconRefresh, IconTrash } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import type { PersonalApiKey } from '#server/features/people/api-keys/schema.ts'
import { projectsQuery } from '../../../api/session.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { When } from '../../../ui/when.tsx'
import { Row } from '../shared/section.tsx'
import { useRevokeKey, useRollKey } from './api.ts'
import { inWords } from './scopes.ts'

interface KeyRowProps {
  readonly apiKey: PersonalApiKey
  readonly onEdit: () => void
  readonly onRolled: (made: PersonalApiKey) => void
}

export function KeyRow({ apiKey, onEdit, onRolled }: KeyRowProps) {
  const { id, label, mask_value, scopes, scoped_teams, expires_at, last_used_at } = apiKey
  const roll = useRollKey()
  const revoke = useRevokeKey()
  const isOver = expires_at !== null && Date.parse(expires_at) <= Date.now()
  async function askAndRoll() {
    const isSure = await confirm({
      title: `Give ${label} a new value?`,
      message: 'The old value stops working at once. What uses it needs the new one.',
      yes: 'Roll the key',
      isDangerous: true,
    })
    if (isSure) roll.mutate(id, { onSuccess: onRolled })
  }
  async function askAndRevoke() {
    const isSure = await confirm({
      title: `Revoke ${label}?`,
      message: 'What uses this key is refused at once. This cannot be undone.',
      yes: 'Revoke',
      isDangerous: true,
    })
    if (isSure) revoke.mutate(id)
  }
  return (
    <Row
      title={
        <>
          {label}{' '}
          {isOver && (
            <Badge color="red" ml={4}>
              expired
            </Badge>
          )}
        </>
      }
      about={
        <>
          <div>
            {inWords(scopes)} · <ProjectNames ids={scoped_teams} />
          </div>
          <div>
            <Code fz={11}>{mask_value}</Code> · last used <When time={last_used_at} span inherit />{' '}
            ·{' '}
            {expires_at ? (
              <>
                {isOver ? 'ended' : 'ends'} <When time={expires_at} span inherit />
              </>
            ) : (
              'never ends'
            )}
          </div>
        </>
      }
    >
      <Menu>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size={34} aria-label={`More about ${label}`}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={16} />} onClick={onEdit}>
            Change…
          </Menu.Item>
          <Menu.Item leftSection={<IconRefresh size={16} />} onClick={() => void askAndRoll()}>
            Roll…
          </Menu.Item>
          <Menu.Item
            color="red"
            leftSection={<IconTrash size={16} />}
            onClick={() => void askAndRevoke()}
          >
            Revoke…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Row>
  )
}

function ProjectNames({ ids }: { readonly ids: readonly number[] }) {
  const { results } = useSuspenseQuery(projectsQuery).data
  if (ids.length === 0) return 'all your projects'
  const names = ids.map(
    (id) => results.find((project) => project.id === id)?.name ?? `project ${id}`,
  )
  return `only ${names.join(', ')}`
}
