import { Anchor, Badge, Button, Group, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconLinkOff, IconSearch, IconWorld } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { pluralize } from '#model/pluralize.ts'
import type { OrganizationLink } from '#server/features/dashboards/links/schema.ts'
import { runIfConfirmed } from '../../../ui/dialog/confirm.tsx'
import { LoadMore } from '../../../ui/list/load-more.tsx'
import { RowCheckbox } from '../../../ui/list/row-checkbox.tsx'
import { useSelection } from '../../../ui/list/use-selection.ts'
import { toExactTime } from '../../../ui/page/exact-time.ts'
import { Panel, PanelRow, PanelRows } from '../../../ui/page/panel.tsx'
import { EmptyState, Loading, QueryContent } from '../../../ui/page/states.tsx'
import { useZone } from '../../../ui/page/zone.ts'
import { AUDIENCES, CLOSED, describeUse, nameOf } from '../../sharing/link-texts.ts'
import { useOrganizationLinks, useRevokeLinks } from './api.ts'

/** Every public link of every project, to see what is open and to revoke it. */
export function AllLinks() {
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text, 200)
  const links = useOrganizationLinks(search)
  const selected = useSelection(useMemo(() => ({ search }), [search]))
  const revoke = useRevokeLinks()
  const ids = [...selected.ids]
  const confirmAndRevoke = () =>
    runIfConfirmed(() => revoke.mutate(ids, { onSuccess: () => selected.set([]) }), {
      title: `Revoke ${pluralize(ids.length, 'link')}?`,
      message: 'Nobody can open them any more, in embeds too. This cannot be undone.',
      yes: ids.length === 1 ? 'Revoke link' : 'Revoke links',
      isDangerous: true,
    })
  return (
    <Panel
      title="All public links"
      about="Of every project, the newest first."
      isFlush
      actions={
        ids.length > 0 && (
          <Button
            color="red"
            variant="light"
            leftSection={<IconLinkOff size={16} />}
            loading={revoke.isPending}
            onClick={confirmAndRevoke}
          >
            Revoke {pluralize(ids.length, 'link')}…
          </Button>
        )
      }
    >
      <Group p="md" pb={4}>
        <TextInput
          flex={1}
          aria-label="Search public links"
          placeholder="Search by dashboard or insight"
          leftSection={<IconSearch size={14} />}
          maxLength={200}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </Group>
      <QueryContent query={links} loading={<Loading lines={4} p="md" />}>
        {({ pages }) => {
          const rows = pages.flatMap(({ results }) => results)
          if (rows.length === 0) return <NoLinks search={search} />
          return (
            <PanelRows>
              {rows.map((link) => (
                <LinkRow
                  key={link.id}
                  link={link}
                  isSelected={selected.ids.has(link.id)}
                  onSelect={(isSelected) => selected.toggle(link.id, isSelected)}
                />
              ))}
            </PanelRows>
          )
        }}
      </QueryContent>
      <LoadMore query={links} p="md" />
    </Panel>
  )
}

const NoLinks = ({ search }: { readonly search: string }) =>
  search ? (
    <EmptyState icon={IconSearch} title="No links found">
      Nothing with a public link matches “{search}”.
    </EmptyState>
  ) : (
    <EmptyState icon={IconWorld} title="Nothing is public">
      Links appear here when someone shares a dashboard or an insight.
    </EmptyState>
  )

interface LinkRowProps {
  readonly link: OrganizationLink
  readonly isSelected: boolean
  readonly onSelect: (isSelected: boolean) => void
}

function LinkRow({ link, isSelected, onSelect }: LinkRowProps) {
  const zone = useZone()
  const { dashboard, insight, project, created_by } = link
  const name = (dashboard ?? insight)?.name || 'Untitled'
  const projectId = `${project.id}`
  const closed = CLOSED[link.state]
  const about = [
    nameOf(link),
    project.name,
    created_by && `by ${created_by.first_name || created_by.email}`,
    describeUse(link, (time) => toExactTime(time, zone)),
  ]
  return (
    <PanelRow
      icon={
        <RowCheckbox
          label={`Select ${nameOf(link)} of ${name}`}
          checked={isSelected}
          onChange={onSelect}
        />
      }
      title={
        <Anchor
          inherit
          renderRoot={(props) =>
            insight ? (
              <Link
                to="/project/$projectId/insights/$shortId"
                params={{ projectId, shortId: insight.short_id }}
                {...props}
              />
            ) : (
              <Link
                to="/project/$projectId/dashboards/$dashboardId"
                params={{ projectId, dashboardId: `${dashboard?.id}` }}
                {...props}
              />
            )
          }
        >
          {name}
        </Anchor>
      }
      about={about.filter(Boolean).join(' · ')}
    >
      {link.audience !== 'anyone' && <Badge size="xs">{AUDIENCES[link.audience]}</Badge>}
      {closed && (
        <Badge size="xs" color="gray">
          {closed}
        </Badge>
      )}
    </PanelRow>
  )
}
