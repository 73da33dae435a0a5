import { Button, Stack, Text } from '@mantine/core'
import { IconSparkles } from '@tabler/icons-react'
import { Problem } from '../../ui/states.tsx'
import { useDemo } from './demo.ts'
import { Frame } from './frame.tsx'

/** The last step of the set-up: something to look at, in one click. */
export function FirstData() {
  const demo = useDemo()
  return (
    <Frame
      title="See it live?"
      about="Demo data is a believable product's events of the last 90 days. It can be deleted again."
    >
      <Stack>
        {demo.error && <Problem error={demo.error} />}
        <Button
          leftSection={<IconSparkles size={16} />}
          loading={demo.isPending || demo.isSuccess}
          fullWidth
          onClick={() => demo.mutate(undefined, { onSuccess: (path) => location.assign(path) })}
        >
          Load demo data and open a dashboard
        </Button>
        <Button component="a" href="/" variant="default" fullWidth disabled={demo.isPending}>
          Start empty
        </Button>
        <Text size="xs" c="dimmed">
          Demo data is an import app like any other: it is listed under “Import apps”.
        </Text>
      </Stack>
    </Frame>
  )
}
