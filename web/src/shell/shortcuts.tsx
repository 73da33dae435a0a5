import { Group, Kbd, Stack, Text } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { useProjectId } from '../api/project.ts'
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

/** Maximum time between `g` and the second key. */
const CHORD_MS = 1500

export function Shortcuts() {
  const projectId = `${useProjectId()}`
  const navigate = useNavigate()
  const startedAt = useRef(Number.NEGATIVE_INFINITY)
  useHotkeys([
    ['?', () => void openShortcuts()], // layouts where `?` needs no Shift
    ['shift+?', () => void openShortcuts()],
    [
      'g',
      () => {
        startedAt.current = performance.now()
      },
    ],
    ...PAGES.map(({ to, key }): [string, () => void] => [
      key,
      () => {
        if (performance.now() - startedAt.current > CHORD_MS) return
        startedAt.current = Number.NEGATIVE_INFINITY
        void navigate({ to, params: { projectId } })
      },
    ]),
  ])
  return null
}
