import { Alert, Button, Group, Text } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { useProjectId } from '../../api/project.ts'
import { useRemoveDemo } from './use-remove-demo.ts'

/** Says that the numbers are not real, and removes them. Can be closed for this browser. */
export function DemoBanner() {
  const { remove, isRemoving } = useRemoveDemo()
  const [isClosed, setClosed] = useLocalStorage({
    key: `hedgerow-demo-banner-closed-${useProjectId()}`,
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  if (isClosed) return null
  return (
    <Alert
      color="gray"
      variant="light"
      py="xs"
      withCloseButton
      styles={{ wrapper: { alignItems: 'center' } }}
      closeButtonLabel="Close"
      onClose={() => setClosed(true)}
    >
      <Group justify="space-between" gap="xs">
        <Text size="sm">This project contains demo data.</Text>
        <Button size="compact-sm" variant="default" loading={isRemoving} onClick={remove}>
          Remove demo data
        </Button>
      </Group>
    </Alert>
  )
}
