import { Alert, List, Progress, Stack, Text } from '@mantine/core'
import { IconGauge } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { HogQLQuery } from '#model/query-kinds/sql.schema.ts'
import type { Explanation } from '#server/features/results/explain/schema.ts'
import { api } from '../../../../api/client.ts'
import { useProjectId } from '../../../../api/project.ts'
import { ToolButton } from './tool-button.tsx'

/** Asks the server what a query reads and what takes the time. */
export function useExplain() {
  const projectId = useProjectId()
  return useMutation({
    mutationFn: (query: HogQLQuery) =>
      api.post<Explanation>(`/api/projects/${projectId}/query/explain`, { query }),
  })
}

type Explaining = ReturnType<typeof useExplain>

interface ExplainButtonProps {
  readonly explaining: Explaining
  readonly query: HogQLQuery
}

export const ExplainButton = ({ explaining, query }: ExplainButtonProps) => (
  <ToolButton
    tooltip="Rows read, slow parts and limits"
    leftSection={<IconGauge size={14} />}
    loading={explaining.isPending}
    disabled={query.query.trim() === ''}
    onClick={() => explaining.mutate(query)}
  >
    Explain
  </ToolButton>
)

const COLORS = ['blue.6', 'teal.6', 'orange.6', 'grape.6', 'gray.5']

/** Shows in words what the last query that was explained did. */
export function ExplainResult({ explaining }: { readonly explaining: Explaining }) {
  const { data, error, reset } = explaining
  if (error) {
    return (
      <Alert color="red" role="alert" withCloseButton closeButtonLabel="Close" onClose={reset}>
        {error.message}
      </Alert>
    )
  }
  if (!data) return null
  return (
    <Alert
      color="gray"
      role="region"
      aria-label="Explanation"
      title="Explanation"
      withCloseButton
      closeButtonLabel="Close"
      onClose={reset}
    >
      <Stack gap="xs">
        <List size="sm">
          {data.summary.map((sentence) => (
            <List.Item key={sentence}>{sentence}</List.Item>
          ))}
        </List>
        <Progress.Root size="lg" aria-hidden>
          {data.work.map(({ name, percent }, at) => (
            <Progress.Section key={name} value={percent} color={COLORS[at] ?? 'gray.5'}>
              {percent >= 15 && <Progress.Label>{name}</Progress.Label>}
            </Progress.Section>
          ))}
        </Progress.Root>
        <Text size="xs" c="dimmed">
          The time is that of one run. Other queries at the same moment make it longer.
        </Text>
      </Stack>
    </Alert>
  )
}
