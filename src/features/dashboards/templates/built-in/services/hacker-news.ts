import type { Template } from '#server/features/dashboards/templates/template.ts'
import { layOut } from '../lay-out.ts'
import { events, sqlTable, trend } from '../queries.ts'
import { monthlyFigure } from './monthly-figure.ts'

const stories = (math = 'total') => events('hacker_news_story', math)
const comments = (math = 'total') => events('hacker_news_comment', math)

export const hackerNews: Template = {
  name: 'Hacker News',
  description: 'Stories and comments about a word, from the import app Hacker News.',
  filters: {},
  tags: ['imports', 'community'],
  tiles: layOut([
    monthlyFigure('Stories', stories()),
    monthlyFigure('Comments', comments()),
    monthlyFigure('People with a story', stories('dau')),
    monthlyFigure('People with a comment', comments('dau')),
    {
      name: 'Stories and comments per week',
      description: 'The last 90 days.',
      w: 12,
      query: trend({ from: '-90d', interval: 'week', series: [stories(), comments()] }),
    },
    {
      name: 'Best stories',
      description: 'By their points when they were imported.',
      query: sqlTable(
        "select properties.title as title, toFloat(properties.points) as points, distinct_id as author, timestamp from events where event = 'hacker_news_story' order by points desc, uuid limit 50",
      ),
    },
    {
      name: 'Most discussed stories',
      description: 'By the comments that have the word.',
      query: sqlTable(
        "select properties.story_title as title, count() as comments, max(timestamp) as newest from events where event = 'hacker_news_comment' group by title order by comments desc, title limit 50",
      ),
    },
  ]),
}
