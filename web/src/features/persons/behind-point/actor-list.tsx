import { Table, Text } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'
import { fullNumber } from '#model/format.ts'
import { toShownName } from '#model/names/person-name.ts'
import { pluralize } from '#model/pluralize.ts'
import { LoadMore } from '../../../ui/list/load-more.tsx'
import { NothingFound } from '../../../ui/list/nothing-found.tsx'
import { PersonAvatar } from '../../../ui/page/person.tsx'
import { EmptyState, QueryContent } from '../../../ui/page/states.tsx'
import { toLine } from '../../events/values.ts'
import { type Actor, type ActorRow, useActors } from './api.ts'
import classes from './behind-point.module.css'
import type { Nouns } from './nouns.ts'
import { PersonName } from './person-name.tsx'

interface ActorListProps {
  readonly source: object
  readonly nouns: Nouns
  readonly search: string | undefined
  readonly onClear: () => void
}

/** Lists persons or groups with the number of their counted events, page by page. */
export function ActorList({ source, nouns, search, onClear }: ActorListProps) {
  const actors = useActors(source, search)
  return (
    <QueryContent query={actors}>
      {({ pages }) => {
        const rows = pages.flatMap(({ results }) => results)
        if (rows.length === 0 && search !== undefined) {
          const isOfPersons = nouns.one === 'person'
          const searched = isOfPersons ? 'name, e-mail address or distinct ID' : 'name or key'
          return <NothingFound thing={nouns.one} searched={searched} onClear={onClear} />
        }
        if (rows.length === 0) {
          return (
            <EmptyState icon={IconUsers} title={`No ${nouns.many}`}>
              {nouns.one === 'person' ? 'Nobody' : 'No group'} is behind this number.
            </EmptyState>
          )
        }
        return (
          <>
            <Text size="sm" c="dimmed" role="status" className="tabular">
              {actors.hasNextPage && 'First '}
              {pluralize(rows.length, nouns.one, nouns.many)}
            </Text>
            <ActorTable rows={rows} heading={nouns.heading} />
            <LoadMore query={actors} />
          </>
        )
      }}
    </QueryContent>
  )
}

interface ActorTableProps {
  readonly rows: readonly ActorRow[]
  readonly heading: string
}

const ActorTable = ({ rows, heading }: ActorTableProps) => (
  <Table layout="fixed" verticalSpacing={6}>
    <Table.Thead>
      <Table.Tr>
        <Table.Th>{heading}</Table.Th>
        <Table.Th className={classes.events}>Events</Table.Th>
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {rows.map(([actor, events]) => (
        <Table.Tr key={actor.id}>
          <Table.Td>
            <ActorName actor={actor} />
          </Table.Td>
          <Table.Td className={classes.events}>{fullNumber(events)}</Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
)

function ActorName({ actor }: { readonly actor: Actor }) {
  const { distinct_ids: known = [] } = actor
  const [first = actor.id, ...others] = known
  const isPerson = actor.type !== 'group'
  const name = isPerson ? toShownName(actor) : actor.name
  const ids = others.length > 0 ? `${first} +${others.length}` : first
  return (
    <div className={classes.actor}>
      {isPerson && <PersonAvatar name={name} isKnown={actor.is_identified ?? false} />}
      <div className={classes.names}>
        <PersonName
          id={actor.id}
          name={name}
          title={actor.name}
          hasPage={isPerson && actor.created_at !== null}
        />
        {ids !== toLine(name) && (
          <Text size="xs" c="dimmed" className={classes.line} title={known.join('\n')}>
            {ids}
          </Text>
        )}
      </div>
    </div>
  )
}
