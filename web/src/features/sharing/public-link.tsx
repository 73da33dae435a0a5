import { Button, Group, Stack, Switch, Tabs, Text, TextInput, Title } from '@mantine/core'
import { IconExternalLink, IconRefresh, IconSettings } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { CAN_EDIT } from '#model/levels.ts'
import type { Dashboard } from '#server/features/dashboards/dashboards/schema.ts'
import { useProjectId } from '../../api/project.ts'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { CopyText } from '../../ui/page/copy-button.tsx'
import { Loading, QueryContent } from '../../ui/page/states.tsx'
import { linksQuery, sharingQuery, useReplaceLink, useToggleSharing } from './api.ts'
import { EmbedCode } from './embed-code.tsx'
import { useLinkDialogs } from './link-dialogs.tsx'
import { QrCode } from './qr-code.tsx'

interface PublicLinkProps {
  readonly dashboard: Dashboard
}

/** Turns the public link on or off, and offers link, embed code, QR code and files. */
export function PublicLink({ dashboard }: PublicLinkProps) {
  const canChange = dashboard.effective_privilege_level === CAN_EDIT
  const change = useToggleSharing(dashboard.id)
  const sharing = useQuery(sharingQuery(useProjectId(), dashboard.id))
  return (
    <Stack gap="sm" component="section" aria-label="Public link">
      <Title order={3}>Public link</Title>
      <QueryContent query={sharing} loading={<Loading lines={2} />}>
        {({ enabled, access_token }) => (
          <>
            <Switch
              checked={enabled}
              disabled={!canChange || change.isPending}
              onChange={({ currentTarget }) => change.mutate(currentTarget.checked)}
              label="Anyone with the link can view"
              description="No sign-in needed. Viewers see only this dashboard."
            />
            {enabled && (
              <LinkTabs dashboard={dashboard} token={access_token} canChange={canChange} />
            )}
          </>
        )}
      </QueryContent>
    </Stack>
  )
}

interface LinkTabsProps extends PublicLinkProps {
  readonly token: string
  readonly canChange: boolean
}

function LinkTabs({ dashboard, token, canChange }: LinkTabsProps) {
  const link = `${location.origin}/shared/${token}`
  return (
    <Tabs defaultValue="link" keepMounted={false}>
      <Tabs.List>
        <Tabs.Tab value="link">Link</Tabs.Tab>
        <Tabs.Tab value="embed">Embed</Tabs.Tab>
        <Tabs.Tab value="qr">QR code</Tabs.Tab>
        <Tabs.Tab value="files">Files</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="link" pt="sm">
        <LinkPanel dashboardId={dashboard.id} link={link} canChange={canChange} />
      </Tabs.Panel>
      <Tabs.Panel value="embed" pt="sm">
        <EmbedCode token={token} title={dashboard.name || 'Dashboard'} />
      </Tabs.Panel>
      <Tabs.Panel value="qr" pt="sm">
        <QrCode link={link} />
      </Tabs.Panel>
      <Tabs.Panel value="files" pt="sm">
        <Files link={link} />
      </Tabs.Panel>
    </Tabs>
  )
}

interface LinkPanelProps {
  readonly dashboardId: number
  readonly link: string
  readonly canChange: boolean
}

function LinkPanel({ dashboardId, link, canChange }: LinkPanelProps) {
  const newLink = useReplaceLink(dashboardId)
  const askAndReplace = async () => {
    const isSure = await confirm({
      title: 'Replace the link?',
      message:
        'The current link works for five more minutes. Then everyone needs the new one, in embeds too.',
      yes: 'Replace link',
    })
    if (isSure) newLink.mutate()
  }
  return (
    <Stack gap="xs">
      <TextInput
        readOnly
        value={link}
        aria-label="Public link"
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <Group gap="xs">
        <CopyText value={link} label="Copy link" />
        <Button
          component="a"
          href={link}
          target="_blank"
          rel="noreferrer"
          size="xs"
          variant="default"
          leftSection={<IconExternalLink size={14} />}
        >
          Open
        </Button>
        {canChange && <FirstLinkSettings dashboardId={dashboardId} />}
        {canChange && (
          <Button
            size="xs"
            variant="subtle"
            color="gray"
            loading={newLink.isPending}
            leftSection={<IconRefresh size={14} />}
            onClick={askAndReplace}
          >
            Replace link…
          </Button>
        )}
      </Group>
    </Stack>
  )
}

/** Audience, end, limit and the like of the link that the switch turns on. */
function FirstLinkSettings({ dashboardId }: { readonly dashboardId: number }) {
  const target = { kind: 'dashboard', id: dashboardId } as const
  const { data: links } = useQuery(linksQuery(useProjectId(), target))
  const { dialogs, open } = useLinkDialogs(target)
  const first = links?.find(({ is_first }) => is_first)
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconSettings size={14} />}
        disabled={!first}
        onClick={() => open({ kind: 'settings', link: first })}
      >
        Settings…
      </Button>
      {first?.audience === 'people' && (
        <Button size="xs" variant="default" onClick={() => open({ kind: 'guests', link: first })}>
          Guests…
        </Button>
      )}
      {dialogs}
    </>
  )
}

const FILES = [
  ['png', 'Image (PNG)'],
  ['pdf', 'Document (PDF)'],
  ['csv', 'Table (CSV)'],
  ['json', 'Data (JSON)'],
] as const

function Files({ link }: { readonly link: string }) {
  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed">
        Each link returns the current data, so you can use it in documents and other tools.
      </Text>
      <Group gap="xs">
        {FILES.map(([ending, name]) => (
          <Button
            key={ending}
            component="a"
            href={`${link}.${ending}`}
            target="_blank"
            rel="noreferrer"
            size="xs"
            variant="default"
          >
            {name}
          </Button>
        ))}
      </Group>
    </Stack>
  )
}
