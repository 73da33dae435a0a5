import { Button, Stack, Text } from '@mantine/core'
import { IconSparkles } from '@tabler/icons-react'
import { ErrorAlert } from '../../ui/states.tsx'
import { useDemo } from './demo.ts'
import { AccountFrame } from './frame.tsx'

/** Last step of the setup: sample data in one click. */
export function FirstData() {
  const demo = useDemo()
  return (
    <AccountFrame
      title="Load demo data?"
      about="90 days of realistic sample events. You can delete them later."
    >
      <Stack>
        {demo.error && <ErrorAlert error={demo.error} />}
        <Button
          leftSection={<IconSparkles size={16} />}
          loading={demo.isPending || demo.isSuccess}
          fullWidth
          onClick={() => demo.mutate(undefined, { onSuccess: (path) => location.assign(path) })}
        >
          Load demo data
        </Button>
        <Button component="a" href="/" variant="default" fullWidth disabled={demo.isPending}>
          Skip
        </Button>
        <Text size="xs" c="dimmed">
          Demo data is an import app. Find it under “Import apps”.
        </Text>
      </Stack>
    </AccountFrame>
  )
}
