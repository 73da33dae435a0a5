import { Badge, Menu } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconFolders, IconUserMinus } from '@tabler/icons-react'
import { pluralize } from '#model/pluralize.ts'
import type { OrganizationMember } from '#server/features/accounts/members/schema.ts'
import type { Me } from '#server/features/accounts/projects/schema.ts'
import { isAdmin } from '../../../api/session.ts'
import { confirm, runIfConfirmed } from '../../../ui/dialog/confirm.tsx'
import { Choice } from '../../../ui/form/choice.tsx'
import { PanelActions, PanelRow } from '../../../ui/page/panel.tsx'
import { UserAvatar } from '../../../ui/page/user-avatar.tsx'
import { userName } from '../../../ui/page/user-name.ts'
import { ROLES } from '../shared/roles.ts'
import { useChangeLevel, useRemoveMember } from './api.ts'
import { MemberProjects } from './member-projects.tsx'

const OWNER = 15
const ADMIN = 8

interface MemberRowProps {
  readonly member: OrganizationMember
  readonly me: Me
}

export function MemberRow({ member, me }: MemberRowProps) {
  const { user, level } = member
  const ownLevel = me.organization.membership_level
  const canEdit = isAdmin(me) && (ownLevel === OWNER || level < OWNER)
  const change = useChangeLevel()
  const remove = useRemoveMember()
  const [isChoosing, { open, close }] = useDisclosure()
  const name = userName(user)
  const confirmAndRemove = () =>
    runIfConfirmed(() => remove.mutate(user.uuid), {
      title: `Remove ${name}?`,
      message:
        'They are signed out and their API keys stop working immediately. Their dashboards and insights stay. This cannot be undone.',
      yes: 'Remove member',
      isDangerous: true,
    })
  async function confirmAndChange(to: number) {
    const role = ROLES.find((each) => each.level === to)
    const isConfirmed = await confirm({
      title: `Make ${name} ${to === 1 ? 'a' : 'an'} ${role?.name.toLowerCase()}?`,
      message: role?.about ?? '',
      yes: 'Change role',
    })
    if (isConfirmed) change.mutate({ uuid: user.uuid, level: to })
  }
  return (
    <PanelRow
      icon={<UserAvatar name={name} size={34} />}
      title={
        <>
          {name} {user.id === me.id && <Badge ml={4}>you</Badge>}
        </>
      }
      about={
        <>
          {user.email} · {describeProjects(member)}
          {member.is_2fa_enabled === false && me.organization.enforce_2fa && ' · no second factor'}
        </>
      }
    >
      <Choice
        aria-label={`Role for ${name}`}
        w={120}
        size="sm"
        disabled={!canEdit || change.isPending}
        value={`${level}`}
        data={ROLES.map((role) => ({
          value: `${role.level}`,
          label: role.name,
          disabled: role.level > ownLevel,
        }))}
        onChange={(to) => Number(to) !== level && void confirmAndChange(Number(to))}
      />
      {isAdmin(me) && (
        <PanelActions of={name}>
          <Menu.Item
            leftSection={<IconFolders size={16} />}
            disabled={level >= ADMIN}
            onClick={open}
          >
            {level >= ADMIN ? 'Has access to all projects' : 'Edit projects…'}
          </Menu.Item>
          <Menu.Item
            color="red"
            leftSection={<IconUserMinus size={16} />}
            disabled={!canEdit}
            onClick={confirmAndRemove}
          >
            Remove member…
          </Menu.Item>
        </PanelActions>
      )}
      <MemberProjects member={member} isOpen={isChoosing} onClose={close} />
    </PanelRow>
  )
}

function describeProjects({ level, projects, viewer_of }: OrganizationMember): string {
  if (level >= ADMIN) return 'all projects'
  if (projects.length === 0) return 'no projects'
  const all = pluralize(projects.length, 'project')
  if (viewer_of.length === 0) return all
  return `${all}, ${viewer_of.length === projects.length ? '' : `${viewer_of.length} `}as viewer`
}
