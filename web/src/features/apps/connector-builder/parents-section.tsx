import { Alert, Button, Code, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Choice } from '../../../ui/form/choice.tsx'
import { FormError } from '../../../ui/form/form-error.tsx'
import { useFetchResponse } from './api.ts'
import classes from './builder.module.css'
import type { Draft, Parent } from './draft.ts'
import { PagingFields } from './paging-fields.tsx'
import {
  guessAddressAbove,
  type Level,
  listKeys,
  listLevels,
  MAX_PARENTS,
  withParent,
} from './parents.ts'
import { RemoveButton, Section } from './section.tsx'

interface ParentsSectionProps {
  readonly draft: Draft
  readonly onChange: (fields: Partial<Draft>) => void
}

/** The lists for each of whose records the list is read. */
export function ParentsSection({ draft, onChange }: ParentsSectionProps) {
  const [isAdding, setAdding] = useState(false)
  const { parents } = draft
  const levels = listLevels(draft)
  return (
    <Section
      title="Parents"
      about="Reads the list once for each record of another list, such as the orders of each shop."
      action="Add parent"
      onAdd={isAdding || parents.length === MAX_PARENTS ? undefined : () => setAdding(true)}
    >
      {parents.map((parent, index) => (
        <ParentRow
          // biome-ignore lint/suspicious/noArrayIndexKey: parents have no other identity
          key={index}
          name={`parent ${index + 1}`}
          parent={parent}
          level={levels[index + 1]}
          below={levels[index]}
          onChange={(changed) => onChange({ parents: parents.with(index, changed) })}
          onRemove={() => onChange({ parents: parents.slice(0, index) })}
        />
      ))}
      {isAdding && (
        <NewParent
          draft={draft}
          onAdd={(fields) => {
            setAdding(false)
            onChange(fields)
          }}
          onCancel={() => setAdding(false)}
        />
      )}
    </Section>
  )
}

interface NewParentProps {
  readonly draft: Draft
  readonly onAdd: (fields: Partial<Draft>) => void
  readonly onCancel: () => void
}

function NewParent({ draft, onAdd, onCancel }: NewParentProps) {
  const [url, setUrl] = useState(guessAddressAbove(listLevels(draft).at(-1)?.url ?? ''))
  const response = useFetchResponse()
  const name = `parent ${draft.parents.length + 1}`
  const { key } = draft
  const getList = () =>
    response.mutate(
      { url, key },
      {
        onSuccess(received) {
          const fields = withParent(draft, url, received)
          if (fields) onAdd(fields)
        },
      },
    )
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        getList()
      }}
    >
      <Stack gap="xs">
        <Group gap="xs" align="flex-end">
          <TextInput
            label={`Address of ${name}`}
            type="url"
            required
            withAsterisk={false}
            flex={1}
            miw={200}
            value={url}
            onChange={({ currentTarget }) => setUrl(currentTarget.value.trim())}
          />
          <Button type="submit" variant="default" loading={response.isPending}>
            Get list
          </Button>
          <RemoveButton name={name} onRemove={onCancel} />
        </Group>
        <FormError error={response.error} title="No response" />
        {response.data && (
          <Alert color="yellow">
            {`The response has status ${response.data.status} and no list of records. Check the address.`}
          </Alert>
        )}
      </Stack>
    </form>
  )
}

interface ParentRowProps {
  readonly name: string
  readonly parent: Parent
  readonly level: Level | undefined
  readonly below: Level | undefined
  readonly onChange: (parent: Parent) => void
  readonly onRemove: () => void
}

function ParentRow({ name, parent, level, below, onChange, onRemove }: ParentRowProps) {
  const { url, sample, key, part, paginate } = parent
  const keys = listKeys(sample)
  return (
    <Stack gap="xs" role="group" aria-label={`Parent: ${level?.name}`}>
      <Group gap="xs" wrap="nowrap">
        <Code flex={1} miw={0} className={classes.address}>
          {url}
        </Code>
        <RemoveButton name={name} onRemove={onRemove} />
      </Group>
      <Group gap="sm" align="flex-end">
        <Choice
          label="Key"
          flex={1}
          miw={140}
          searchable
          data={keys.map(({ path, value }) => ({ value: path, label: `${path} = ${value}` }))}
          value={key || null}
          onChange={(chosen) => onChange({ ...parent, key: chosen })}
        />
        <Choice
          label="Its place in the address"
          flex={1}
          miw={140}
          data={below?.parts.map(({ id, label }) => ({ value: id, label })) ?? []}
          value={part || null}
          onChange={(chosen) => onChange({ ...parent, part: chosen })}
        />
      </Group>
      <PagingFields
        paginate={paginate}
        onChange={(changed) => onChange({ ...parent, paginate: changed })}
      />
      <Text size="sm" c="dimmed">
        Texts of steps and conditions can have its values: {`{{${level?.name}.${key || 'id'}}}`}
      </Text>
    </Stack>
  )
}
