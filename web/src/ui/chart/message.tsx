import { Center, Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** A message in place of a chart. */
export function ChartMessage({ children }: { readonly children: ReactNode }) {
  return (
    <Center h="100%" px="md">
      <Text c="dimmed" ta="center">
        {children}
      </Text>
    </Center>
  )
}
