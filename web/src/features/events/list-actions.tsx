import { Button, Menu } from '@mantine/core'
import { IconChartLine, IconDownload } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type EventColumn, MAX_EXPORTED, toColumnText } from '#model/event-columns.ts'
import { encodeObject } from '../../api/address-text.ts'
import { withQuery } from '../../api/client.ts'
import { useProjectId } from '../../api/project.ts'
import { LazyMenu } from '../../ui/page/lazy-menu.tsx'
import { toEventFilter, toEventsPath } from './api.ts'
import { toInsightQuery } from './insight-query.ts'
import type { EventFilters } from './search.ts'

interface ListActionsProps {
  readonly filters: EventFilters
  readonly columns: readonly EventColumn[]
}

/** Saves what the list shows as a file, or opens it as an insight. */
export const ListActions = ({ filters, columns }: ListActionsProps) => (
  <>
    <ExportMenu filters={filters} columns={columns} />
    <CreateInsight filters={filters} />
  </>
)

function ExportMenu({ filters, columns }: ListActionsProps) {
  const path = `${toEventsPath(useProjectId())}/export`
  const shown = columns.length > 0 ? JSON.stringify(columns.map(toColumnText)) : undefined
  return (
    <LazyMenu
      width={240}
      button={
        <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />}>
          Export
        </Button>
      }
    >
      {() => {
        const filter = toEventFilter(filters)
        const files = [
          ['CSV', withQuery(`${path}.csv`, { ...filter, columns: shown })],
          ['JSON', withQuery(`${path}.json`, filter)],
        ] as const
        return (
          <>
            <Menu.Label>Newest {MAX_EXPORTED.toLocaleString('en-US')} matching events</Menu.Label>
            {files.map(([format, href]) => (
              <Menu.Item key={format} component="a" href={href} download>
                Export as {format}
              </Menu.Item>
            ))}
          </>
        )
      }}
    </LazyMenu>
  )
}

function CreateInsight({ filters }: Pick<ListActionsProps, 'filters'>) {
  const projectId = `${useProjectId()}`
  const q = encodeObject(toInsightQuery(filters))
  return (
    <Button
      variant="default"
      leftSection={<IconChartLine size={16} aria-hidden />}
      disabled={q === undefined}
      renderRoot={(props) => (
        <Link
          {...props}
          to="/project/$projectId/insights/new"
          params={{ projectId }}
          search={{ q }}
        />
      )}
    >
      Create insight
    </Button>
  )
}
