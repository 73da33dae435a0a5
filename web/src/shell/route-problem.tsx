import { Box } from '@mantine/core'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { ApiError } from '../api/client.ts'
import { ErrorAlert } from '../ui/states.tsx'
import { NotFound } from './not-found.tsx'

export function RouteProblem({ error }: ErrorComponentProps) {
  const router = useRouter()
  if (error instanceof ApiError && error.status === 404) return <NotFound />
  return (
    <Box p="lg" maw={720} mx="auto">
      <ErrorAlert error={error as Error} onRetry={() => void router.invalidate()} />
    </Box>
  )
}
