import { Group, Kbd, Stack, Text } from '@mantine/core'
import { loadModals } from '../ui/dialog/on-demand.tsx'
import { PAGES } from './navigation.tsx'

const SHORTCUTS = [
  ['Ctrl K', 'Search or jump to…'],
  ['/', 'Search the list'],
  ['N', 'Create a new item in a list'],
  ['?', 'Show keyboard shortcuts'],
  ['Ctrl Z', 'Undo on a dashboard'],
  ['Ctrl Shift Z', 'Redo on a dashboard'],
  ['F', 'Full screen on a dashboard'],
] as const

export async function openShortcuts(): Promise<void> {
  const { openModal } = await loadModals()
  await openModal({
    title: 'Keyboard shortcuts',
    children: (
      <Stack gap="xs">
        {PAGES.map(({ label, key }) => (
          <Row key={key} keys={`G ${key.toUpperCase()}`} label={`Go to ${label.toLowerCase()}`} />
        ))}
        {SHORTCUTS.map(([keys, label]) => (
          <Row key={keys} keys={keys} label={label} />
        ))}
      </Stack>
    ),
  })
}

function Row({ keys, label }: { readonly keys: string; readonly label: string }) {
  return (
    <Group justify="space-between">
      <Text size="sm">{label}</Text>
      <Group gap={4}>
        {keys.split(' ').map((key) => (
          <Kbd key={key} size="sm">
            {key}
          </Kbd>
        ))}
      </Group>
    </Group>
  )
}
