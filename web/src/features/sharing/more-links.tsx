import { Badge, Box, Button, Group, Menu, Stack, Text, Title } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { PublicLink } from '#server/features/dashboards/links/schema.ts'
import { useProjectId } from '../../api/project.ts'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { RowMenu } from '../../ui/list/row-menu.tsx'
import { CopyIcon } from '../../ui/page/copy-button.tsx'
import { toExactTime } from '../../ui/page/exact-time.ts'
import { Loading, QueryContent } from '../../ui/page/states.tsx'
import { useZone } from '../../ui/page/zone.ts'
import { type LinkTarget, linksQuery, useRevokeLink } from './api.ts'
import { useLinkDialogs } from './link-dialogs.tsx'
import { AUDIENCES, CLOSED, describeUse, nameOf } from './link-texts.ts'
import classes from './sharing.module.css'

interface MoreLinksProps {
  readonly target: LinkTarget
  readonly title: string
  readonly canChange: boolean
}

/** Public links of a dashboard beside the first one, or of an insight, each for other people. */
export function MoreLinks({ target, title, canChange }: MoreLinksProps) {
  const links = useQuery(linksQuery(useProjectId(), target))
  const { dialogs, open } = useLinkDialogs(target)
  return (
    <Stack gap="xs" component="section" aria-label={title}>
      <Group justify="space-between">
        <Title order={3}>{title}</Title>
        {canChange && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={14} />}
            onClick={() => open({ kind: 'settings', link: undefined })}
          >
            Add link
          </Button>
        )}
      </Group>
      <QueryContent query={links} loading={<Loading lines={1} />}>
        {(all) => {
          const more = all.filter(({ is_first }) => !is_first)
          if (more.length === 0) {
            return (
              <Text size="sm" c="dimmed">
                Links of their own for some people: with a password, for guests, with an end or a
                view limit.
              </Text>
            )
          }
          return (
            <ul className={classes.people}>
              {more.map((link) => (
                <LinkRow
                  key={link.id}
                  target={target}
                  link={link}
                  canChange={canChange}
                  onOpen={(kind) => open({ kind, link })}
                />
              ))}
            </ul>
          )
        }}
      </QueryContent>
      {dialogs}
    </Stack>
  )
}

interface LinkRowProps {
  readonly target: LinkTarget
  readonly link: PublicLink
  readonly canChange: boolean
  readonly onOpen: (kind: 'settings' | 'guests' | 'views') => void
}

function LinkRow({ target, link, canChange, onOpen }: LinkRowProps) {
  const zone = useZone()
  const revoke = useRevokeLink(target)
  const name = nameOf(link)
  const closed = CLOSED[link.state]
  const askAndRevoke = async () => {
    const isSure = await confirm({
      title: 'Revoke the link?',
      message: `Nobody can open “${name}” any more. Other links keep working.`,
      yes: 'Revoke link',
    })
    if (isSure) revoke.mutate(link.id)
  }
  return (
    <li className={classes.person}>
      <Box className={classes.who}>
        <Group gap={6} wrap="nowrap">
          <Text size="sm" fw={500} truncate>
            {name}
          </Text>
          {link.audience !== 'anyone' && <Badge size="xs">{AUDIENCES[link.audience]}</Badge>}
          {closed && (
            <Badge size="xs" color="gray">
              {closed}
            </Badge>
          )}
        </Group>
        <Text size="xs" c="dimmed" truncate>
          {describeUse(link, (time) => toExactTime(time, zone))}
        </Text>
      </Box>
      <CopyIcon
        value={`${location.origin}/shared/${link.access_token}`}
        label={`Copy link: ${name}`}
      />
      <RowMenu label={`More for ${name}`}>
        {() => (
          <>
            <Menu.Item onClick={() => onOpen('views')}>Views…</Menu.Item>
            {canChange && link.audience === 'people' && (
              <Menu.Item onClick={() => onOpen('guests')}>Guests…</Menu.Item>
            )}
            {canChange && <Menu.Item onClick={() => onOpen('settings')}>Settings…</Menu.Item>}
            {canChange && (
              <Menu.Item color="red" onClick={askAndRevoke}>
                Revoke…
              </Menu.Item>
            )}
          </>
        )}
      </RowMenu>
    </li>
  )
}
