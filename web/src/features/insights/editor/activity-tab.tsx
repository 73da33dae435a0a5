import { Group, Stack, Text } from '@mantine/core'
import { Shown } from '../../../ui/states.tsx'
import { When } from '../../../ui/when.tsx'
import { useInsightActivity } from './api.ts'

/** Who changed what, newest first. */
export function ActivityTab({ shortId }: { readonly shortId: string }) {
  const activity = useInsightActivity(shortId)
  return (
    <Shown of={activity}>
      {({ results }) => (
        <Stack gap="xs">
          {results.map(({ id, user, activity: what, detail, created_at }) => (
            <Group key={id} gap="xs">
              <Text size="sm" fw={500}>
                {user.first_name || user.email || 'Somebody'}
              </Text>
              <Text size="sm">
                {what}
                {detail.changes?.length
                  ? `: ${detail.changes.map(({ field }) => field).join(', ')}`
                  : ''}
              </Text>
              <When size="sm" c="dimmed" time={created_at} />
            </Group>
          ))}
          {results.length === 0 && <Text c="dimmed">Nothing has happened yet.</Text>}
        </Stack>
      )}
    </Shown>
  )
}
