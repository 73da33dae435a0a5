import { Text } from '@mantine/core'
import { useState } from 'react'
import { toCountryName } from '#model/countries.ts'
import { toLabel } from '#model/format.ts'
import { toValueLabel } from '#model/names/event-label.ts'
import type { PropertyFilter } from '#model/query-kinds/common.schema.ts'
import type { TableResult } from '#model/query-results.ts'
import type { WebBreakdown } from '#model/web-breakdowns.ts'
import type { NowAndBefore } from '#model/web-figures.ts'
import { Choice } from '../../ui/form/choice.tsx'
import { WebCard } from './card.tsx'
import { nameBreakdown, toBreakdown, toFilter } from './queries.ts'
import { RankedList, type RankedRow } from './ranked-list.tsx'
import { CARDS, type CardName, type VisitFilters } from './search.ts'
import classes from './web.module.css'

const TITLES: Readonly<Record<CardName, string>> = {
  sources: 'Sources',
  pages: 'Pages',
  places: 'Places',
  devices: 'Devices',
}
const FEW = 10
const MANY = 100

interface BreakdownCardProps {
  readonly card: CardName
  readonly breakdown: WebBreakdown
  readonly filters: VisitFilters
  readonly onChoose: (breakdown: WebBreakdown) => void
  /** Adds the filter of a clicked row, or removes it. */
  readonly onToggle: (filter: PropertyFilter) => void
}

/** Visitors by one of several properties. */
export function BreakdownCard({
  card,
  breakdown,
  filters,
  onChoose,
  onToggle,
}: BreakdownCardProps) {
  const [limit, setLimit] = useState(FEW)
  const title = TITLES[card]
  const name = nameBreakdown(breakdown)
  return (
    <WebCard
      title={title}
      query={toBreakdown(filters, breakdown, limit)}
      onMore={() => setLimit(MANY)}
      choice={
        <Choice
          size="xs"
          className={classes.choice ?? ''}
          aria-label={`${title} by`}
          data={CARDS[card].map((value) => ({ value, label: nameBreakdown(value) }))}
          value={breakdown}
          onChange={(chosen) => {
            setLimit(FEW)
            onChoose(chosen)
          }}
        />
      }
    >
      {(result) => {
        const rows = toRows(result, { breakdown, filters, onToggle })
        return rows.length > 0 ? (
          <RankedList label={title} columns={[name, 'Visitors', 'Views']} rows={rows} />
        ) : (
          <Text c="dimmed" p="md">
            No visits in these dates.
          </Text>
        )
      }}
    </WebCard>
  )
}

type Row = readonly [value: string | null, visitors: NowAndBefore, views: NowAndBefore]

function toRows(
  { results }: TableResult,
  { breakdown, filters, onToggle }: Pick<BreakdownCardProps, 'breakdown' | 'filters' | 'onToggle'>,
): RankedRow[] {
  const rows = results as unknown as readonly Row[]
  const most = Math.max(1, ...rows.map(([, [visitors]]) => visitors ?? 0))
  return rows.map(([value, visitors, views]) => {
    const filter = toFilter(breakdown, value)
    return {
      key: String(value),
      label: nameValue(breakdown, value),
      share: (visitors[0] ?? 0) / most,
      cells: [{ value: visitors[0], before: visitors[1] }, { value: views[0] }],
      isChosen: (filters.properties ?? []).some((each) => isSame(each, filter)),
      onClick: () => onToggle(filter),
    }
  })
}

function nameValue(breakdown: WebBreakdown, value: string | null): string {
  if (value === null) return '(none)'
  return breakdown === 'Country' && /^[A-Z]{2}$/.test(value)
    ? toCountryName(value)
    : toLabel(toValueLabel(value))
}

/** Tells whether two filters name the same values of a property. */
export const isSame = (one: PropertyFilter, other: PropertyFilter): boolean =>
  one.type === other.type &&
  one.key === other.key &&
  one.operator === other.operator &&
  JSON.stringify(one.value) === JSON.stringify(other.value)
