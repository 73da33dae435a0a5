import { ActionIcon, Group, Text } from '@mantine/core'
import { IconEye, IconEyeOff } from '@tabler/icons-react'
import { listOf } from '#model/json.ts'
import { paletteOf } from '#model/palette.ts'
import type { TrendSeries } from '#model/query-results.ts'
import { findCustomization, lookOf, toSeriesKey } from '#model/series-look.ts'
import { type NamedSeries, nameSeries } from '#model/series-names.ts'
import { useScheme } from '../../../../ui/chart/use-scheme.ts'
import classes from '../editor.module.css'
import { Section } from '../forms/section.tsx'
import { isOverTime } from './axis-settings.tsx'
import { ColorChoice } from './color-choice.tsx'
import type { SettingsProps } from './settings.ts'

interface SeriesSettingsProps extends SettingsProps {
  readonly result: unknown
}

const MAX_SERIES = 25

/** The color of each series, and whether the chart shows it at first. */
export function SeriesSettings({ result, settings, set, display }: SeriesSettingsProps) {
  const palette = paletteOf(useScheme())
  const named = nameSeries(listOf<TrendSeries>(result))
  const current = named.filter(({ isPrevious }) => !isPrevious).slice(0, MAX_SERIES)
  const isShown = isOverTime(display) || display?.form === 'pie' || display?.form === 'totals'
  if (!isShown || current.length === 0) return null
  const look = lookOf(named, palette, settings)
  const customize = (one: NamedSeries, changed: Customization) => {
    const at = one.index ?? 0
    const byPosition = settings.resultCustomizationBy === 'position'
    const key = byPosition ? String(at) : toSeriesKey(one.series, at)
    const now = findCustomization(one.series, at, settings)
    set({
      resultCustomizations: {
        ...settings.resultCustomizations,
        [key]: { assignmentBy: byPosition ? 'position' : 'value', ...now, ...changed },
      },
    })
  }
  return (
    <Section title="Series">
      {current.map((one) => {
        const isHidden = findCustomization(one.series, one.index ?? 0, settings)?.hidden ?? false
        return (
          <Group key={one.name} gap={8} wrap="nowrap">
            <ColorChoice
              label={`Color of ${one.name}`}
              color={look.colorOf(one)}
              colors={palette.series.map((color, at) => ({ color, name: `Color ${at + 1}` }))}
              onChoose={(at) => customize(one, { color: `preset-${at + 1}` })}
            />
            <Text size="sm" truncate className={classes.wide ?? ''}>
              {one.name}
            </Text>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`${isHidden ? 'Show' : 'Hide'} ${one.name}`}
              onClick={() => customize(one, { hidden: !isHidden })}
            >
              {isHidden ? <IconEyeOff size={16} /> : <IconEye size={16} />}
            </ActionIcon>
          </Group>
        )
      })}
    </Section>
  )
}

interface Customization {
  readonly color?: string
  readonly hidden?: boolean
}
