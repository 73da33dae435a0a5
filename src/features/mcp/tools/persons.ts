import type { ToolDescriptor } from '../tool.ts'
import { PAGE } from './data.ts'

export const PERSON_TOOLS: readonly ToolDescriptor[] = [
  {
    name: 'persons-list',
    title: 'List persons',
    description: 'Lists persons, newest first.',
    operation: 'listPersons',
    inputs: ['search', 'email', 'distinct_id', 'cohort', ...PAGE],
  },
  {
    name: 'persons-retrieve',
    title: 'Get person',
    description: 'Returns a person with all properties and distinct IDs.',
    operation: 'getPerson',
  },
  {
    name: 'persons-property-set',
    title: 'Set a property of a person',
    description: 'Sets one property of a person.',
    operation: 'updatePersonProperty',
    inputs: ['key', 'value'],
  },
  {
    name: 'persons-property-delete',
    title: 'Delete a property of a person',
    description: 'Deletes one property of a person.',
    operation: 'deletePersonProperty',
    own: { unset: { type: 'string', description: 'The name of the property.' } },
    required: ['unset'],
    toFields: ({ unset }) => ({ $unset: unset }),
    isDestructive: true,
  },
  {
    name: 'persons-cohorts-retrieve',
    title: 'List the cohorts of a person',
    description: 'Lists the cohorts that a person is in.',
    operation: 'listCohortsOfPerson',
    inputs: ['person_id'],
  },
  {
    name: 'cohorts-list',
    title: 'List cohorts',
    description: 'Lists cohorts with their conditions and numbers of persons.',
    operation: 'listCohorts',
    inputs: ['search', ...PAGE],
  },
  {
    name: 'cohorts-retrieve',
    title: 'Get cohort',
    description: 'Returns a cohort with its conditions and number of persons.',
    operation: 'getCohort',
  },
  {
    name: 'cohorts-create',
    title: 'Create cohort',
    description:
      'Creates a cohort: dynamic by conditions in `filters`, or static (`is_static`) by `distinct_ids`.',
    operation: 'createCohort',
    inputs: ['name', 'description', 'filters', 'is_static', 'distinct_ids'],
  },
  {
    name: 'cohorts-partial-update',
    title: 'Update cohort',
    description: 'Changes the fields that are given. `deleted`: true moves it to the trash.',
    operation: 'updateCohort',
    inputs: ['name', 'description', 'filters', 'distinct_ids', 'deleted'],
    isDestructive: true,
  },
]
