import type { ToolDescriptor } from '../tool.ts'
import { PAGE } from './data.ts'

/** Only people make data public. */
export const LINK_TOOLS: readonly ToolDescriptor[] = [
  {
    name: 'public-links-list',
    title: 'List public links',
    description:
      'Lists the public links of a dashboard with their rules and how often they were opened.',
    operation: 'listPublicLinks',
    inputs: [...PAGE],
  },
  {
    name: 'public-link-delete',
    title: 'Revoke public link',
    description: 'Ends a public link at once. Others keep working.',
    operation: 'revokePublicLink',
    isDestructive: true,
  },
]
