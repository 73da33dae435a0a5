import { Alert, Button, Group, Text } from '@mantine/core'
import { useRemoveDemo } from './use-remove-demo.ts'

/** Says that the numbers are not real, and removes them. */
export function DemoBanner() {
  const { remove, isRemoving } = useRemoveDemo()
  return (
    <Alert color="gray" variant="light" py="xs">
      <Group justify="space-between" gap="xs">
        <Text size="sm">This project contains demo data.</Text>
        <Button size="compact-sm" variant="default" loading={isRemoving} onClick={remove}>
          Remove demo data
        </Button>
      </Group>
    </Alert>
  )
}
