import { Button } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { pluralize } from '#model/pluralize.ts'
import { RowButton } from '../../../ui/list/row-button.tsx'
import classes from './requests.module.css'

/** A body can have a hundred thousand values. */
const SHOWN = 30
const MAX_CHARS = 300
/** Levels that are open at first. */
const OPEN_LEVELS = 3

interface ValueTreeProps {
  readonly value: unknown
  /** Renders the controls of the value that these keys lead to. */
  readonly actions: (value: unknown, keys: readonly string[]) => ReactNode
  readonly keys?: readonly string[]
}

/** JSON as nested lists of names and values. */
export function ValueTree({ value, actions, keys = [] }: ValueTreeProps) {
  const [shown, setShown] = useState(SHOWN)
  if (!isNested(value)) return <Scalar value={value} />
  const entries = Object.entries(value)
  return (
    <ul className={classes.tree}>
      {entries.slice(0, shown).map(([key, inner]) => (
        <Branch key={key} value={inner} actions={actions} keys={[...keys, key]} />
      ))}
      {entries.length > shown && (
        <li>
          <Button size="compact-xs" variant="subtle" onClick={() => setShown(shown + SHOWN)}>
            Show more of {entries.length.toLocaleString('en')}
          </Button>
        </li>
      )}
    </ul>
  )
}

function Branch({ value, actions, keys }: Required<ValueTreeProps>) {
  const [isOpen, setOpen] = useState(keys.length < OPEN_LEVELS)
  const name = keys.at(-1)
  const Chevron = isOpen ? IconChevronDown : IconChevronRight
  return (
    <li>
      <div className={classes.branch}>
        <span className={classes.key}>{name}</span>
        {isNested(value) ? (
          <span className={classes.count}>{describe(value)}</span>
        ) : (
          <Scalar value={value} />
        )}
        {isNested(value) && (
          <RowButton
            aria-label={`Values of ${keys.join('.')}`}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            <Chevron size={14} />
          </RowButton>
        )}
        {actions(value, keys)}
      </div>
      {isNested(value) && isOpen && <ValueTree value={value} actions={actions} keys={keys} />}
    </li>
  )
}

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null

const describe = (value: object): string =>
  Array.isArray(value)
    ? pluralize(value.length, 'item')
    : pluralize(Object.keys(value).length, 'value')

function Scalar({ value }: { readonly value: unknown }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return (
    <span className={classes.value} data-type={typeof value}>
      {text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text}
    </span>
  )
}
