import { Box, Button, Group, Text } from '@mantine/core'
import { IconArrowsSplit } from '@tabler/icons-react'
import { useState } from 'react'
import { Card } from '../../../ui/page/card.tsx'
import { CopyIcon } from '../../../ui/page/copy-button.tsx'
import type { Person } from '../api.ts'
import classes from '../persons.module.css'
import { SplitDialog } from './split-dialog.tsx'

/** The distinct IDs that were merged into a person. */
export function IdsTab({ person }: { readonly person: Person }) {
  const [isSplitting, setSplitting] = useState(false)
  const ids = person.distinct_ids
  return (
    <Box maw={860}>
      <Group justify="space-between" mb="xs" gap="sm">
        <Text size="sm" c="dimmed">
          {ids.length === 1
            ? 'All events of this person have this ID.'
            : 'Events with any of these IDs count for this person.'}
        </Text>
        {ids.length > 1 && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconArrowsSplit size={14} />}
            onClick={() => setSplitting(true)}
          >
            Split person…
          </Button>
        )}
      </Group>
      <Card p={0}>
        <ul className={classes.rows} aria-label="Distinct IDs">
          {ids.map((id) => (
            <li key={id}>
              <span>{id}</span>
              <CopyIcon label={`Copy ${id}`} value={id} />
            </li>
          ))}
        </ul>
      </Card>
      {isSplitting && <SplitDialog person={person} onClose={() => setSplitting(false)} />}
    </Box>
  )
}
