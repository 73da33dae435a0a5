import { Badge, Button, Text } from '@mantine/core'
import { IconDeviceLaptop, IconDeviceMobile } from '@tabler/icons-react'
import { useSignOut } from '../../../api/session.ts'
import { runIfConfirmed } from '../../../ui/dialog/confirm.tsx'
import { Panel, PanelRow, PanelRows } from '../../../ui/page/panel.tsx'
import { Loading, QueryContent } from '../../../ui/page/states.tsx'
import { TimeAgo } from '../../../ui/page/time-ago.tsx'
import { useEndSession, useSessions } from './api.ts'
import { toDevice } from './device.ts'

export function Sessions() {
  const sessions = useSessions()
  const end = useEndSession()
  const signOut = useSignOut()
  const confirmAndSignOut = () =>
    runIfConfirmed(() => signOut.mutate(true), {
      title: 'Sign out everywhere?',
      message: 'Every browser is signed out, including this one. API keys keep working.',
      yes: 'Sign out everywhere',
      isDangerous: true,
    })
  return (
    <Panel
      title="Sessions"
      about="Don't recognize a session? Sign it out and change your password."
      isFlush
      actions={
        <Button variant="default" onClick={confirmAndSignOut}>
          Sign out everywhere…
        </Button>
      }
    >
      <QueryContent query={sessions} loading={<Loading lines={3} p="md" />}>
        {({ results }) =>
          results.length === 0 ? (
            <Text p="md" size="sm" c="dimmed">
              No sessions.
            </Text>
          ) : (
            <PanelRows>
              {results.map(({ id, user_agent, address, last_used_at, is_current }) => {
                const { name, isPhone } = toDevice(user_agent)
                const Icon = isPhone ? IconDeviceMobile : IconDeviceLaptop
                return (
                  <PanelRow
                    key={id}
                    icon={<Icon size={22} stroke={1.4} aria-hidden />}
                    title={
                      <>
                        {name} {is_current && <Badge ml={4}>current</Badge>}
                      </>
                    }
                    about={
                      <>
                        {address} · last used <TimeAgo time={last_used_at} />
                      </>
                    }
                  >
                    {!is_current && (
                      <Button
                        size="xs"
                        variant="default"
                        aria-label={`Sign out ${name}`}
                        onClick={() => end.mutate(id)}
                      >
                        Sign out
                      </Button>
                    )}
                  </PanelRow>
                )
              })}
            </PanelRows>
          )
        }
      </QueryContent>
    </Panel>
  )
}
