import { Button, Group, Text } from '@mantine/core'
import { useRemoveDemo } from './use-remove-demo.ts'

export function RemoveDemo() {
  const { remove, isRemoving } = useRemoveDemo()
  return (
    <Group justify="space-between">
      <Text size="sm" flex={1} miw={220}>
        Delete the Demo data app with its events, persons and groups, its alert and subscription.
        Its dashboards, insights, annotation, cohort and action move to the trash.
      </Text>
      <Button color="red" variant="outline" loading={isRemoving} onClick={remove}>
        Remove demo data…
      </Button>
    </Group>
  )
}
