import { ActionIcon, Box, Center, Group, Loader, Stack, Text, Tooltip } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useMemo } from 'react'
import type { ChartPoint } from '#model/chart.ts'
import { ApiError } from '../../../../api/client.ts'
import { ChartView } from '../../../../ui/chart/chart.tsx'
import { toChart } from '../../../../ui/chart/to-chart.ts'
import { ErrorAlert } from '../../../../ui/page/states.tsx'
import { TimeAgo } from '../../../../ui/page/time-ago.tsx'
import {
  canShowPersons,
  usePersonsDialog,
} from '../../../persons/behind-point/use-persons-dialog.tsx'
import classes from '../editor.module.css'
import { toFieldPath } from '../errors.tsx'
import type { usePreview } from './use-preview.ts'

interface PreviewProps {
  readonly title: string
  readonly insightId: number | null
  readonly preview: ReturnType<typeof usePreview>
}

/** A rejected query fails again; a server error may not. */
const canRetry = (error: Error): boolean =>
  !(error instanceof ApiError) || error.status === 0 || error.status >= 500

/** The SQL form shows the error below its editor. */
const isAboutSql = (error: Error): boolean =>
  error instanceof ApiError && error.attr !== null && toFieldPath(error.attr) === 'query'

/** Shows the last result, dimmed while the next one is computed, and the error if there is one. */
export function Preview({ title, insightId, preview }: PreviewProps) {
  const { shown, incomplete, error, isWaiting, refresh } = preview
  const chart = useMemo(
    () =>
      shown &&
      toChart({
        id: insightId,
        name: title,
        query: shown.node,
        result: shown.result.results,
        columns: shown.result.columns ?? null,
      }),
    [shown, title, insightId],
  )
  const { showPersons, personsDialog } = usePersonsDialog()
  const onPoint = useMemo(
    () =>
      chart && canShowPersons(chart.query)
        ? (point: ChartPoint) => showPersons({ chart, point })
        : undefined,
    [chart, showPersons],
  )
  return (
    <Stack gap="xs">
      {personsDialog}
      {error && !isWaiting && !isAboutSql(error) && (
        <ErrorAlert
          error={error}
          {...(canRetry(error) ? { onRetry: refresh } : { title: 'This query cannot run' })}
        />
      )}
      <Box className={classes.chart} aria-busy={isWaiting}>
        {chart && (
          <Box h="100%" className={isWaiting || error ? classes.waiting : undefined}>
            <ChartView chart={chart} onPoint={onPoint} />
          </Box>
        )}
        {!chart && isWaiting && (
          <Center h="100%">
            <Loader aria-label="Computing" />
          </Center>
        )}
      </Box>
      <Group justify="space-between" gap="xs" mih={28}>
        <Text size="xs" c="dimmed" role="status">
          {incomplete ?? (isWaiting ? 'Computing…' : '')}
        </Text>
        {shown && (
          <Group gap={4}>
            <Text size="xs" c="dimmed">
              Computed
            </Text>
            <Text size="xs" c="dimmed">
              <TimeAgo time={shown.result.last_refresh} />
            </Text>
            <Tooltip label="Refresh">
              <ActionIcon
                variant="subtle"
                color="gray"
                size="sm"
                aria-label="Refresh"
                onClick={refresh}
              >
                <IconRefresh size={14} />
              </ActionIcon>
            </Tooltip>
          </Group>
        )}
      </Group>
    </Stack>
  )
}
