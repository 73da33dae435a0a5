import { Button, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Frame } from './frame.tsx'

/** A page that only a link leads to, opened without what stands in the link. */
export function NoLink({
  title,
  children,
}: {
  readonly title: string
  readonly children: ReactNode
}) {
  return (
    <Frame title={title}>
      <Stack>
        <Text>{children}</Text>
        <Button component="a" href="/sign-in" variant="default" fullWidth>
          Sign in instead
        </Button>
      </Stack>
    </Frame>
  )
}
