import { Button, Progress, Stack, Text } from '@mantine/core'
import { IconSparkles } from '@tabler/icons-react'
import type { Run } from '#server/features/import-apps/runs/schema.ts'
import { ErrorAlert } from '../../ui/page/states.tsx'
import { useDemo } from './demo.ts'
import { AccountFrame } from './frame.tsx'

/** Last step of the setup: sample data in one click. */
export function FirstData() {
  const { start, run, isPending, error } = useDemo()
  return (
    <AccountFrame
      title={isPending ? 'Loading demo data' : 'Load demo data?'}
      about="90 days of realistic sample events. You can remove them in one step."
    >
      <Stack>
        {error && <ErrorAlert error={error} />}
        {isPending ? (
          <ImportProgress run={run} />
        ) : (
          <>
            <Button leftSection={<IconSparkles size={16} />} fullWidth onClick={start}>
              {error ? 'Try again' : 'Load demo data'}
            </Button>
            <Button component="a" href="/" variant="default" fullWidth>
              Skip
            </Button>
            <Text size="xs" c="dimmed">
              Demo data is an import app. Remove it in the project's settings.
            </Text>
          </>
        )}
      </Stack>
    </AccountFrame>
  )
}

function ImportProgress({ run }: { readonly run: Run | undefined }) {
  const { done = 0, total = null } = run?.progress ?? {}
  const isLoaded = run?.state === 'succeeded'
  const percent = isLoaded ? 100 : total ? Math.floor((100 * done) / total) : 0
  return (
    <Stack gap="xs">
      <Progress.Root size="lg" radius="xl">
        <Progress.Section value={percent} aria-label="Import progress" animated={isLoaded} />
      </Progress.Root>
      <Text size="sm" c="dimmed" ta="center" role="status">
        {toStatus(run?.state, done, total)}
      </Text>
    </Stack>
  )
}

function toStatus(state: Run['state'] | undefined, done: number, total: number | null): string {
  if (state === 'succeeded') return 'Computing the dashboard…'
  if (state !== 'running' || !total) return 'Starting the import…'
  return `${done.toLocaleString('en')} of ${total.toLocaleString('en')} events`
}
