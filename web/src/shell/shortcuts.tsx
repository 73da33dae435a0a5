import { Group, Kbd, Stack, Text } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { useProjectId } from '../api/project.ts'
import { loadModals } from '../ui/on-demand.tsx'
import { PLACES } from './navigation.tsx'

const OTHERS = [
  ['Ctrl K', 'Search, or jump to anything'],
  ['/', 'Search in a list'],
  ['N', 'Make a new one, in a list'],
  ['?', 'This help'],
  ['Ctrl Z', 'Undo, on a dashboard'],
  ['Ctrl Shift Z', 'Redo, on a dashboard'],
  ['F', 'Full screen, on a dashboard'],
] as const

export async function openShortcuts(): Promise<void> {
  const { openModal } = await loadModals()
  await openModal({
    title: 'Keyboard shortcuts',
    children: (
      <Stack gap="xs">
        {PLACES.map(({ label, key }) => (
          <Row key={key} keys={`G ${key.toUpperCase()}`} label={`Go to ${label.toLowerCase()}`} />
        ))}
        {OTHERS.map(([keys, label]) => (
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

/** How long after `g` the second key counts. */
const CHORD_MS = 1500

export function Shortcuts() {
  const projectId = `${useProjectId()}`
  const navigate = useNavigate()
  const startedAt = useRef(Number.NEGATIVE_INFINITY)
  useHotkeys([
    ['?', () => void openShortcuts()], // where it has a key of its own
    ['shift+?', () => void openShortcuts()],
    [
      'g',
      () => {
        startedAt.current = performance.now()
      },
    ],
    ...PLACES.map(({ to, key }): [string, () => void] => [
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
