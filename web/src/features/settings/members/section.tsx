import { Button, Group, SimpleGrid, Text, TextInput } from '@mantine/core'
import { useDebouncedValue, useDisclosure } from '@mantine/hooks'
import { IconSearch, IconUserPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { isAdmin, useMe } from '../../../api/session.ts'
import { Panel, PanelRows, PanelStack } from '../../../ui/page/panel.tsx'
import { EmptyState, Loading, QueryContent } from '../../../ui/page/states.tsx'
import { ROLES } from '../shared/roles.ts'
import { useMembers } from './api.ts'
import { InviteDialog } from './invite-dialog.tsx'
import { Invites } from './invites.tsx'
import { Leave } from './leave.tsx'
import { MemberRow } from './member-row.tsx'
import { OrganizationName } from './organization-name.tsx'
import { SignInRule } from './sign-in-rule.tsx'

export function MembersSection() {
  const me = useMe()
  const canEdit = isAdmin(me)
  const [search, setSearch] = useState('')
  const [debounced] = useDebouncedValue(search, 200)
  const members = useMembers(debounced)
  const [isInviting, { open, close }] = useDisclosure()
  return (
    <PanelStack>
      <Panel
        title="Members"
        about={`All members of ${me.organization.name}.`}
        isFlush
        actions={
          canEdit && (
            <Button leftSection={<IconUserPlus size={16} />} onClick={open}>
              Invite member
            </Button>
          )
        }
      >
        <Group p="md" pb={4}>
          <TextInput
            flex={1}
            aria-label="Search members"
            placeholder="Search by name or e-mail"
            leftSection={<IconSearch size={14} />}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
        </Group>
        <QueryContent query={members} loading={<Loading lines={4} p="md" />}>
          {({ results }) =>
            results.length === 0 ? (
              <EmptyState icon={IconSearch} title="No members found">
                No name or e-mail matches “{debounced}”.
              </EmptyState>
            ) : (
              <PanelRows>
                {results.map((member) => (
                  <MemberRow key={member.id} member={member} me={me} />
                ))}
              </PanelRows>
            )
          }
        </QueryContent>
      </Panel>
      {canEdit && <Invites />}
      <Panel title="Roles">
        <SimpleGrid cols={{ base: 1, md: 3 }}>
          {ROLES.map(({ level, name, about }) => (
            <div key={level}>
              <Text fw={500}>{name}</Text>
              <Text size="sm" c="dimmed">
                {about}
              </Text>
            </div>
          ))}
        </SimpleGrid>
      </Panel>
      {canEdit && <SignInRule organization={me.organization} />}
      {canEdit && <OrganizationName name={me.organization.name} />}
      <Leave organization={me.organization.name} />
      <InviteDialog isOpen={isInviting} onClose={close} me={me} />
    </PanelStack>
  )
}
