import { Button, Group, Stack, Text } from '@mantine/core'
import { IconActivity } from '@tabler/icons-react'
import { useState } from 'react'
import type { Activity } from '../../../../src/features/activity/schema.ts'
import type { PipelineConfig } from '../../../../src/features/pipeline-configs/schema.ts'
import { Card } from '../../ui/card.tsx'
import { Empty, Shown } from '../../ui/states.tsx'
import { When } from '../../ui/when.tsx'
import { toSentence } from './activity-words.ts'
import { useActivity } from './api.ts'
import classes from './apps.module.css'

const AT_A_TIME = 50

export function ActivityTab({ config }: { readonly config: PipelineConfig }) {
  const [limit, setLimit] = useState(AT_A_TIME)
  const activity = useActivity(config.id, limit)
  return (
    <Shown of={activity}>
      {({ count, results }) =>
        count === 0 ? (
          <Empty icon={IconActivity} title="Nothing happened yet">
            Whoever changes this app's settings, enables it or starts a job is written down here.
          </Empty>
        ) : (
          <Stack maw={720}>
            <Card>
              {results.map((entry) => (
                <Entry key={entry.id} entry={entry} />
              ))}
            </Card>
            {count > results.length && (
              <Button
                variant="default"
                loading={activity.isFetching}
                onClick={() => setLimit(limit + AT_A_TIME)}
              >
                Show more
              </Button>
            )}
          </Stack>
        )
      }
    </Shown>
  )
}

const Entry = ({ entry }: { readonly entry: Activity }) => (
  <Group className={classes.run} justify="space-between" align="flex-start" gap="xs">
    <Text size="sm" className={classes.wrapped} flex={1} miw={200}>
      <b>{entry.user.first_name || entry.user.email || 'Somebody'}</b> {toSentence(entry)}
    </Text>
    <When time={entry.created_at} size="xs" c="dimmed" />
  </Group>
)
