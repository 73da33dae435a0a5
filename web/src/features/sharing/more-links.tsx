import { Badge, Box, Button, Group, Menu, Stack, Text, Title } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { PublicLink } from '#server/features/dashboards/links/schema.ts'
import { useProjectId } from '../../api/project.ts'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { RowMenu } from '../../ui/list/row-menu.tsx'
import { CopyIcon } from '../../ui/page/copy-button.tsx'
import { toExactTime } from '../../ui/page/exact-time.ts'
import { Loading, QueryContent } from '../../ui/page/states.tsx'
import { useZone } from '../../ui/page/zone.ts'
import { type LinkTarget, linksQuery, useRevokeLink } from './api.ts'
import { CLOSED, describeUse, nameOf } from './link-texts.ts'
import classes from './sharing.module.css'

const LinkDialog = lazy(() => import('./link-dialog.tsx'))

interface MoreLinksProps {
  readonly target: LinkTarget
  readonly title: string
  readonly canChange: boolean
}

/** Public links of a dashboard beside the first one, or of an insight, each for other people. */
export function MoreLinks({ target, title, canChange }: MoreLinksProps) {
  const links = useQuery(linksQuery(useProjectId(), target))
  const [edited, setEdited] = useState<PublicLink | 'new'>()
  return (
    <Stack gap="xs" component="section" aria-label={title}>
      <Group justify="space-between">
        <Title order={3}>{title}</Title>
        {canChange && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={14} />}
            onClick={() => setEdited('new')}
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
                Links of their own for some people: with a password, an end or a view limit.
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
                  onEdit={() => setEdited(link)}
                />
              ))}
            </ul>
          )
        }}
      </QueryContent>
      {edited && (
        <Suspense>
          <LinkDialog
            target={target}
            link={edited === 'new' ? undefined : edited}
            onClose={() => setEdited(undefined)}
          />
        </Suspense>
      )}
    </Stack>
  )
}

interface LinkRowProps {
  readonly target: LinkTarget
  readonly link: PublicLink
  readonly canChange: boolean
  readonly onEdit: () => void
}

function LinkRow({ target, link, canChange, onEdit }: LinkRowProps) {
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
          {link.audience === 'password' && <Badge size="xs">Password</Badge>}
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
      {canChange && (
        <RowMenu label={`More for ${name}`}>
          {() => (
            <>
              <Menu.Item onClick={onEdit}>Settings…</Menu.Item>
              <Menu.Item color="red" onClick={askAndRevoke}>
                Revoke…
              </Menu.Item>
            </>
          )}
        </RowMenu>
      )}
    </li>
  )
}
