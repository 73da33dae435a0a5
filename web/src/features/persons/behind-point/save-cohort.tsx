import { Alert, Button, Group, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { pluralize } from '#model/pluralize.ts'
import { useProjectId } from '../../../api/project.ts'
import { ErrorAlert } from '../../../ui/page/states.tsx'
import { type Cohort, useCreateCohort } from '../../cohorts/api.ts'
import { toActorsQuery } from './api.ts'

interface SaveCohortProps {
  readonly suggested: string
  readonly source: object
}

const MAX_NAME = 400

/** Saves all persons behind a point as a static cohort, regardless of the search. */
export function SaveCohort({ suggested, source }: SaveCohortProps) {
  const create = useCreateCohort()
  const [name, setName] = useState(suggested.slice(0, MAX_NAME))
  if (create.data) return <Saved cohort={create.data} />
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        create.mutate({ name, is_static: true, query: toActorsQuery(source) })
      }}
    >
      {create.error && <ErrorAlert error={create.error} />}
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <TextInput
          label="Cohort name"
          description="Keeps the persons who are behind this number now."
          flex={1}
          required
          maxLength={MAX_NAME}
          data-autofocus
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <Button type="submit" loading={create.isPending}>
          Create cohort
        </Button>
      </Group>
    </form>
  )
}

function Saved({ cohort: { id, name, count } }: { readonly cohort: Cohort }) {
  const projectId = `${useProjectId()}`
  return (
    <Alert color="green" role="status">
      Saved{count !== null && ` ${pluralize(count, 'person')}`} as{' '}
      <Link to="/project/$projectId/cohorts/$cohortId" params={{ projectId, cohortId: `${id}` }}>
        {name}
      </Link>
      .
    </Alert>
  )
}
