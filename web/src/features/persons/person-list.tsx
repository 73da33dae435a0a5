import { type ReactNode, useCallback } from 'react'
import list from '../../ui/list/list.module.css'
import { ListResults, type LoadedList } from '../../ui/list/list-page.tsx'
import { Windowed } from '../../ui/list/windowed.tsx'
import { PropertyName } from '../../ui/page/known-name.tsx'
import type { Person, usePersons } from './api.ts'
import { PersonRow } from './person-row.tsx'
import classes from './persons.module.css'

interface PersonListProps extends LoadedList<Person> {
  readonly columns: readonly string[]
  /** Adds a button to each row. */
  readonly action?: ((person: Person) => ReactNode) | undefined
}

/** Persons with their distinct IDs and the values of the property columns. */
function PersonList({ pages, columns, action, ...loaded }: PersonListProps) {
  const row = useCallback(
    (person: Person): ReactNode => (
      <PersonRow key={person.id} person={person} columns={columns} action={action} />
    ),
    [columns, action],
  )
  const grid = [
    '20px minmax(0, 3fr) minmax(0, 2.4fr)',
    ...columns.map(() => 'minmax(0, 1.4fr)'),
    '104px 88px',
    ...(action ? ['32px'] : []),
  ].join(' ')
  return (
    <div className={list.frame} style={{ ['--list-columns' as string]: grid }}>
      <div className={list.head}>
        <span />
        <span>Name</span>
        <span>Distinct IDs</span>
        {columns.map((column) => (
          <span key={column} className={classes.line}>
            <PropertyName name={column} />
          </span>
        ))}
        <span>First seen</span>
        <span>Status</span>
        {action && <span />}
      </div>
      <Windowed label="Persons" pages={pages.pages} row={row} {...loaded} />
    </div>
  )
}

interface PersonResultsProps extends Pick<PersonListProps, 'columns' | 'action'> {
  readonly query: ReturnType<typeof usePersons>
  readonly search: string | undefined
  readonly onSearch: (text: undefined) => void
  /** Shown if there are none without a search. */
  readonly empty: ReactNode
}

/** The persons that a search found. */
export const PersonResults = ({ search, onSearch, query, empty, ...list }: PersonResultsProps) => (
  <ListResults
    thing="person"
    stopsEarly
    searched="name, e-mail address or distinct ID"
    search={{ search }}
    onChange={() => onSearch(undefined)}
    query={query}
    empty={empty}
  >
    {(loaded) => <PersonList {...list} {...loaded} />}
  </ListResults>
)
