import { Alert, Anchor, Badge, Code } from '@mantine/core'
import { IconAlertTriangle, IconArchive } from '@tabler/icons-react'
import { pluralize } from '#model/pluralize.ts'
import type { ScheduledBackups } from '#server/features/backups/schema.ts'
import { Panel, PanelRow, PanelRows, PanelStack } from '../../../ui/page/panel.tsx'
import { EmptyState, QueryContent } from '../../../ui/page/states.tsx'
import { TimeAgo } from '../../../ui/page/time-ago.tsx'
import { useScheduledBackups } from './api.ts'

export function BackupsSection() {
  const backups = useScheduledBackups()
  return (
    <PanelStack>
      <Panel
        title="Backups"
        about="Scheduled backups of everything on this server, in one file each."
        isFlush
      >
        <QueryContent query={backups}>{(state) => <Backups {...state} />}</QueryContent>
      </Panel>
    </PanelStack>
  )
}

function Backups({ schedule, last_backup, last_failure, is_running, is_late }: ScheduledBackups) {
  if (!schedule && !last_backup) return <NotScheduled />
  const isBroken = last_failure && last_failure.failed_at > (last_backup?.created_at ?? '')
  return (
    <>
      {is_late && <TooOld />}
      <PanelRows>
        <PanelRow
          title={<>Last backup {is_running && <Badge ml={6}>running now</Badge>}</>}
          about={last_backup ? <LastBackup {...last_backup} /> : 'None yet.'}
        />
        {last_failure && (
          <PanelRow
            title={isBroken ? 'The last attempt failed' : 'Last failure'}
            about={
              <>
                <TimeAgo time={last_failure.failed_at} />: {last_failure.problem}
              </>
            }
          />
        )}
        <PanelRow
          title="Schedule"
          about={
            schedule
              ? `Every ${toInterval(schedule.interval_seconds)} into ${schedule.folder}, the newest ${schedule.keep} are kept.`
              : 'This server makes no backups.'
          }
        />
      </PanelRows>
    </>
  )
}

const LastBackup = ({
  created_at,
  file,
  bytes,
  events,
  duration_ms,
}: NonNullable<ScheduledBackups['last_backup']>) => (
  <>
    <TimeAgo time={created_at} /> · {file} · {toSize(bytes)} · {pluralize(events, 'event')} ·{' '}
    {pluralize(Math.ceil(duration_ms / 1000), 'second')}
  </>
)

const TooOld = () => (
  <Alert
    color="red"
    variant="light"
    radius={0}
    icon={<IconAlertTriangle size={18} />}
    title="The last backup is too old"
    role="alert"
  >
    Run <Code>hedgerow doctor</Code> on the server to find out why.
  </Alert>
)

const NotScheduled = () => (
  <EmptyState icon={IconArchive} title="No backups scheduled">
    Set <Code>HEDGEROW_BACKUP_FOLDER</Code> on the server, then restart it. See{' '}
    <Anchor href="/docs/operating#backups" underline="always">
      Backups
    </Anchor>
    .
  </EmptyState>
)

function toInterval(seconds: number): string {
  if (seconds % 86_400 === 0) return pluralize(seconds / 86_400, 'day')
  if (seconds % 3600 === 0) return pluralize(seconds / 3600, 'hour')
  return pluralize(Math.round(seconds / 60), 'minute')
}

const toSize = (bytes: number): string =>
  bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`
