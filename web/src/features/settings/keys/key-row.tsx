import { Badge, Code, Menu } from '@mantine/core'
import { IconPencil, IconRefresh, IconTrash } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import type { PersonalApiKey } from '#server/features/accounts/api-keys/schema.ts'
import { projectsQuery } from '../../../api/session.ts'
import { runIfConfirmed } from '../../../ui/dialog/confirm.tsx'
import { PanelActions, PanelRow } from '../../../ui/page/panel.tsx'
import { TimeAgo } from '../../../ui/page/time-ago.tsx'
import { useRevokeKey, useRollKey } from './api.ts'
import { describeScopes } from './scopes.ts'

interface KeyRowProps {
  readonly apiKey: PersonalApiKey
  readonly onEdit: () => void
  readonly onRolled: (rolled: PersonalApiKey) => void
}

export function KeyRow({ apiKey, onEdit, onRolled }: KeyRowProps) {
  const { id, label, mask_value, scopes, scoped_teams, expires_at, last_used_at } = apiKey
  const roll = useRollKey()
  const revoke = useRevokeKey()
  const isExpired = expires_at !== null && Date.parse(expires_at) <= Date.now()
  const confirmAndRoll = () =>
    runIfConfirmed(() => roll.mutate(id, { onSuccess: onRolled }), {
      title: `Roll ${label}?`,
      message: 'The old value stops working immediately. Update everything that uses it.',
      yes: 'Roll key',
      isDangerous: true,
    })
  const confirmAndRevoke = () =>
    runIfConfirmed(() => revoke.mutate(id), {
      title: `Revoke ${label}?`,
      message: 'The key stops working immediately. This cannot be undone.',
      yes: 'Revoke key',
      isDangerous: true,
    })
  return (
    <PanelRow
      title={
        <>
          {label}{' '}
          {isExpired && (
            <Badge color="red" ml={4}>
              expired
            </Badge>
          )}
        </>
      }
      about={
        <>
          <div>
            {describeScopes(scopes)} · <ProjectNames ids={scoped_teams} />
          </div>
          <div>
            <Code fz={11}>{mask_value}</Code> ·{' '}
            {last_used_at ? (
              <>
                last used <TimeAgo time={last_used_at} />
              </>
            ) : (
              'never used'
            )}{' '}
            ·{' '}
            {expires_at ? (
              <>
                {isExpired ? 'expired' : 'expires'} <TimeAgo time={expires_at} />
              </>
            ) : (
              'no expiry'
            )}
          </div>
        </>
      }
    >
      <PanelActions of={label}>
        <Menu.Item leftSection={<IconPencil size={16} />} onClick={onEdit}>
          Edit key…
        </Menu.Item>
        <Menu.Item leftSection={<IconRefresh size={16} />} onClick={confirmAndRoll}>
          Roll key…
        </Menu.Item>
        <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={confirmAndRevoke}>
          Revoke key…
        </Menu.Item>
      </PanelActions>
    </PanelRow>
  )
}

function ProjectNames({ ids }: { readonly ids: readonly number[] }) {
  const { results } = useSuspenseQuery(projectsQuery).data
  if (ids.length === 0) return 'all projects'
  const names = ids.map(
    (id) => results.find((project) => project.id === id)?.name ?? `project ${id}`,
  )
  return `only ${names.join(', ')}`
}
