import { Badge, Button, Group, MultiSelect, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconListDetails, IconPlayerPause, IconPlayerPlay, IconSearch } from '@tabler/icons-react'
import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import { pluralize } from '#model/pluralize.ts'
import type { PipelineConfig } from '#server/features/import-apps/configs/schema.ts'
import type { LogEntry } from '#server/features/import-apps/runs/schema.ts'
import { CopyText } from '../../../ui/page/copy-button.tsx'
import { EmptyState, QueryContent } from '../../../ui/page/states.tsx'
import { STATUS_COLORS } from '../../../ui/page/status-color.ts'
import { useLogs } from '../api.ts'
import classes from '../apps.module.css'
import type { LiveUpdates } from './live.ts'
import { LogRow, toLogText } from './log-line.tsx'

const LEVELS: readonly LogEntry['type'][] = ['DEBUG', 'LOG', 'INFO', 'WARN', 'ERROR']
const SOURCES: Readonly<Record<string, LogEntry['source']>> = {
  Console: 'CONSOLE',
  'App errors': 'PLUGIN',
  Hedgerow: 'SYSTEM',
}

interface LogsTabProps {
  readonly config: PipelineConfig
  readonly live: LiveUpdates
}

/** Stored and streamed log lines, newest at the end. */
export function LogsTab({ config, live }: LogsTabProps) {
  const [types, setTypes] = useState<LogEntry['type'][]>([])
  const [sources, setSources] = useState<string[]>([])
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed, 200)
  const [follows, setFollows] = useState(true)
  const [pausedAt, setPausedAt] = useState<number>()
  const logs = useLogs(config.id, { types, search })
  const wanted = sources.map((name) => SOURCES[name])

  const lines = useMemo(() => {
    const before = logs.data?.results.toReversed() ?? []
    const last = before.at(-1)?.id ?? 0
    const fresh = live.lines.filter((line) => line.id > last && matchesFilter(line, types, search))
    return [...before, ...fresh].filter(({ id }) => pausedAt === undefined || id <= pausedAt)
  }, [logs.data, live.lines, types, search, pausedAt])
  const shown = wanted.length > 0 ? lines.filter(({ source }) => wanted.includes(source)) : lines
  const togglePause = () =>
    setPausedAt(pausedAt === undefined ? (lines.at(-1)?.id ?? 0) : undefined)

  return (
    <Stack gap="sm">
      <Group gap="sm" align="center">
        <TextInput
          aria-label="Search logs"
          placeholder="Search logs"
          leftSection={<IconSearch size={16} />}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          flex="2 1 220px"
        />
        <MultiSelect
          aria-label="Levels"
          placeholder={types.length === 0 ? 'All levels' : undefined}
          data={LEVELS.map((level) => ({ value: level, label: level.toLowerCase() }))}
          value={types}
          onChange={(next) => setTypes(next as LogEntry['type'][])}
          clearable
          flex="1 1 160px"
          maw={{ sm: 220 }}
        />
        <MultiSelect
          aria-label="Sources"
          placeholder={sources.length === 0 ? 'All sources' : undefined}
          data={Object.keys(SOURCES)}
          value={sources}
          onChange={setSources}
          clearable
          flex="1 1 160px"
          maw={{ sm: 220 }}
        />
      </Group>
      <Group gap="sm" justify="space-between">
        <Group gap="sm">
          <ConnectionBadge live={live} isPaused={pausedAt !== undefined} />
          <Switch
            label="Follow"
            checked={follows}
            onChange={({ currentTarget }) => setFollows(currentTarget.checked)}
          />
        </Group>
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            leftSection={
              pausedAt === undefined ? <IconPlayerPause size={14} /> : <IconPlayerPlay size={14} />
            }
            onClick={togglePause}
          >
            {pausedAt === undefined ? 'Pause' : 'Resume'}
          </Button>
          <CopyText label="Copy logs" value={shown.map(toLogText).join('\n')} />
        </Group>
      </Group>
      <QueryContent query={logs}>
        {() =>
          shown.length === 0 ? (
            <NoLines isFiltered={search !== '' || types.length > 0 || sources.length > 0} />
          ) : (
            <Lines lines={shown} follows={follows} />
          )
        }
      </QueryContent>
    </Stack>
  )
}

const matchesFilter = (
  line: LogEntry,
  types: readonly LogEntry['type'][],
  search: string,
): boolean =>
  (types.length === 0 || types.includes(line.type)) &&
  line.message.toLowerCase().includes(search.toLowerCase())

const NoLines = ({ isFiltered }: { readonly isFiltered: boolean }) => (
  <EmptyState icon={IconListDetails} title={isFiltered ? 'No lines found' : 'No logs yet'}>
    {isFiltered ? 'No log lines match these filters.' : 'Log lines appear here while the app runs.'}
  </EmptyState>
)

const CONNECTIONS = {
  connecting: { status: 'neutral', label: 'Connecting' },
  live: { status: 'success', label: 'Live' },
  broken: { status: 'warning', label: 'Reconnecting' },
} as const

function ConnectionBadge({
  live,
  isPaused,
}: {
  readonly live: LiveUpdates
  readonly isPaused: boolean
}) {
  const { status, label } = isPaused
    ? { status: 'neutral' as const, label: 'Paused' }
    : CONNECTIONS[live.connection]
  return (
    <Badge color={STATUS_COLORS[status]} variant="dot">
      {label}
    </Badge>
  )
}

function Lines({
  lines,
  follows,
}: {
  readonly lines: readonly LogEntry[]
  readonly follows: boolean
}) {
  const box = useRef<HTMLDivElement>(null)
  const last = lines.at(-1)?.id
  useLayoutEffect(() => {
    if (follows && last !== undefined) box.current?.scrollTo({ top: box.current.scrollHeight })
  }, [follows, last])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be focusable
    <div ref={box} className={classes.log} role="log" aria-label="Logs" tabIndex={0}>
      {lines.map((line) => (
        <LogRow key={line.id} line={line} />
      ))}
      <Text size="xs" c="dimmed" px="sm" pt="xs" ff="text">
        {pluralize(lines.length, 'line')}
      </Text>
    </div>
  )
}
