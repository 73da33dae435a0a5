import type { ToolDescriptor } from '../tool.ts'
import { PAGE } from './data.ts'

const FIELDS = ['name', 'description', 'tags', 'steps'] as const

export const ACTION_TOOLS: readonly ToolDescriptor[] = [
  {
    name: 'actions-get-all',
    title: 'List actions',
    description:
      'Lists actions: named sets of events, which a series counts with `{"kind": "ActionsNode", "id": 1}`.',
    operation: 'listActions',
    inputs: ['search', ...PAGE],
  },
  {
    name: 'action-get',
    title: 'Get action',
    description: 'Returns an action with its steps.',
    operation: 'getAction',
  },
  {
    name: 'action-create',
    title: 'Create action',
    description: 'Creates an action. An event matches if it matches any of its steps.',
    operation: 'createAction',
    inputs: FIELDS,
    required: ['steps'],
  },
  {
    name: 'action-update',
    title: 'Update action',
    description: 'Changes the fields that are given.',
    operation: 'updateAction',
    inputs: FIELDS,
  },
  {
    name: 'action-delete',
    title: 'Delete action',
    description: 'Moves an action to the trash.',
    operation: 'updateAction',
    fixed: { deleted: true },
    isDestructive: true,
  },
]
