import { BoxplotChart } from 'echarts/charts'
import { use } from 'echarts/core'

use(BoxplotChart)
