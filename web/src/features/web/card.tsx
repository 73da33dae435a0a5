import { Button, Menu, Skeleton } from '@mantine/core'
import { IconChartLine, IconDownload } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { toCsvRow } from '#model/csv.ts'
import { STORED } from '#model/names/row-names.ts'
import { toPairRows } from '#model/query-kinds/web-rows.ts'
import type { TableResult } from '#model/query-results.ts'
import { encodeObject } from '../../api/address-text.ts'
import { useProjectId } from '../../api/project.ts'
import { RowMenu } from '../../ui/list/row-menu.tsx'
import { Card } from '../../ui/page/card.tsx'
import { saveFile } from '../../ui/page/save-file.ts'
import { QueryContent } from '../../ui/page/states.tsx'
import { useWebQuery } from './api.ts'
import classes from './web.module.css'

interface WebCardProps {
  readonly title: string
  readonly query: object
  /** Chooses what the card shows. */
  readonly choice?: ReactNode
  readonly onMore: () => void
  readonly children: (result: TableResult) => ReactNode
}

/** A card with the rows of one query, which can be saved as a file or opened as an insight. */
export function WebCard({ title, query, choice, onMore, children }: WebCardProps) {
  const found = useWebQuery(query)
  return (
    <Card p={0}>
      <section aria-label={title} className={classes.card}>
        <header className={classes.head}>
          <h2>{title}</h2>
          {choice}
          <CardMenu title={title} query={query} result={found.data} />
        </header>
        <QueryContent query={found} loading={<Skeleton m="md" h={160} w="auto" />}>
          {(result) => (
            <div data-old={found.isPlaceholderData || undefined} className={classes.result}>
              {children(result as TableResult)}
              {result.hasMore && (
                <Button
                  className="no-print"
                  variant="subtle"
                  color="gray"
                  size="compact-sm"
                  m="xs"
                  onClick={onMore}
                >
                  Show more
                </Button>
              )}
            </div>
          )}
        </QueryContent>
      </section>
    </Card>
  )
}

interface CardMenuProps extends Pick<WebCardProps, 'title' | 'query'> {
  readonly result: unknown
}

function CardMenu({ title, query, result }: CardMenuProps) {
  const projectId = `${useProjectId()}`
  return (
    <RowMenu label={`Actions for ${title.toLowerCase()}`}>
      {() => (
        <>
          <Menu.Item
            leftSection={<IconChartLine size={16} />}
            renderRoot={(props) => (
              <Link
                {...props}
                to="/project/$projectId/insights/new"
                params={{ projectId }}
                search={{ q: encodeObject(query) }}
              />
            )}
          >
            Create insight
          </Menu.Item>
          <Menu.Item
            leftSection={<IconDownload size={16} />}
            disabled={result === undefined}
            onClick={() => {
              const rows = toPairRows(result, STORED)
              saveFile(`${title.toLowerCase()}.csv`, rows.map(toCsvRow).join(''), 'text/csv')
            }}
          >
            Export as CSV
          </Menu.Item>
        </>
      )}
    </RowMenu>
  )
}
