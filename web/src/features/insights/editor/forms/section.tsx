import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** A form has no state of its own; it edits the query. */
export interface FormProps<S> {
  readonly source: S
  readonly onChange: (source: S) => void
  /** Runs a query that people write; the others run after each change. */
  readonly onRun: (text: string) => void
  readonly isRunning: boolean
}

interface SectionProps {
  readonly title: string
  readonly about?: string
  readonly children: ReactNode
}

export function Section({ title, about, children }: SectionProps) {
  return (
    <Stack gap="xs">
      <div>
        <Text component="h2" size="sm" fw={600} m={0}>
          {title}
        </Text>
        {about && (
          <Text size="xs" c="dimmed">
            {about}
          </Text>
        )}
      </div>
      {children}
    </Stack>
  )
}
