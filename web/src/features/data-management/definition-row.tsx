import { Badge, Text, UnstyledButton } from '@mantine/core'
import { IconBolt, IconUser } from '@tabler/icons-react'
import { memo } from 'react'
import { fullNumber } from '#model/format.ts'
import list from '../../ui/list/list.module.css'
import { TimeAgo } from '../../ui/page/time-ago.tsx'
import { VerifiedMark } from '../../ui/page/verified-mark.tsx'
import { type Definition, isEvent } from './api.ts'
import classes from './data-management.module.css'
import { TYPE_NAMES, toOption } from './option.ts'

interface DefinitionRowProps {
  readonly definition: Definition
  readonly onOpen: (definition: Definition) => void
}

export const DefinitionRow = memo(function DefinitionRow({
  definition,
  onOpen,
}: DefinitionRowProps) {
  const { name, tags, hidden, verified } = definition
  const { label, description } = toOption(definition)
  const Icon = !isEvent(definition) && definition.type === 'person' ? IconUser : IconBolt
  return (
    <li className={list.row} data-hidden={hidden || undefined}>
      <Icon className={classes.icon} size={18} stroke={1.6} aria-hidden />
      <div className={list.main}>
        <UnstyledButton
          fz="md"
          className={`${list.name} ${classes.name}`}
          onClick={() => onOpen(definition)}
        >
          {label}
          {verified && <VerifiedMark />}
          {label !== name && <span className={classes.stored}>{name}</span>}
        </UnstyledButton>
        {description && (
          <Text size="xs" c="dimmed" className={list.about} title={description}>
            {description}
          </Text>
        )}
      </div>
      {isEvent(definition) ? (
        <>
          <span className={`${classes.cell} ${classes.volume} tabular`}>
            {fullNumber(definition.volume_30_day)}
          </span>
          <TimeAgo
            time={definition.last_seen_at}
            className={`${list.ago} ${classes.cell} ${classes.seen}`}
          />
        </>
      ) : (
        <span className={classes.cell}>{TYPE_NAMES[definition.property_type]}</span>
      )}
      <span className={`${list.tags} ${classes.cell}`}>
        {tags.map((tag) => (
          <span key={tag} className={list.chip}>
            {tag}
          </span>
        ))}
      </span>
      <span className={classes.badge}>
        {hidden && (
          <Badge size="sm" color="gray">
            Hidden
          </Badge>
        )}
      </span>
    </li>
  )
})
