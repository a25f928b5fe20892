import { json } from '../kit/answers.ts';
import { daysBetween } from '../kit/numbers.ts';
import type { Operation, Workbench } from '../kit/types.ts';
import { daily, lifetime, metricsOf, periodOf } from '../meta/insights.ts';
import { refuse } from './errors.ts';
import type { ThreadsOperation } from './sessions.ts';
import type { State } from './state.ts';

const mediaMetrics = ['views', 'likes', 'replies', 'reposts', 'quotes', 'shares'];
const userMetrics = ['views', 'likes', 'replies', 'reposts', 'quotes', 'clicks', 'followers_count'];

/** https://developers.facebook.com/docs/threads/insights. Both need `threads_manage_insights`. */
export function insightsOperations(
  threads: ThreadsOperation,
  { numbers, reads }: Workbench,
  state: State,
): Operation[] {
  const unknown = (message: string): never => refuse('100', message);
  return [
    threads('media_insights', 'GET', ':id/insights', 'threads_manage_insights', (call, { user }) =>
      reads.ofState(call, ({ at }) => {
        if (numbers.isRefused) return refuse('10');
        const media = state.media.get(call.params['id'] ?? '');
        if (media?.userId !== user.id) return refuse('24/4279009');
        const metrics = metricsOf(call.fields, mediaMetrics, unknown);
        return json(lifetime(metrics, (name) => numbers.total(media.id, name, media.publishedAt, at)));
      }),
    ),
    threads(
      'user_insights',
      'GET',
      ':userId/threads_insights',
      'threads_manage_insights',
      (call, { user }) => {
        if (numbers.isRefused) return refuse('10');
        const metrics = metricsOf(call.fields, userMetrics, unknown);
        const { since, until } = periodOf(call.fields, call.at);
        // "views" is a time series; the others have one total, and `followers_count` takes no period.
        const series = metrics.filter((name) => name === 'views');
        const totals = metrics.filter((name) => name !== 'views');
        const days = daysBetween(since, until);
        const { data } = daily(series, days, (name, day) => numbers.ofDay(user.id, name, day, call.at));
        const ofTotal = totals.flatMap((name) => {
          const value =
            name === 'followers_count'
              ? numbers.followers(user.id, name, call.at)
              : numbers.ofDay(user.id, name, days.at(-1) ?? '', call.at);
          return value === undefined ? [] : [{ name, period: 'day', total_value: { value }, title: name }];
        });
        return json({ data: [...data, ...ofTotal] });
      },
    ),
  ];
}
