import { Button, Group, Modal, SegmentedControl, Stack } from '@mantine/core'
import { IconDownload, IconUsersPlus } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { ChartPoint } from '#model/chart.ts'
import { toCsvRow } from '#model/csv.ts'
import { useProjectId } from '../../api/project.ts'
import { SearchBox } from '../../ui/list/search-box.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { ActorList } from './actor-list.tsx'
import { type ActorRow, fetchAllActors } from './api.ts'
import type { PointPersons, ShownChart } from './point.ts'
import { SaveCohort } from './save-cohort.tsx'
import { toPersons } from './to-persons.ts'

interface PersonsDialogProps {
  readonly chart: ShownChart
  readonly point: ChartPoint
  readonly onPoint: (point: ChartPoint) => void
  readonly onClose: () => void
}

/** Lists the persons behind a point of a chart. */
export function PersonsDialog({ chart, point, onPoint, onClose }: PersonsDialogProps) {
  const persons = toPersons(chart, point)
  if (!persons) return null
  const { words, related } = persons
  const isShown = ({ dropped = false }: ChartPoint) => dropped === (point.dropped ?? false)
  return (
    <Modal opened onClose={onClose} title={`Persons: ${words.join(', ')}`} size="lg">
      <Stack gap="sm">
        {related && (
          <SegmentedControl
            aria-label="Persons"
            data={related.map(({ label }) => label)}
            value={related.find((each) => isShown(each.point))?.label ?? ''}
            onChange={(chosen) => {
              const other = related.find(({ label }) => label === chosen)
              if (other) onPoint(other.point)
            }}
          />
        )}
        <Persons key={JSON.stringify(point)} persons={persons} />
      </Stack>
    </Modal>
  )
}

function Persons({ persons: { words, source } }: { readonly persons: PointPersons }) {
  const [search, setSearch] = useState<string>()
  const [isSaving, setSaving] = useState(false)
  const exporting = useExport(source)
  return (
    <>
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
        <Button
          size="xs"
          variant="default"
          leftSection={<IconDownload size={14} />}
          loading={exporting.isPending}
          onClick={() => exporting.mutate()}
        >
          Export CSV
        </Button>
      </Group>
      {isSaving && <SaveCohort suggested={words.join(', ')} source={source} />}
      <ActorList source={source} search={search} onClear={() => setSearch(undefined)} />
    </>
  )
}

function useExport(source: object) {
  const projectId = useProjectId()
  return useMutation({
    mutationFn: () => fetchAllActors(projectId, source),
    onSuccess: (rows) => saveFile('persons.csv', toCsv(rows), 'text/csv'),
  })
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
