import { Badge, Group, Text, Tooltip } from '@mantine/core'
import { STATUS_COLORS } from '../../ui/page/status-color.ts'
import { TimeAgo } from '../../ui/page/time-ago.tsx'
import classes from './apps.module.css'
import type { ConfigStatus } from './status.ts'

/** Status label with color, reason and time. */
export function StatusBadge({
  status: { status, label, reason, since },
}: {
  readonly status: ConfigStatus
}) {
  return (
    <Group className={classes.state} gap="xs" wrap="nowrap" miw={0}>
      <Tooltip label={reason} disabled={!reason} multiline maw={360}>
        <Badge color={STATUS_COLORS[status]} flex="none">
          {label}
        </Badge>
      </Tooltip>
      {since && (
        <Text size="xs" c="dimmed" flex="none">
          <TimeAgo time={since} />
        </Text>
      )}
      {reason && (
        <Text size="xs" c="dimmed" truncate title={reason}>
          {reason}
        </Text>
      )}
    </Group>
  )
}
