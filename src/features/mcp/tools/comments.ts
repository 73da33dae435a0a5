import type { ToolDescriptor } from '../tool.ts'
import { PAGE } from './data.ts'

export const COMMENT_TOOLS: readonly ToolDescriptor[] = [
  {
    name: 'comments-list',
    title: 'List comments',
    description: 'Lists what people say about dashboards and their tiles, the newest first.',
    operation: 'listComments',
    inputs: ['item_id', 'search', 'completed', ...PAGE],
  },
  {
    name: 'comments-thread',
    title: 'List replies',
    description: 'Lists the replies of a comment.',
    operation: 'listCommentThread',
    inputs: PAGE,
  },
  {
    name: 'comments-create',
    title: 'Create comment',
    description:
      'Comments on the dashboard `item_id` and perhaps one of its tiles, or replies to `source_comment`.',
    operation: 'createComment',
    inputs: ['content', 'item_id', 'item_context', 'source_comment', 'mentions'],
    fixed: { scope: 'Dashboard' },
  },
  {
    name: 'comments-update',
    title: 'Edit comment',
    description: "Changes the text of a comment of the key's owner.",
    operation: 'updateComment',
    inputs: ['content', 'mentions'],
    required: ['content'],
  },
  {
    name: 'comments-delete',
    title: 'Delete comment',
    description: "Deletes a comment of the key's owner. Admins can delete any.",
    operation: 'updateComment',
    fixed: { deleted: true },
    isDestructive: true,
  },
  {
    name: 'comments-complete',
    title: 'Resolve comment',
    description: 'Resolves the thread that a comment begins.',
    operation: 'completeComment',
  },
]
