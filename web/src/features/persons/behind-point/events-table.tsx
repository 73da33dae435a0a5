import { Table, UnstyledButton } from '@mantine/core'
import { toShownName } from '#model/names/person-name.ts'
import { EventName } from '../../../ui/page/known-name.tsx'
import { EventTime } from '../../events/event-time.tsx'
import { toLine } from '../../events/values.ts'
import classes from './behind-point.module.css'
import type { PointEvent } from './events-api.ts'
import { PersonName } from './person-name.tsx'

interface EventTableProps {
  readonly rows: readonly PointEvent[]
  readonly onOpen: (row: PointEvent) => void
}

export const PointEventTable = ({ rows, onOpen }: EventTableProps) => (
  <Table layout="fixed" verticalSpacing={6}>
    <Table.Thead>
      <Table.Tr>
        <Table.Th w={150}>Time</Table.Th>
        <Table.Th>Event</Table.Th>
        <Table.Th>Person</Table.Th>
        <Table.Th>URL</Table.Th>
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {rows.map((row) => {
        const [event, person] = row
        const url = findUrl(event) ?? ''
        return (
          <Table.Tr key={event.uuid}>
            <Table.Td className="tabular">
              <EventTime time={event.timestamp} />
            </Table.Td>
            <Table.Td>
              <UnstyledButton
                fz="md"
                className={`${classes.line} ${classes.link}`}
                onClick={() => onOpen(row)}
              >
                <EventName name={event.event} maxLength={120} />
              </UnstyledButton>
            </Table.Td>
            <Table.Td>
              <PersonName
                id={person.uuid}
                name={toShownName(person)}
                title={person.name}
                hasPage={person.created_at !== null}
              />
            </Table.Td>
            <Table.Td>
              <span className={classes.line} title={url}>
                {toLine(url)}
              </span>
            </Table.Td>
          </Table.Tr>
        )
      })}
    </Table.Tbody>
  </Table>
)

/** Finds the page or screen of an event. */
export function findUrl({ properties }: PointEvent[0]): string | undefined {
  const url = properties.$current_url ?? properties.$screen_name
  return typeof url === 'string' ? url : undefined
}
