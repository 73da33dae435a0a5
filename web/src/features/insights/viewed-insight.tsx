import { ActionIcon, Box, Button, Group, Menu, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconDots, IconDownload, IconRefresh, IconTable } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { toInsightTitle } from '#model/insight-title.ts'
import { api } from '../../api/client.ts'
import { useCanExport, useProjectId } from '../../api/project.ts'
import { ChartView } from '../../ui/chart/chart.tsx'
import { toChart } from '../../ui/chart/to-chart.ts'
import { Card } from '../../ui/page/card.tsx'
import { Page } from '../../ui/page/page.tsx'
import { QueryContent } from '../../ui/page/states.tsx'
import { TimeAgo } from '../../ui/page/time-ago.tsx'
import { DataDialog } from '../persons/behind-point/use-persons-dialog.tsx'
import { exportPath, type Insight, insightsPath } from './editor/api.ts'
import classes from './editor/editor.module.css'

const FORMATS = ['csv', 'png', 'svg', 'json']

/** Shows a saved insight to viewers of the project, who run no queries of their own. */
export function ViewedInsight({ shortId }: { readonly shortId: string }) {
  const projectId = useProjectId()
  const query = useQuery({
    queryKey: ['insight', projectId, shortId, 'with result'],
    queryFn: () =>
      api.get<Insight>(`${insightsPath(projectId)}/${encodeURIComponent(shortId)}`, {
        refresh: 'blocking',
      }),
  })
  return (
    <QueryContent query={query}>
      {(insight) => (
        <Shown
          insight={insight}
          isRefreshing={query.isFetching}
          onRefresh={() => void query.refetch()}
        />
      )}
    </QueryContent>
  )
}

interface ShownProps {
  readonly insight: Insight
  readonly isRefreshing: boolean
  readonly onRefresh: () => void
}

function Shown({ insight, isRefreshing, onRefresh }: ShownProps) {
  const [isDataOpen, data] = useDisclosure()
  const chart = toChart(insight)
  const problem = insight.query_status?.error_message
  const hasQuery = Object.keys(insight.query).length > 0
  return (
    <Page
      title={toInsightTitle(insight)}
      actions={
        <Group gap="xs">
          <Button
            variant="default"
            leftSection={<IconRefresh size={16} />}
            loading={isRefreshing}
            onClick={onRefresh}
          >
            Refresh
          </Button>
          <Actions insight={insight} onData={data.open} />
        </Group>
      }
    >
      {insight.description && <Text mb="md">{insight.description}</Text>}
      <Card>
        <Box className={classes.chart}>
          {problem && <Text role="alert">{problem}</Text>}
          {!hasQuery && <Text c="dimmed">This insight has no query yet.</Text>}
          {!problem && hasQuery && <ChartView chart={chart} />}
        </Box>
        {insight.last_refresh && (
          <Text size="xs" c="dimmed" mt="xs">
            Computed <TimeAgo time={insight.last_refresh} />
          </Text>
        )}
      </Card>
      {isDataOpen && (
        <DataDialog
          title={chart.title}
          chart={{ query: chart.query, result: chart.result, filters: [] }}
          onClose={data.close}
        />
      )}
    </Page>
  )
}

function Actions({ insight, onData }: { readonly insight: Insight; readonly onData: () => void }) {
  const projectId = useProjectId()
  const canExport = useCanExport()
  return (
    <Menu width={220}>
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label="More actions">
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconTable size={14} />} onClick={onData}>
          Show data
        </Menu.Item>
        {canExport && <Menu.Label>Export</Menu.Label>}
        {canExport &&
          FORMATS.map((format) => (
            <Menu.Item
              key={format}
              component="a"
              href={exportPath(projectId, insight.short_id, format)}
              download
              leftSection={<IconDownload size={14} />}
            >
              {format.toUpperCase()}
            </Menu.Item>
          ))}
      </Menu.Dropdown>
    </Menu>
  )
}
