import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { cutMiddle } from '#model/charts/labels.ts'
import { toShownName } from '#model/names/person-name.ts'
import { toVisitorName } from '#model/names/visitor-name.ts'
import { useProjectId } from '../../api/project.ts'
import { PersonAvatar } from '../../ui/page/person.tsx'
import classes from './events.module.css'
import { usePersonOf } from './person-of.ts'

/** Fits into the narrowest column. */
const MAX_ID = 18

/** Keeps the ends of an ID, by which random ones differ. An address is read from its beginning. */
export const toShortId = (distinctId: string): string =>
  distinctId.includes('@') ? distinctId : cutMiddle(distinctId, MAX_ID)

interface EventPersonProps {
  readonly distinctId: string
  /** False inside of a button. */
  readonly isLink?: boolean
}

/** The name or e-mail address of the person of an event, or else the distinct ID; the whole ID is in the tooltip. */
export function EventPerson({ distinctId, isLink = true }: EventPersonProps) {
  const { data: person } = usePersonOf(distinctId)
  const name = person ? toShownName(person) : (toVisitorName(distinctId) ?? distinctId)
  const isId = name === distinctId || person?.distinct_ids.includes(name)
  const text = isId ? toShortId(name) : name
  return (
    <span
      className={classes.person}
      title={[...new Set([name, person?.name ?? name, distinctId])].join('\n')}
    >
      <PersonAvatar name={name} isKnown={person?.is_identified ?? false} />
      {isLink ? (
        <PersonLink distinctId={distinctId} uuid={person?.uuid}>
          {text}
        </PersonLink>
      ) : (
        <span className={classes.line}>{text}</span>
      )}
    </span>
  )
}

interface PersonLinkProps {
  readonly distinctId: string
  /** Unknown until the person is loaded. */
  readonly uuid: string | undefined
  readonly children: ReactNode
}

function PersonLink({ distinctId, uuid, children }: PersonLinkProps) {
  const projectId = `${useProjectId()}`
  const props = {
    className: `${classes.line} ${classes.personLink}`,
    preload: false as const,
    onClick: (event: { stopPropagation(): void }) => event.stopPropagation(), // the row would open the event
    children,
  }
  return uuid ? (
    <Link
      {...props}
      to="/project/$projectId/persons/$personId"
      params={{ projectId, personId: uuid }}
    />
  ) : (
    <Link
      {...props}
      to="/project/$projectId/person"
      params={{ projectId }}
      search={{ distinct_id: distinctId }}
    />
  )
}
