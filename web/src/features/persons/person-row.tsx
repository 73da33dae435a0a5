import { Badge } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { memo, type ReactNode } from 'react'
import { toShownName } from '#model/names/person-name.ts'
import { toVisitorName } from '#model/names/visitor-name.ts'
import { useProjectId } from '../../api/project.ts'
import list from '../../ui/list/list.module.css'
import { PropertyName } from '../../ui/page/known-name.tsx'
import { PersonAvatar } from '../../ui/page/person.tsx'
import { TimeAgo } from '../../ui/page/time-ago.tsx'
import { toShortId } from '../events/event-person.tsx'
import { toLine, toShownLine } from '../events/values.ts'
import type { Person } from './api.ts'
import classes from './persons.module.css'

interface PersonRowProps {
  readonly person: Person
  readonly columns: readonly string[]
  readonly action?: ((person: Person) => ReactNode) | undefined
}

export const PersonRow = memo(function PersonRow({ person, columns, action }: PersonRowProps) {
  const projectId = `${useProjectId()}`
  const { uuid, properties, is_identified: isIdentified } = person
  const name = toShownName(person)
  return (
    <li className={list.row}>
      <PersonAvatar name={name} isKnown={isIdentified} />
      <div className={list.main}>
        <Link
          className={list.name}
          to="/project/$projectId/persons/$personId"
          params={{ projectId, personId: uuid }}
          preload={false}
        >
          {toLine(name)}
        </Link>
      </div>
      <DistinctIds person={person} />
      {columns.map((column) => (
        <PropertyCell key={column} name={column} value={properties[column]} />
      ))}
      <TimeAgo time={person.created_at} className={`${list.ago} ${classes.cell}`} />
      <IdentifiedBadge isIdentified={isIdentified} />
      {action?.(person)}
    </li>
  )
})

export const IdentifiedBadge = ({ isIdentified }: { readonly isIdentified: boolean }) => (
  <Badge size="sm" color={isIdentified ? 'hedge' : 'gray'} className={classes.badge}>
    {isIdentified ? 'Identified' : 'Not identified'}
  </Badge>
)

function DistinctIds({ person }: { readonly person: Person }) {
  const ids = person.distinct_ids
  const others = ids.length - 1
  const [first = ''] = ids
  const isName = others === 0 && [first, toVisitorName(first)].includes(toShownName(person))
  return (
    <div
      className={`${classes.cell} ${classes.ids} ${isName ? classes.missing : ''}`}
      title={ids.slice(0, 10).join('\n')}
    >
      <span className={classes.line}>{toVisitorName(first) ? toShortId(first) : first}</span>
      {others > 0 && <span className={classes.others}>+{others}</span>}
    </div>
  )
}

function PropertyCell({ name, value }: { readonly name: string; readonly value: unknown }) {
  if (value === undefined) return <div className={`${classes.cell} ${classes.missing}`} />
  return (
    <div className={`${classes.cell} ${classes.line}`} title={toLine(value)}>
      <span className={classes.key}>
        <PropertyName name={name} maxLength={30} />{' '}
      </span>
      {toShownLine(value)}
    </div>
  )
}
