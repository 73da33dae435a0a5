import { Anchor, Center, Stack, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { Card } from '../../ui/page/card.tsx'

interface FrameProps {
  readonly title: string
  readonly about?: ReactNode
  readonly children: ReactNode
}

/** Centered card for pages without the shell, such as sign-in. */
export function AccountFrame({ title, about, children }: FrameProps) {
  useDocumentTitle(`${title} · Hedgerow`)
  return (
    <Center component="main" mih="100dvh" p="md">
      <Stack w="100%" maw={400} gap="lg">
        <Stack gap="xs" align="center">
          <img src="/favicon.svg" width={44} height={44} alt="Hedgerow" />
          <Title order={1}>{title}</Title>
          {about && (
            <Text c="dimmed" ta="center">
              {about}
            </Text>
          )}
        </Stack>
        <Card p="lg">{children}</Card>
        <Text size="xs" c="dimmed" ta="center">
          <Anchor href="/docs" inherit>
            Documentation
          </Anchor>
        </Text>
      </Stack>
    </Center>
  )
}
