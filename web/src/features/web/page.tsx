import { Checkbox, Skeleton, Stack } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { PropertyFilter } from '#model/query-kinds/common.schema.ts'
import type { WebFigure } from '#model/web-figures.ts'
import { DateRangePicker } from '../../ui/form/date-range-picker.tsx'
import { FilterBar } from '../../ui/list/filter-bar.tsx'
import { NoMatches } from '../../ui/list/no-matches.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Page } from '../../ui/page/page.tsx'
import { QueryContent } from '../../ui/page/states.tsx'
import { AddFilter } from '../properties/add-filter.tsx'
import { FilterForm } from '../properties/filter-form.tsx'
import { FilterPills } from '../properties/filter-pills.tsx'
import type { SavedFilter } from '../properties/filters-model.ts'
import { useWebQuery } from './api.ts'
import { BreakdownCard, isSame } from './breakdown-card.tsx'
import { Figures } from './figures.tsx'
import { GoalsCard } from './goals-card.tsx'
import { LiveVisitors } from './live-visitors.tsx'
import { NoVisits } from './no-visits.tsx'
import { datesOf, toOverview } from './queries.ts'
import { SaveDashboard } from './save-dashboard.tsx'
import { type CardName, chosenOf, type WebSearch } from './search.ts'
import { useGoals } from './use-goals.ts'
import { VisitsChart } from './visits-chart.tsx'
import classes from './web.module.css'

/** Lists of any length lie below each other without gaps. The goals end the last column. */
const COLUMNS = [
  ['sources', 'places'],
  ['pages', 'devices'],
] as const satisfies readonly (readonly CardName[])[]

const route = getRouteApi('/project/$projectId/web')

/** Visits of a website: how many, from where, of which pages, and what visitors did. */
export function WebPage() {
  const search = route.useSearch()
  const { date_from, date_to, compare, properties, figure = 'visitors' } = search
  const filters = { date_from, date_to, compare, properties }
  const navigate = route.useNavigate()
  const change = (part: WebSearch) =>
    void navigate({ to: '/project/$projectId/web', search: { ...search, ...part } })
  const setProperties = (next: readonly SavedFilter[]) =>
    change({ properties: next.length > 0 ? next : undefined })
  const without = (removed: PropertyFilter) =>
    (properties ?? []).filter((each) => !isSame(each, removed))
  const toggle = (filter: PropertyFilter) => {
    const others = without(filter)
    const isOn = others.length < (properties ?? []).length
    setProperties(isOn ? others : [...others, filter])
  }
  const { goals, save: saveGoals } = useGoals(search.goals)
  const overview = useWebQuery(toOverview(filters))

  return (
    <Page
      title="Web"
      about="Visits of your site, and where they come from."
      width="full"
      actions={
        <>
          <LiveVisitors />
          <SaveDashboard search={search} goals={goals} />
        </>
      }
    >
      <FilterBar search={{ properties }} onClear={() => change({ properties: undefined })}>
        <DateRangePicker
          dates={datesOf(filters)}
          onChange={(dates) =>
            change({ date_from: dates.date_from ?? undefined, date_to: dates.date_to ?? undefined })
          }
        />
        <Checkbox
          size="xs"
          label="Compare with the previous period"
          checked={compare !== false}
          onChange={({ currentTarget }) =>
            change({ compare: currentTarget.checked ? undefined : false })
          }
        />
        <FilterPills
          filters={properties ?? []}
          onRemove={(filter) => setProperties(without(filter))}
        />
        <AddFilter Form={FilterForm} onAdd={toggle} />
      </FilterBar>
      <QueryContent query={overview} loading={<Skeleton h={320} />}>
        {({ results }) => {
          const figures = results as readonly WebFigure[]
          if (figures.every(({ value }) => !value)) {
            return properties ? (
              <NoMatches things="visits" onClear={() => change({ properties: undefined })} />
            ) : (
              <NoVisits />
            )
          }
          return (
            <>
              <Card p={0} mb="md">
                <div data-old={overview.isPlaceholderData || undefined} className={classes.result}>
                  <Figures
                    figures={figures}
                    charted={figure}
                    onChart={(charted) => change({ figure: charted })}
                  />
                </div>
                <VisitsChart filters={filters} figure={figure} />
              </Card>
              <div className={classes.columns}>
                {COLUMNS.map((cards, at) => (
                  <Stack key={cards[0]}>
                    {cards.map((card) => (
                      <BreakdownCard
                        key={card}
                        card={card}
                        breakdown={chosenOf(search, card)}
                        filters={filters}
                        onChoose={(breakdown) => change({ [card]: breakdown })}
                        onToggle={toggle}
                      />
                    ))}
                    {at === COLUMNS.length - 1 && (
                      <GoalsCard
                        filters={filters}
                        goals={goals}
                        onChoose={(chosen) => {
                          saveGoals(chosen)
                          change({ goals: chosen.length > 0 ? chosen : undefined })
                        }}
                      />
                    )}
                  </Stack>
                ))}
              </div>
            </>
          )
        }}
      </QueryContent>
    </Page>
  )
}
