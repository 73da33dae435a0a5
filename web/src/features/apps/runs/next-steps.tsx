import { Button, Group } from '@mantine/core'
import { IconBolt, IconChartLine } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { trends } from '#model/query-kinds/trends.ts'
import type { PipelineConfig } from '#server/features/import-apps/configs/schema.ts'
import { useProjectId } from '../../../api/project.ts'
import { eventDefinitionsQuery } from '../../definitions/api.ts'
import { toAddressText } from '../../insights/editor/address/address.ts'
import { wrapQuery } from '../../insights/editor/query-model.ts'

/** Leads from an import to its events. */
export function NextSteps({ config }: { readonly config: PipelineConfig }) {
  const projectId = `${useProjectId()}`
  const event = useImportedEvent(config)
  const query = {
    ...trends.newQuery,
    series: [{ kind: 'EventsNode' as const, event: event ?? null, math: 'total' as const }],
  }
  return (
    <Group gap="xs" mt={6}>
      <Button
        size="compact-xs"
        variant="light"
        leftSection={<IconBolt size={14} />}
        renderRoot={(props) => (
          <Link
            to="/project/$projectId/events"
            params={{ projectId }}
            search={{ event }}
            {...props}
          />
        )}
      >
        See the events
      </Button>
      <Button
        size="compact-xs"
        variant="light"
        leftSection={<IconChartLine size={14} />}
        renderRoot={(props) => (
          <Link
            to="/project/$projectId/insights/new"
            params={{ projectId }}
            search={{ q: toAddressText(wrapQuery(query)) }}
            {...props}
          />
        )}
      >
        Make a chart
      </Button>
    </Group>
  )
}

/** Finds the name of the imported events. The setting may name a column instead, and then there are several. */
function useImportedEvent({ config }: PipelineConfig): string | undefined {
  const { event } = JSON.parse(config || '{}') as { readonly event?: unknown }
  const name = typeof event === 'string' ? event : ''
  const definitions = eventDefinitionsQuery(useProjectId(), name)
  const { data = [] } = useQuery({ ...definitions, enabled: name !== '' })
  return name !== '' && data.some((definition) => definition.name === name) ? name : undefined
}
