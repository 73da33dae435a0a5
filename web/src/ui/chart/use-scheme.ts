import { useComputedColorScheme } from '@mantine/core'
import type { Scheme } from '#model/chart.ts'

/** Light or dark, from the first render on: otherwise dark mode would draw every chart twice, first in light colors. */
export const useScheme = (): Scheme =>
  useComputedColorScheme('light', { getInitialValueInEffect: false })
