import { useHotkeys } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { useProjectId } from '../api/project.ts'
import { usePages } from './navigation.tsx'

const openShortcuts = async () => (await import('./shortcuts-dialog.tsx')).openShortcuts()

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
    ...usePages().map(({ to, key }): [string, () => void] => [
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
