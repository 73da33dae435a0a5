import { Center, Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** Words where there is nothing to draw. */
export function ChartMessage({ children }: { readonly children: ReactNode }) {
  return (
    <Center h="100%" px="md">
      <Text c="dimmed" ta="center">
        {children}
      </Text>
    </Center>
  )
}
