import { Alert, Button, Center, Skeleton, Stack, Text, Title } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ComponentType, ReactNode } from 'react'

/** Grey lines where text will be: nothing jumps when it comes. */
export function Loading({ lines = 6 }: { readonly lines?: number }) {
  return (
    <Stack gap="sm" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <Skeleton key={index} height={18} width={`${95 - ((index * 17) % 40)}%`} />
      ))}
    </Stack>
  )
}

interface EmptyProps {
  readonly icon: ComponentType<{ size?: number; stroke?: number }>
  readonly title: string
  /** What it would be good for, and how to get there. */
  readonly children: ReactNode
  readonly action?: ReactNode
}

export function Empty({ icon: Icon, title, children, action }: EmptyProps) {
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

/** What went wrong, in the server's words, and a way to try again. */
export function Problem({
  error,
  onRetry,
}: {
  readonly error: Error
  readonly onRetry?: () => void
}) {
  return (
    <Alert
      color="red"
      variant="light"
      icon={<IconAlertTriangle size={18} />}
      title="That did not work"
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

interface Asked<T> {
  readonly data: T | undefined
  readonly error: Error | null
  readonly refetch: () => unknown
}

/** Waits, refuses or shows: what every page does with what it asked for. */
export function Shown<T>({
  of: { data, error, refetch },
  waiting = <Loading />,
  children,
}: {
  readonly of: Asked<T>
  readonly waiting?: ReactNode
  readonly children: (data: T) => ReactNode
}) {
  if (data !== undefined) return children(data)
  if (error) return <Problem error={error} onRetry={() => void refetch()} />
  return waiting
}
