import { Box, MultiSelect, Stack, Tabs, TagsInput, Text, Textarea } from '@mantine/core'
import { useProjectId } from '../../../api/project.ts'
import { toChart } from '../../../ui/chart/to-chart.ts'
import { ActivityTimeline, useItemActivity } from '../../activity/timeline.tsx'
import { DataTable } from '../../persons/behind-point/data-table.tsx'
import { usePersonsDialog } from '../../persons/behind-point/use-persons-dialog.tsx'
import { type Insight, insightsPath, useDashboardChoices } from './api.ts'
import type { usePreview } from './display/use-preview.ts'
import type { InsightDraft } from './draft.ts'
import classes from './editor.module.css'

interface EditorTabsProps extends DetailsProps, DataProps {
  readonly insight: Insight | undefined
}

/** Details, data and activity, below the chart. */
export function EditorTabs({ insight, shown, ...details }: EditorTabsProps) {
  return (
    <Tabs defaultValue="details" keepMounted={false}>
      <Tabs.List mb="md">
        <Tabs.Tab value="details">Details</Tabs.Tab>
        <Tabs.Tab value="data">Show data</Tabs.Tab>
        {insight && <Tabs.Tab value="activity">Activity</Tabs.Tab>}
      </Tabs.List>
      <Tabs.Panel value="details">
        <Details {...details} />
      </Tabs.Panel>
      <Tabs.Panel value="data">
        <Data shown={shown} />
      </Tabs.Panel>
      {insight && (
        <Tabs.Panel value="activity">
          <Activity shortId={insight.short_id} />
        </Tabs.Panel>
      )}
    </Tabs>
  )
}

interface DetailsProps {
  readonly draft: InsightDraft
  readonly edit: (edits: Partial<InsightDraft>) => void
  readonly errorAt: (field: string) => string | undefined
}

function Details({ draft, edit, errorAt }: DetailsProps) {
  const dashboards = useDashboardChoices()
  const known = (dashboards.data?.results ?? []).map(({ id, name }) => ({
    value: `${id}`,
    label: name || `Dashboard ${id}`,
  }))
  const others = draft.dashboards
    .filter((id) => !known.some(({ value }) => value === `${id}`))
    .map((id) => ({ value: `${id}`, label: `Dashboard ${id}` }))
  return (
    <Stack maw={640}>
      <Textarea
        label="Description"
        placeholder="Add a description"
        autosize
        minRows={2}
        value={draft.description}
        error={errorAt('description')}
        onChange={({ currentTarget }) => edit({ description: currentTarget.value })}
      />
      <TagsInput
        label="Tags"
        placeholder={draft.tags.length === 0 ? 'Add a tag' : ''}
        value={draft.tags}
        error={errorAt('tags')}
        acceptValueOnBlur
        onChange={(tags) => edit({ tags })}
      />
      <MultiSelect
        label="Dashboards"
        description="Shown on these dashboards."
        placeholder={draft.dashboards.length === 0 ? 'None' : ''}
        data={[...known, ...others]}
        value={draft.dashboards.map(String)}
        error={errorAt('dashboards')}
        searchable
        limit={100}
        nothingFoundMessage="No dashboards match"
        onChange={(ids) => edit({ dashboards: ids.map(Number) })}
      />
    </Stack>
  )
}

type DataProps = Pick<ReturnType<typeof usePreview>, 'shown'>

/** The chart's data as a table, with the rows of its CSV export. */
function Data({ shown }: DataProps) {
  const { showPersons, personsDialog } = usePersonsDialog()
  if (!shown) return <Text c="dimmed">No result yet.</Text>
  const { node } = shown
  const chart = toChart({
    query: node,
    result: shown.result.results,
    columns: shown.result.columns ?? null,
  })
  return (
    <Box className={classes.data}>
      <DataTable chart={chart} onPoint={(point) => showPersons({ chart, point })} />
      {personsDialog}
    </Box>
  )
}

function Activity({ shortId }: { readonly shortId: string }) {
  const path = `${insightsPath(useProjectId())}/${shortId}/activity`
  return <ActivityTimeline of={useItemActivity(path)} />
}
