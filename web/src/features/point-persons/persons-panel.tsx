import { Button, Group, Stack } from '@mantine/core'
import { IconUsersPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { toCsvRow } from '#model/csv.ts'
import { useProjectId } from '../../api/project.ts'
import { SearchBox } from '../../ui/list/search-box.tsx'
import { ActorList } from './actor-list.tsx'
import { type ActorRow, fetchAllActors } from './api.ts'
import { ExportButton } from './export-button.tsx'
import type { PointPersons } from './point.ts'
import { SaveCohort } from './save-cohort.tsx'

/** Lists the persons behind a point, saves them as a cohort and exports them. */
export function PersonsPanel({ persons: { words, source } }: { readonly persons: PointPersons }) {
  const projectId = useProjectId()
  const [search, setSearch] = useState<string>()
  const [isSaving, setSaving] = useState(false)
  return (
    <Stack gap="sm">
      <SearchBox label="Search persons" value={search} onSearch={setSearch} />
      <Group gap="xs">
        <Button
          size="xs"
          variant="default"
          leftSection={<IconUsersPlus size={14} />}
          aria-expanded={isSaving}
          onClick={() => setSaving(!isSaving)}
        >
          Save as cohort
        </Button>
        <ExportButton
          name="persons.csv"
          load={async () => toCsv(await fetchAllActors(projectId, source))}
        />
      </Group>
      {isSaving && <SaveCohort suggested={words.join(', ')} source={source} />}
      <ActorList source={source} search={search} onClear={() => setSearch(undefined)} />
    </Stack>
  )
}

const HEADER = ['name', 'email', 'person_id', 'distinct_ids', 'events', 'first_seen']

/** The column `person_id` lets the file be imported as a static cohort. */
const toCsv = (rows: readonly ActorRow[]): string =>
  [HEADER, ...rows.map(toCsvCells)].map(toCsvRow).join('')

const toCsvCells = ([actor, events]: ActorRow): unknown[] => [
  actor.name,
  actor.properties.email,
  actor.id,
  actor.distinct_ids.join(' '),
  events,
  actor.created_at,
]
