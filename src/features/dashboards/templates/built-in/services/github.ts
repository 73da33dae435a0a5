import type { Template } from '#server/features/dashboards/templates/template.ts'
import { layOut } from '../lay-out.ts'
import { events, sqlTable, trend } from '../queries.ts'
import { monthlyFigure } from './monthly-figure.ts'

const issues = (isPullRequest: boolean) =>
  events('github_issue', 'total', {
    custom_name: isPullRequest ? 'Pull requests' : 'Issues',
    properties: [
      {
        key: 'pull_request.html_url',
        operator: isPullRequest ? 'is_set' : 'is_not_set',
        type: 'event',
      },
    ],
  })

export const github: Template = {
  name: 'GitHub repository',
  description: 'Stars, issues, pull requests and commits of the import app GitHub.',
  filters: {},
  tags: ['imports', 'development'],
  tiles: layOut([
    monthlyFigure('New stars', events('github_star')),
    monthlyFigure('New issues', issues(false)),
    monthlyFigure('New pull requests', issues(true)),
    monthlyFigure('Authors', events('github_commit', 'dau'), { about: 'People with a commit.' }),
    {
      name: 'Stars in total',
      description: 'Of the last 180 days.',
      query: trend({
        from: '-180d',
        interval: 'week',
        display: 'ActionsLineGraphCumulative',
        series: [events('github_star')],
      }),
    },
    {
      name: 'Issues and pull requests per week',
      description: 'By the day when they were opened.',
      query: trend({ from: '-90d', interval: 'week', series: [issues(false), issues(true)] }),
    },
    {
      name: 'Commits per week',
      description: 'Of the default branch.',
      query: trend({
        from: '-90d',
        interval: 'week',
        display: 'ActionsBar',
        series: [events('github_commit')],
      }),
    },
    {
      name: 'Most commits',
      description: 'The last 90 days.',
      query: sqlTable(
        "select distinct_id as author, count() as commits, max(timestamp) as newest from events where event = 'github_commit' and timestamp > now() - interval 90 day group by author order by commits desc, author limit 50",
      ),
    },
    {
      name: 'Newest issues',
      description: 'The last 50 issues and pull requests, as they were first imported.',
      w: 12,
      query: sqlTable(
        "select timestamp, distinct_id as author, properties.title as title, properties.state as state from events where event = 'github_issue' order by timestamp desc, uuid limit 50",
      ),
    },
  ]),
}
