import type { Template } from '#server/features/dashboards/templates/template.ts'
import { layOut } from '../lay-out.ts'
import { events, sqlTable, trend } from '../queries.ts'
import { monthlyFigure } from './monthly-figure.ts'

export const gitlab: Template = {
  name: 'GitLab project',
  description: 'Issues, merge requests and commits of the import app GitLab.',
  filters: {},
  tags: ['imports', 'development'],
  tiles: layOut([
    monthlyFigure('New issues', events('gitlab_issue')),
    monthlyFigure('New merge requests', events('gitlab_merge_request')),
    monthlyFigure('Commits', events('gitlab_commit')),
    monthlyFigure('Authors', events('gitlab_commit', 'dau'), { about: 'People with a commit.' }),
    {
      name: 'Issues and merge requests per week',
      description: 'By the day when they were opened.',
      query: trend({
        from: '-90d',
        interval: 'week',
        series: [events('gitlab_issue'), events('gitlab_merge_request')],
      }),
    },
    {
      name: 'Commits per week',
      description: 'Of the default branch.',
      query: trend({
        from: '-90d',
        interval: 'week',
        display: 'ActionsBar',
        series: [events('gitlab_commit')],
      }),
    },
    {
      name: 'Most commits',
      description: 'All that were imported.',
      query: sqlTable(
        "select distinct_id as author, count() as commits, max(timestamp) as newest from events where event = 'gitlab_commit' group by author order by commits desc, author limit 50",
      ),
    },
    {
      name: 'Newest issues',
      description: 'The last 50, as they were first imported.',
      query: sqlTable(
        "select timestamp, distinct_id as author, properties.title as title, properties.state as state from events where event = 'gitlab_issue' order by timestamp desc, uuid limit 50",
      ),
    },
  ]),
}
