import {
  Alert,
  Button,
  Center,
  type MantineSpacing,
  Skeleton,
  Stack,
  Text,
  Title,
} from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ComponentType, ReactNode } from 'react'

/** Placeholder lines that keep the layout stable while content loads. */
export function Loading({
  lines = 6,
  p = 0,
}: {
  readonly lines?: number
  readonly p?: MantineSpacing
}) {
  return (
    <Stack gap="sm" p={p} role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are identical
        <Skeleton key={index} height={18} width={`${95 - ((index * 17) % 40)}%`} />
      ))}
    </Stack>
  )
}

interface EmptyProps {
  readonly icon: ComponentType<{ size?: number; stroke?: number }>
  readonly title: string
  /** Says what belongs here and how to add it. */
  readonly children: ReactNode
  readonly action?: ReactNode
}

export function EmptyState({ icon: Icon, title, children, action }: EmptyProps) {
  return (
    <Center py={64} px="md">
      <Stack align="center" gap="sm" maw={420} ta="center">
        <Text c="dimmed" lh={0} aria-hidden>
          <Icon size={40} stroke={1.3} />
        </Text>
        <Title order={2}>{title}</Title>
        <Text c="dimmed">{children}</Text>
        {action}
      </Stack>
    </Center>
  )
}

/** Shows an error message, with a retry button if there is something to retry. */
export function ErrorAlert({
  error,
  title = 'Something went wrong',
  onRetry,
}: {
  readonly error: Error
  readonly title?: string | undefined
  readonly onRetry?: () => void
}) {
  return (
    <Alert
      color="red"
      variant="light"
      icon={<IconAlertTriangle size={18} />}
      title={title}
      role="alert"
    >
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{error.message}</Text>
        {onRetry && (
          <Button size="xs" variant="default" onClick={onRetry}>
            Try again
          </Button>
        )}
      </Stack>
    </Alert>
  )
}

interface QueryState<T> {
  readonly data: T | undefined
  readonly error: Error | null
  readonly refetch: () => unknown
}

/** Renders a query's loading, error or data state. */
export function QueryContent<T>({
  query: { data, error, refetch },
  loading = <Loading />,
  children,
}: {
  readonly query: QueryState<T>
  readonly loading?: ReactNode
  readonly children: (data: T) => ReactNode
}) {
  if (data !== undefined) return children(data)
  if (error) return <ErrorAlert error={error} onRetry={() => void refetch()} />
  return loading
}
