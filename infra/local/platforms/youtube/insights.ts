import { json } from '../kit/answers.ts';
import type { Call } from '../kit/call.ts';
import { daysBetween } from '../kit/numbers.ts';
import { operation } from '../kit/router.ts';
import type { Answer, Operation, Workbench } from '../kit/types.ts';
import { type Gate, refusal } from './gate.ts';
import { analyticsScopes } from './scopes.ts';

const metrics = ['views', 'likes', 'comments', 'shares', 'subscribersGained', 'subscribersLost'];

/** The reports of YouTube Analytics, by day. https://developers.google.com/youtube/analytics/reference/reports/query */
export function insightsOperations({ numbers }: Workbench, gate: Gate): Operation[] {
  function report(call: Call): Answer {
    const { channelId = '' } = gate.checkCall(call, analyticsScopes);
    const { query } = call;
    if (numbers.isRefused || query.get('ids') !== `channel==${channelId}`) throw refusal('forbidden');
    const asked = (query.get('metrics') ?? '').split(',');
    if (query.get('dimensions') !== 'day' || !asked.every((name) => metrics.includes(name)))
      throw refusal('badRequest', 'The query is not supported.');
    const days = daysBetween(
      Date.parse(query.get('startDate') ?? ''),
      Date.parse(query.get('endDate') ?? '') + 86_400_000,
    );
    const rows = days.flatMap((day) => {
      const values = asked.map((name) => numbers.ofDay(channelId, name, day, call.at));
      return values.includes(undefined) ? [] : [[day, ...values]];
    });
    return json({ kind: 'youtubeAnalytics#resultTable', columnHeaders: [], rows });
  }
  return [operation('reports.query', 'GET', 'youtubeanalytics.googleapis.com/v2/reports', report)];
}
