import type { ToolDescriptor } from '../tool.ts'

export const PAGE = ['limit', 'offset'] as const

export const DATA_TOOLS: readonly ToolDescriptor[] = [
  {
    name: 'projects-get',
    title: 'List projects',
    description:
      'Lists the projects that the key can access. Other tools take `project_id`; without it they use the current project.',
    operation: 'listProjects',
    inputs: PAGE,
  },
  {
    name: 'event-definitions-list',
    title: 'List event names',
    description:
      'Lists the names of events in the project with what people wrote about them, verified and most frequent first. Call it before writing a query: names are case-sensitive.',
    operation: 'listEventDefinitions',
    inputs: ['search', ...PAGE],
  },
  {
    name: 'properties-list',
    title: 'List property names',
    description:
      'Lists the names and types of properties of events, of one event (`event`), or of persons (`type`: `person`).',
    operation: 'listPropertyDefinitions',
    inputs: ['type', 'event', 'search', ...PAGE],
  },
  {
    name: 'property-values-list',
    title: 'List values of a property',
    description: 'Lists the most frequent values of a property of events or persons.',
    operation: 'listPropertyValues',
    inputs: ['key', 'type', 'event', 'value'],
  },
]
