import { Link } from '@tanstack/react-router'
import { useProjectId } from '../../../api/project.ts'
import { toLine } from '../../events/values.ts'
import classes from './behind-point.module.css'

interface PersonNameProps {
  readonly id: string
  readonly name: string
  /** The tooltip: what the name stands for. */
  readonly title?: string
  /** False for a visitor without a profile. */
  readonly hasPage: boolean
}

/** The name of a person, with a link to the person's page if there is one. */
export function PersonName({ id, name, title, hasPage }: PersonNameProps) {
  const projectId = `${useProjectId()}`
  if (!hasPage) {
    return (
      <span className={classes.line} title={title}>
        {toLine(name)}
      </span>
    )
  }
  return (
    <Link
      className={`${classes.line} ${classes.link}`}
      to="/project/$projectId/persons/$personId"
      params={{ projectId, personId: id }}
      preload={false}
      title={title}
    >
      {toLine(name)}
    </Link>
  )
}
