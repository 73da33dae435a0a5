import { Modal, SegmentedControl, Stack, Tabs } from '@mantine/core'
import { useState } from 'react'
import type { ChartPoint } from '#model/chart.ts'
import type { PointEvent } from './events-api.ts'
import { EventsPanel } from './events-panel.tsx'
import { useNouns } from './nouns.ts'
import { PersonsPanel } from './persons-panel.tsx'
import type { ShownChart } from './point.ts'
import { toPersons } from './to-persons.ts'

interface PersonsDialogProps {
  readonly chart: ShownChart
  readonly point: ChartPoint
  readonly onPoint: (point: ChartPoint) => void
  readonly onClose: () => void
}

type Shown = 'Persons' | 'Events'

/** Lists the persons and the events behind a point of a chart. */
export function PersonsDialog({ chart, point, onPoint, onClose }: PersonsDialogProps) {
  const [chosen, setChosen] = useState<Shown>('Persons')
  const [opened, setOpened] = useState<PointEvent>()
  const persons = toPersons(chart, point)
  const { title } = useNouns(persons?.groupType)
  if (!persons) return null
  const { words, related, hasEvents = true } = persons
  const shown = hasEvents ? chosen : 'Persons'
  const isShown = ({ dropped = false }: ChartPoint) => dropped === (point.dropped ?? false)
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnEscape={opened === undefined} // closes the event instead
      title={`${shown === 'Events' ? shown : title}: ${words.join(', ')}`}
      size={shown === 'Events' ? 'xl' : 'lg'}
    >
      <Stack gap="sm">
        {related && (
          <SegmentedControl
            aria-label={title}
            data={related.map(({ label }) => label)}
            value={related.find((each) => isShown(each.point))?.label ?? ''}
            onChange={(picked) => {
              const other = related.find(({ label }) => label === picked)
              if (other) onPoint(other.point)
            }}
          />
        )}
        {hasEvents ? (
          <Tabs
            key={JSON.stringify(point)}
            value={shown}
            onChange={(next) => setChosen(next as Shown)}
            keepMounted={false}
          >
            <Tabs.List mb="sm">
              <Tabs.Tab value="Persons">{title}</Tabs.Tab>
              <Tabs.Tab value="Events">Events</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="Persons">
              <PersonsPanel persons={persons} />
            </Tabs.Panel>
            <Tabs.Panel value="Events">
              <EventsPanel source={persons.source} opened={opened} onOpen={setOpened} />
            </Tabs.Panel>
          </Tabs>
        ) : (
          <PersonsPanel key={JSON.stringify(point)} persons={persons} />
        )}
      </Stack>
    </Modal>
  )
}
