import { Alert, Box, Button, Stack, Text } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { ApiError } from '../api/client.ts'
import { ErrorAlert } from '../ui/page/states.tsx'
import { NotFound } from './not-found.tsx'

/** The messages of Chromium, Firefox and Safari when a file of the app cannot be loaded. */
const MISSING_CODE = /dynamically imported module|importing a module script failed|preload css/i

export function RouteProblem({ error }: ErrorComponentProps) {
  const router = useRouter()
  if (error instanceof ApiError && error.status === 404) return <NotFound />
  return (
    <Box p="lg" maw={720} mx="auto">
      {MISSING_CODE.test((error as Error).message) ? (
        <MissingCode />
      ) : (
        <ErrorAlert error={error as Error} onRetry={() => void router.invalidate()} />
      )}
    </Box>
  )
}

/** An update of the server replaces the files that an open page has not loaded yet. */
const MissingCode = () => (
  <Alert color="blue" icon={<IconRefresh size={18} />} title="Reload this page" role="alert">
    <Stack gap="sm" align="flex-start">
      <Text size="sm">
        {navigator.onLine
          ? "Hedgerow was updated, or the server can't be reached."
          : 'You are offline.'}
      </Text>
      <Button size="xs" variant="default" onClick={() => location.reload()}>
        Reload page
      </Button>
    </Stack>
  </Alert>
)
