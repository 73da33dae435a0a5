import type { ToolDescriptor } from '../tool.ts'
import { PAGE } from './data.ts'

const FIELDS = [
  'content',
  'date_marker',
  'scope',
  'dashboard_item',
  'dashboard_id',
  'tags',
] as const

export const ANNOTATION_TOOLS: readonly ToolDescriptor[] = [
  {
    name: 'annotations-list',
    title: 'List annotations',
    description: 'Lists the notes that charts show at a moment, such as deployments.',
    operation: 'listAnnotations',
    inputs: ['search', 'scope', 'dashboard_id', 'dashboard_item', 'after', 'before', ...PAGE],
  },
  {
    name: 'annotation-retrieve',
    title: 'Get annotation',
    description: 'Returns an annotation.',
    operation: 'getAnnotation',
  },
  {
    name: 'annotation-create',
    title: 'Create annotation',
    description: 'Marks a moment on charts with a note.',
    operation: 'createAnnotation',
    inputs: FIELDS,
    required: ['content'],
    fixed: { creation_type: 'GIT' },
  },
  {
    name: 'annotations-partial-update',
    title: 'Update annotation',
    description: 'Changes the fields that are given.',
    operation: 'updateAnnotation',
    inputs: FIELDS,
  },
  {
    name: 'annotation-delete',
    title: 'Delete annotation',
    description: 'Moves an annotation to the trash.',
    operation: 'updateAnnotation',
    fixed: { deleted: true },
    isDestructive: true,
  },
]
