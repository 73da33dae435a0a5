import { SankeyChart } from 'echarts/charts'
import { use } from 'echarts/core'

// draws paths; a file of its own, because few dashboards have any
use(SankeyChart)
