import {
  Anchor,
  Button,
  Group,
  Popover,
  ScrollArea,
  Stack,
  Text,
  UnstyledButton,
} from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconHistory } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { writtenText } from '#model/query-kinds/index.ts'
import { unwrapQuery } from '#model/query-node.ts'
import { api, type ListPage } from '../../../../api/client.ts'
import { useProjectId } from '../../../../api/project.ts'
import { TimeAgo } from '../../../../ui/page/time-ago.tsx'
import type { Insight } from '../../editor/api.ts'
import type { PastQuery } from './history.ts'
import classes from './workspace.module.css'

interface PastQueriesProps {
  readonly past: readonly PastQuery[]
  readonly onChoose: (text: string) => void
  readonly onForget: () => void
}

/** Queries that ran in this browser, and those that were saved as insights. */
export function PastQueries({ past, onChoose, onForget }: PastQueriesProps) {
  const [isOpen, { toggle, close }] = useDisclosure()
  return (
    <Popover opened={isOpen} onChange={close} position="bottom-end" width={380} trapFocus>
      <Popover.Target>
        <Button
          size="xs"
          variant="default"
          classNames={{ label: classes.toolLabel, section: classes.toolIcon }}
          title="Earlier queries"
          leftSection={<IconHistory size={14} />}
          aria-haspopup="dialog"
          onClick={toggle}
        >
          History
        </Button>
      </Popover.Target>
      <Popover.Dropdown p="xs">
        <ScrollArea.Autosize mah={360} type="auto">
          <Group justify="space-between" px={8}>
            <Text size="sm" fw={600}>
              Run in this browser
            </Text>
            {past.length > 0 && (
              <Button size="compact-xs" variant="subtle" color="gray" onClick={onForget}>
                Clear
              </Button>
            )}
          </Group>
          {past.length === 0 && (
            <Text size="xs" c="dimmed" px={8} py={4}>
              Queries that you run appear here.
            </Text>
          )}
          {past.map(({ text, at }) => (
            <UnstyledButton
              key={text}
              className={classes.past}
              onClick={() => {
                onChoose(text)
                close()
              }}
            >
              <span className={classes.query}>{text}</span>
              <Text size="xs" c="dimmed" component="span">
                <TimeAgo time={new Date(at).toISOString()} />
              </Text>
            </UnstyledButton>
          ))}
          {isOpen && <SavedQueries />}
        </ScrollArea.Autosize>
      </Popover.Dropdown>
    </Popover>
  )
}

type ListedInsight = Pick<Insight, 'id' | 'short_id' | 'name' | 'derived_name' | 'query'>

/** Lists those of the last modified insights that are SQL. */
function useSavedQueries() {
  const projectId = useProjectId()
  return useQuery({
    queryKey: ['insights', projectId, 'sql'],
    queryFn: async () => {
      const page = await api.get<ListPage<ListedInsight>>(
        `/api/environments/${projectId}/insights`,
        { basic: true, limit: 100 },
      )
      return page.results.filter(({ query }) => {
        const { source } = unwrapQuery(query)
        return source.kind === 'HogQLQuery' && writtenText(source as never) !== undefined
      })
    },
  })
}

function SavedQueries() {
  const projectId = `${useProjectId()}`
  const saved = useSavedQueries().data ?? []
  return (
    <Stack gap={2} mt="xs" px={8}>
      <Text size="sm" fw={600}>
        Saved as insights
      </Text>
      {saved.map(({ id, short_id, name, derived_name }) => (
        <Anchor
          key={id}
          size="sm"
          renderRoot={(props) => (
            <Link
              to="/project/$projectId/insights/$shortId"
              params={{ projectId, shortId: short_id }}
              {...props}
            />
          )}
        >
          {name || derived_name || 'Untitled insight'}
        </Anchor>
      ))}
      {saved.length === 0 && (
        <Text size="xs" c="dimmed">
          Save a query, and it becomes an insight.
        </Text>
      )}
    </Stack>
  )
}
