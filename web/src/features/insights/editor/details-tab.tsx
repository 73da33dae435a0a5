import { MultiSelect, Stack, TagsInput, Textarea } from '@mantine/core'
import { useDashboardNames } from './api.ts'
import type { Draft } from './draft.ts'

interface DetailsTabProps {
  readonly draft: Draft
  readonly edit: (edits: Partial<Draft>) => void
  readonly problemAt: (field: string) => string | undefined
}

export function DetailsTab({ draft, edit, problemAt }: DetailsTabProps) {
  const dashboards = useDashboardNames()
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
        placeholder="What it is good for"
        autosize
        minRows={2}
        value={draft.description}
        error={problemAt('description')}
        onChange={({ currentTarget }) => edit({ description: currentTarget.value })}
      />
      <TagsInput
        label="Tags"
        placeholder={draft.tags.length === 0 ? 'Add a tag' : ''}
        value={draft.tags}
        error={problemAt('tags')}
        acceptValueOnBlur
        onChange={(tags) => edit({ tags })}
      />
      <MultiSelect
        label="Dashboards"
        description="It is a tile of each of these."
        placeholder={draft.dashboards.length === 0 ? 'On none' : ''}
        data={[...known, ...others]}
        value={draft.dashboards.map(String)}
        error={problemAt('dashboards')}
        searchable
        limit={100}
        nothingFoundMessage="No dashboard is called so"
        onChange={(ids) => edit({ dashboards: ids.map(Number) })}
      />
    </Stack>
  )
}
