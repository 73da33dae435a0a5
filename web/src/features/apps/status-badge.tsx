import { Badge, Group, Text, Tooltip } from '@mantine/core'
import { When } from '../../ui/time-ago.tsx'
import classes from './apps.module.css'
import type { ConfigStatus } from './status.ts'

/** Status label with color, reason and time. */
export function StatusBadge({ state: { tone, label, reason, since } }: { readonly state: ConfigStatus }) {
  return (
    <Group className={classes.state} gap="xs" wrap="nowrap" miw={0}>
      <Tooltip label={reason} disabled={!reason} multiline maw={360}>
        <Badge color={tone === 'green' ? 'hedge' : tone} flex="none">
          {label}
        </Badge>
      </Tooltip>
      {since && <When time={since} size="xs" c="dimmed" flex="none" />}
      {reason && (
        <Text size="xs" c="dimmed" truncate title={reason}>
          {reason}
        </Text>
      )}
    </Group>
  )
}
