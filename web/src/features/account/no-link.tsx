import { Button, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { AccountFrame } from './frame.tsx'

/** Shown when a page that needs a link's token is opened without one. */
export function NoLink({
  title,
  children,
}: {
  readonly title: string
  readonly children: ReactNode
}) {
  return (
    <AccountFrame title={title}>
      <Stack>
        <Text>{children}</Text>
        <Button component="a" href="/sign-in" variant="default" fullWidth>
          Sign in instead
        </Button>
      </Stack>
    </AccountFrame>
  )
}
