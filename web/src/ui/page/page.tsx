import { Box, Group, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'

interface PageProps {
  readonly title: string
  /** The browser tab's title, if it differs. */
  readonly documentTitle?: string
  /** One sentence below the title. */
  readonly about?: ReactNode
  readonly actions?: ReactNode
  /** Narrow suits forms and prose. */
  readonly width?: 'narrow' | 'wide' | 'full'
  readonly children: ReactNode
}

/** On very wide screens a list takes 70% of the width. */
export const WIDE = 'max(1200px, 70%)'

const WIDTHS = { narrow: 720, wide: WIDE, full: undefined }

export function Page(props: PageProps) {
  const { title, documentTitle = title, about, actions, width = 'wide', children } = props
  useDocumentTitle(`${documentTitle} · Hedgerow`)
  return (
    <Box maw={WIDTHS[width]} mx="auto">
      <Group justify="space-between" align="flex-start" mb="md" gap="sm">
        <Box flex={1} miw={200}>
          <Title order={1}>{title}</Title>
          {about && (
            <Text c="dimmed" mt={4}>
              {about}
            </Text>
          )}
        </Box>
        {actions && (
          <Group gap="xs" className="no-print">
            {actions}
          </Group>
        )}
      </Group>
      {children}
    </Box>
  )
}
