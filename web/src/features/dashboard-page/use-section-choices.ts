import { readLocalStorageValue, useLocalStorage } from '@mantine/hooks'
import { useCallback } from 'react'
import type { Section } from '#model/grid.ts'
import type { SectionChoices } from '#model/sections.ts'
import type { Tile } from '#server/features/dashboards/tiles/schema.ts'

const NONE: SectionChoices = {}
const toKey = (dashboardId: number): string => `hedgerow-sections-${dashboardId}`

/** Reads the choices before the page is rendered. */
export const readSectionChoices = (dashboardId: number): SectionChoices =>
  readLocalStorageValue({ key: toKey(dashboardId), defaultValue: NONE })

/** Returns the sections that the viewer has opened or folded in this browser. */
export function useSectionChoices(dashboardId: number) {
  const [choices, save] = useLocalStorage<SectionChoices>({
    key: toKey(dashboardId),
    defaultValue: NONE,
    getInitialValueInEffect: false,
  })
  /** A choice that equals the default is forgotten, so that later defaults apply. */
  const choose = useCallback(
    ({ id, section }: Pick<Tile, 'id' | 'section'>, choice: Section) =>
      save(({ [id]: _, ...others }) => (choice === section ? others : { ...others, [id]: choice })),
    [save],
  )
  return { choices, choose }
}
