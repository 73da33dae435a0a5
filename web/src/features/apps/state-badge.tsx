import { Badge, Group, Text, Tooltip } from '@mantine/core'
import { When } from '../../ui/when.tsx'
import classes from './apps.module.css'
import type { State } from './config-info.ts'

/** In words, with a colour to find it by. */
export function StateBadge({ state: { tone, words, why, since } }: { readonly state: State }) {
  return (
    <Group className={classes.state} gap="xs" wrap="nowrap" miw={0}>
      <Tooltip label={why} disabled={!why} multiline maw={360}>
        <Badge color={tone === 'green' ? 'hedge' : tone} flex="none">
          {words}
        </Badge>
      </Tooltip>
      {since && <When time={since} size="xs" c="dimmed" flex="none" />}
      {why && (
        <Text size="xs" c="dimmed" truncate title={why}>
          {why}
        </Text>
      )}
    </Group>
  )
}
