import { Button, Group, Stack } from '@mantine/core'
import { IconUsersPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { toCsvRow } from '#model/csv.ts'
import { useProjectId } from '../../../api/project.ts'
import { SearchBox } from '../../../ui/list/search-box.tsx'
import { ActorList } from './actor-list.tsx'
import { type ActorRow, fetchAllActors } from './api.ts'
import { ExportButton } from './export-button.tsx'
import { useNouns } from './nouns.ts'
import type { PointPersons } from './point.ts'
import { SaveCohort } from './save-cohort.tsx'

/** Lists the persons behind a point, saves them as a cohort and exports them; or lists and exports groups. */
export function PersonsPanel({ persons }: { readonly persons: PointPersons }) {
  const { words, source, groupType } = persons
  const projectId = useProjectId()
  const nouns = useNouns(groupType)
  const isOfPersons = groupType === undefined
  const [search, setSearch] = useState<string>()
  const [isSaving, setSaving] = useState(false)
  return (
    <Stack gap="sm">
      <SearchBox label={`Search ${nouns.many}`} value={search} onSearch={setSearch} />
      <Group gap="xs">
        {isOfPersons && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconUsersPlus size={14} />}
            aria-expanded={isSaving}
            onClick={() => setSaving(!isSaving)}
          >
            Save as cohort
          </Button>
        )}
        <ExportButton
          name={`${nouns.many}.csv`}
          load={async () =>
            toCsv(isOfPersons ? PERSON_CELLS : GROUP_CELLS, await fetchAllActors(projectId, source))
          }
        />
      </Group>
      {isSaving && <SaveCohort suggested={words.join(', ')} source={source} />}
      <ActorList
        source={source}
        nouns={nouns}
        search={search}
        onClear={() => setSearch(undefined)}
      />
    </Stack>
  )
}

type Cells = Readonly<Record<string, (row: ActorRow) => unknown>>

/** The column `person_id` lets the file be imported as a static cohort. */
const PERSON_CELLS: Cells = {
  name: ([{ name }]) => name,
  email: ([{ properties }]) => properties.email,
  person_id: ([{ id }]) => id,
  distinct_ids: ([{ distinct_ids = [] }]) => distinct_ids.join(' '),
  events: ([, events]) => events,
  first_seen: ([{ created_at }]) => created_at,
}

const GROUP_CELLS: Cells = {
  name: ([{ name }]) => name,
  key: ([{ id }]) => id,
  events: ([, events]) => events,
}

const toCsv = (cells: Cells, rows: readonly ActorRow[]): string =>
  [Object.keys(cells), ...rows.map((row) => Object.values(cells).map((read) => read(row)))]
    .map(toCsvRow)
    .join('')
