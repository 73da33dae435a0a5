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
  {
    name: 'insight-public-links-list',
    title: 'List public links of an insight',
    description:
      'Lists the public links of an insight with their rules and how often they were opened.',
    operation: 'listInsightPublicLinks',
    inputs: [...PAGE],
  },
  {
    name: 'insight-public-link-delete',
    title: 'Revoke public link of an insight',
    description: 'Ends a public link of an insight at once. Others keep working.',
    operation: 'revokeInsightPublicLink',
    isDestructive: true,
  },
]
